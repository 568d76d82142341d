"""The mutation score: which law caught which liar, as a document, as a page, and as a gate.

``storelaw selftest`` holds the kit against itself; what it found is counted here. The
document is ``schemas/harness/score.schema.json``. Without its rows it is the score that a
release records, and that a later run must not fall below.
"""

from .bar import recorded, shortfalls
from .papers import Papers
from .searches import Search, searches
from .sheet import page
from .tally import document, release_of

__all__ = [
    "Papers",
    "Search",
    "document",
    "page",
    "recorded",
    "release_of",
    "searches",
    "shortfalls",
]
