"""What a report is told in: sections with a title, short for a screen, and whole."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

#: The places of the kit's own sections, and of those that say nothing of theirs.
FAMILIES: Final = 10
FACTS: Final = 20
OTHERS: Final = 50
FAULTS: Final = 70
BROKEN: Final = 80
FAILURES: Final = 90
ENDING: Final = 100


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report's text.

    ``text`` has the lines for a screen, ``whole`` everything where that is more. Sections
    are told by their ``place``, the lowest first; those of one place stand together.
    """

    title: str
    text: str
    whole: str = ""
    place: int = OTHERS

    def told(self, verbose: bool = False) -> str:
        """The text, or the whole of it."""
        return (verbose and self.whole) or self.text


#: What a hook for report sections may give beside nothing: a text is a section without a title.
Given: TypeAlias = str | Section | Iterable[str | Section]


def listed(answers: Iterable[Given]) -> list[Section]:
    """The sections among what the hooks gave, in the order of their places."""
    flat = [each for answer in answers for each in _each(answer)]
    texts = (each if isinstance(each, Section) else Section("", each) for each in flat)
    return sorted(texts, key=lambda each: each.place)


def _each(answer: Given) -> Iterable[str | Section]:
    return (answer,) if isinstance(answer, str | Section) else answer
