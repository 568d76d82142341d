"""A law in words: its claim, why stores break it, where it comes from, what it needs."""

from collections.abc import Iterable, Iterator
from textwrap import fill
from typing import Any, Final

from storelaw.clauses import Law
from storelaw.liars.registry import Liar

WIDTH: Final = 96


def explained(law: Law, liars: Iterable[Liar]) -> Iterator[str]:
    """The lines of an explanation."""
    yield f"{law.title} ({law.requirement}, since {law.since}, {law.door} door)"
    for paragraph in law.doc.split("\n\n"):
        yield ""
        yield fill(
            " ".join(paragraph.split()), WIDTH, initial_indent="    ", subsequent_indent="    "
        )
    yield ""
    yield f"source     {', '.join(law.source)}"
    if law.incidents:
        yield f"incidents  {', '.join(law.incidents)}"
    yield f"needs      {needs(law)}"
    yield f"programs   {'battery and generated' if law.programs else 'battery'}"
    yield f"liars      {', '.join(each.name for each in liars if each.breaks == law.name) or 'none'}"


def needs(law: Law) -> str:
    """What a medium must have for the law to be judged."""
    parts = [("operations", law.operations), ("session calls", law.acts)]
    parts += [("promises", law.promises), ("powers", law.powers)]
    return "; ".join(f"{what} {', '.join(sorted(names))}" for what, names in parts if names)


def clause(law: Law) -> dict[str, Any]:
    """A law's clause as JSON."""
    return {
        "name": law.name,
        "family": law.family,
        "claim": law.claim,
        "requirement": law.requirement,
        "since": law.since,
        "door": law.door,
        "operations": sorted(law.operations),
        "acts": sorted(law.acts),
        "promises": sorted(law.promises),
        "powers": sorted(law.powers),
        "source": list(law.source),
        "incidents": list(law.incidents),
    }
