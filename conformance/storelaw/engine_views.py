"""The reference's projections behind JSON: the views door of the reference medium.

They are a subject here, never an oracle: no law takes an expected value from them.
"""

from storelaw.values import Entry
from storelaw_reference import transcript


class ReferenceViews:
    """The two views of a path of JSON entries, to be mixed into a medium."""

    def model_view(self, path: list[Entry]) -> list[Entry]:
        """The messages that a model reads."""
        return [transcript.encode_message(each) for each in transcript.model_view(_read(path))]

    def transcript_view(self, path: list[Entry]) -> list[Entry]:
        """The entries that a person sees."""
        return [transcript.encode(each) for each in transcript.transcript_view(_read(path))]


def _read(path: list[Entry]) -> list[transcript.Entry]:
    return [transcript.decode(each) for each in path]
