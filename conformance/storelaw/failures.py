"""A broken law, as an object with fields; its text is made in :mod:`storelaw.narrative`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from storelaw.program import Program
from storelaw.trace import Event
from storelaw.values import first_difference


class Broken(Exception):
    """What a judge raises: what was expected at a step, and what was observed.

    ``kind`` tells apart the ways in which one law can break, so that a reduction doesn't
    slip from one to another. ``picture`` is a drawing of several lines, or empty, and
    ``drawing`` what a better one can be made from (``schemas/harness/drawing``).
    """

    def __init__(
        self,
        event: Event | None,
        expected: Any,
        observed: Any,
        because: str,
        kind: str,
        picture: str = "",
        drawing: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(because)
        self.event, self.expected, self.observed = event, expected, observed
        self.because, self.kind, self.picture = because, kind, picture
        self.drawing = drawing


def broken(
    event: Event | None,
    *,
    expected: Any,
    observed: Any,
    because: str,
    kind: str = "",
    picture: str = "",
    drawing: Mapping[str, Any] | None = None,
) -> NoReturn:
    """End a judge: the law is broken at this event.

    ``because`` is one sentence that begins in lower case and says what the store did wrong
    or what the rule is; ``kind`` defaults to it.
    """
    raise Broken(event, expected, observed, because, kind or because, picture, drawing)


class Unseen(Exception):
    """What a judge raises where a run is no evidence: what the law is about didn't happen.

    ``applicable`` is false where it can't happen on this medium at all. ``about`` is the word
    under which a law counts what it saw: another run that saw some of it is evidence enough.
    """

    def __init__(self, reason: str, applicable: bool, about: str = "") -> None:
        super().__init__(reason)
        self.reason, self.applicable, self.about = reason, applicable, about


def unseen(reason: str, *, applicable: bool = True, about: str = "") -> NoReturn:
    """End a judge: this run says nothing of the law; ``reason`` begins in lower case."""
    raise Unseen(reason, applicable, about)


@dataclass(frozen=True, slots=True)
class Failure:
    """A broken law: who broke it, the shortest program that shows it, and the difference."""

    law: str
    claim: str
    medium: str
    program: Program
    expected: Any
    observed: Any
    because: str
    index: int | None
    target: str = ""
    seed: int = 0
    replays: tuple[int, int] = (3, 3)
    losses: frozenset[str] = frozenset()
    text_of_error: str = ""
    picture: str = ""
    drawing: Mapping[str, Any] | None = None

    @property
    def differs(self) -> str:
        """The first difference between expected and observed, as a path with both sides."""
        difference = first_difference(self.expected, self.observed, self.losses)
        return "" if difference is None else str(difference)


class LawBroken(AssertionError):
    """What the pytest items raise; ``failure`` has the fields, the text explains them."""

    def __init__(self, failure: Failure, text: str) -> None:
        super().__init__(text)
        self.failure = failure
