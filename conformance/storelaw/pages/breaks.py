"""A broken law as a page tells it: the claim, why it matters, the program, both sides."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from storelaw import specification
from storelaw.catalogue import all_laws
from storelaw.clauses import Law
from storelaw.narrative import program_lines
from storelaw.program import Program
from storelaw.specification import Clause, Incident, incidents

from .figure import Figure
from .figures import figure_of

#: What stands at the begin of a line of a failure's text.
WORDS: Final = ("expected", "observed", "raised", "differs", "because", "flaky", "rerun")

#: How many characters of a value a page holds.
WHOLE: Final = 20_000


@dataclass(frozen=True, slots=True)
class Break:
    """One broken law.

    ``told`` has the words of the failure's text by what they are about: both sides,
    the first difference, what was raised, the line that runs it again. ``clauses`` are those
    that the law comes from, ``incidents`` the kinds of fault that it would have caught.
    """

    name: str
    anchor: str
    data: Mapping[str, Any]
    why: tuple[str, ...]
    clauses: tuple[Clause, ...]
    incidents: tuple[Incident, ...]
    program: tuple[str, ...]
    told: Mapping[str, str]

    @property
    def failure(self) -> Mapping[str, Any]:
        """The failure, as the report has it."""
        failure: Mapping[str, Any] = self.data["failure"]
        return failure

    @property
    def style(self) -> str:
        """The verdict as the name of a style."""
        style: str = self.data["verdict"]
        return style

    @property
    def figure(self) -> Figure | None:
        """The drawing of the failure, where there is one."""
        drawing = self.failure.get("drawing")
        return None if drawing is None else figure_of(drawing)

    @property
    def flaky(self) -> bool:
        """Whether not every replay of the program broke the law."""
        replays = self.failure["replays"]
        failed, of = int(replays["failed"]), int(replays["of"])
        return failed < of

    @property
    def whole(self) -> list[tuple[str, str]]:
        """Both sides as indented JSON, cut where they are too long for a page."""
        return [(side, _indented(self.failure[side])) for side in ("expected", "observed")]


def break_of(data: Mapping[str, Any], anchor: str) -> Break:
    """A broken law of a report; a law that this kit doesn't know keeps what the report says."""
    law = known(data["name"])
    failure = data["failure"]
    return Break(
        name=data["name"],
        anchor=anchor,
        data=data,
        why=tuple(law.doc.split("\n\n")[1:]) if law else (),
        clauses=specification.cited_by(law) if law else (),
        incidents=tuple(_incidents(law)) if law else (),
        program=tuple(program_lines(Program.of(failure["program"]))),
        told=dict(_told(failure["text"])),
    )


def _incidents(law: Law) -> Iterator[Incident]:
    return (incidents()[each] for each in law.incidents if each in incidents())


def known(name: str) -> Law | None:
    """The law of a name, ``None`` where this kit has none: a report may be another's."""
    return _laws().get(name)


@cache
def _laws() -> Mapping[str, Law]:
    return {each.name: each for each in all_laws()}


def _told(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        word, _, words = line.partition(" ")
        if word in WORDS:
            yield word, words.strip()


def _indented(value: object) -> str:
    text = json.dumps(value, ensure_ascii=True, indent=2)
    left_out = len(text) - WHOLE
    return text if left_out <= 0 else f"{text[:WHOLE]}\n... {left_out} more characters"
