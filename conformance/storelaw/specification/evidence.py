"""What a verdict on a law or a clause rests on."""

from collections.abc import Callable, Mapping
from typing import Final

from storelaw.clauses import Law
from storelaw.manifest import Manifest
from storelaw.profiles import discover
from storelaw.specification.carriers import carriers_of
from storelaw.specification.text import Clause

#: Fixed programs; generated ones; what workers did at once; ends of writes at every place.
EVIDENCE: Final = ("battery", "generated", "history", "sweep")

#: What a clause without any law has instead.
UNTESTABLE: Final = "untestable"

#: The powers by which a write is ended in its middle.
_CUTTING: Final = frozenset({"fail_next", "files", "route", "damage"})


def evidence_of(carried: Law | Clause) -> tuple[str, ...]:
    """The kinds of evidence of a law, or of all laws of a clause; else just *untestable*."""
    if isinstance(carried, Law):
        return tuple(each for each in EVIDENCE if _HAS[each](carried))
    kinds = {kind for law in carriers_of(carried) for kind in evidence_of(law)}
    return tuple(each for each in EVIDENCE if each in kinds) or (UNTESTABLE,)


def ends_writes(law: Law) -> bool:
    """Whether a law looks at writes that end early: by a crash, a failure or a lost reply."""
    return law.family == "crash" or bool(law.powers & _CUTTING)


def meets(law: Law) -> bool:
    """Whether a law lets several workers loose at once."""
    return law.family == "concurrency" or "at_once" in steps(law)


def steps(law: Law) -> frozenset[str]:
    """The steps of a law's fixed programs, for a store that promises as much as it can."""
    manifest = Manifest(
        name="any",
        profile=_profile_of(law),
        durable=True,
        writers=frozenset({"tasks", "threads", "processes"}),
    )
    return frozenset(step.name for program in law.battery(manifest) for step in program.steps)


def _profile_of(law: Law) -> str:
    """The first profile that has the door of a law, if any has."""
    found = (name for name, each in discover().items() if each.door(law.door))
    return next(found, "transcript")


_HAS: Final[Mapping[str, Callable[[Law], bool]]] = {
    "battery": lambda _: True,
    "generated": lambda law: law.programs is not None,
    "history": meets,
    "sweep": ends_writes,
}
