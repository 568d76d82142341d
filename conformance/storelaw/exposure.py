"""Which programs can show what a liar changes; the matrix leaves the others out.

A liar is an honest medium with a few functions replaced. A program that comes to none of
them runs as it does on the honest medium, and so does one whose calls a liar's store answers
as the honest store does.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from inspect import getattr_static
from types import CodeType, FunctionType
from typing import Any, Final, cast

from storelaw.abilities import abilities
from storelaw.liars.crash_honest import FileHonest
from storelaw.liars.crowd_honest import (
    ContestedMedium,
    LaggingMedium,
    LooseMedium,
    ThreadedMedium,
)
from storelaw.liars.honest import HonestExplicit, HonestMedium, HonestStore
from storelaw.liars.log_honest import LogDuplicates, LogHonest
from storelaw.liars.timeline_honest import TurnsTimeline
from storelaw.liars.turns_honest import TurnsHonest
from storelaw.liars.views import HonestViews
from storelaw.liars.wire_honest import WireDuplicates, WireHonest
from storelaw.medium import Medium
from storelaw.program import Program, with_creation
from storelaw.rehearsal import Rehearsal, Repetition
from storelaw_reference import log, transcript, turns

#: The honest media that liars vary, the more special ones first.
HONEST: Final[tuple[type[Any], ...]] = (
    ThreadedMedium,
    ContestedMedium,
    LooseMedium,
    LaggingMedium,
    HonestViews,
    HonestMedium,
    HonestExplicit,
    FileHonest,
    WireHonest,
    WireDuplicates,
    LogHonest,
    LogDuplicates,
    TurnsTimeline,
    TurnsHonest,
)

#: What the default engines use, by the name under which a medium's ``variants`` replaces it.
ENGINES: Final[Mapping[str, tuple[Any, ...]]] = {
    "session": (transcript.Session,),
    "refs": (log.Session,),
    "agent": (log.Agent,),
    "compactor": (log.Compactor,),
    "memory": (turns.SigningMemory, turns.Memory),
    "beneath": (turns.SigningMemory, turns.Memory),
    "appender": (turns.Appender,),
    "inbox": (turns.Inbox,),
    "prefix": (turns.Prefix,),
    "replayer": (turns.Replayer,),
    "opening": (turns.has_opening_turn,),
    "audit": (turns.audit,),
}

#: Members of every class that say nothing of what it does.
_DATA: Final = frozenset(
    [
        "__module__",
        "__doc__",
        "__dict__",
        "__weakref__",
        "__annotations__",
        "__qualname__",
        "__firstlineno__",
        "__static_attributes__",
        "__parameters__",
        "__orig_bases__",
        "__abstractmethods__",
        "_abc_impl",
        "__annotate_func__",
        "__annotations_cache__",
    ]
)

_CALLABLE: Final = (FunctionType, staticmethod, classmethod)

#: Members of a medium class that are looked at by themselves.
_NAMED: Final = frozenset({"manifest", "store", "session_class", "variants", "needs_directory"})


class Everything(Exception):
    """More than functions is different."""


@dataclass(frozen=True, slots=True)
class Changes:
    """The honest functions that a medium replaces, those of its store apart, and new names."""

    store: frozenset[CodeType]
    around: frozenset[CodeType]
    added: frozenset[str]


class Difference:
    """The functions of some code that other code replaces, and the names that are new in it."""

    def __init__(self) -> None:
        self.codes: set[CodeType] = set()
        self.added: set[str] = set()

    def instead_of(self, ours: tuple[Any, ...], theirs: Any) -> None:
        """Count what stands in for a function, or for the first of these classes that fits."""
        functions = [each for each in ours if isinstance(each, FunctionType)]
        kinds = [each for each in ours if isinstance(theirs, type) and issubclass(theirs, each)]
        if functions:
            self.codes.update(*map(_codes, functions))
        elif kinds:
            self.between(kinds[0], theirs)
        else:
            raise Everything

    def between(self, ours: type, theirs: type, ignored: frozenset[str] = _DATA) -> None:
        """Count what a class has otherwise than another one."""
        for name in frozenset(dir(theirs)) - ignored:
            new, old = getattr_static(theirs, name), getattr_static(ours, name, None)
            if new is not old:
                self._changed(name, old, new, hasattr(ours, name))

    def _changed(self, name: str, old: object, new: object, known: bool) -> None:
        if isinstance(old, type):
            self.instead_of((old,), new)
        elif known:
            self.codes.update(_codes(old))
        elif name.startswith("__"):
            raise Everything
        elif isinstance(new, _CALLABLE) and not name.startswith("_"):
            self.added.add(name)


def _codes(member: object) -> Iterator[CodeType]:
    """The code of a function, method or property; :class:`Everything` for anything else."""
    if isinstance(member, FunctionType):
        yield member.__code__
    elif isinstance(member, staticmethod | classmethod):
        yield from _codes(cast(Any, member).__func__)
    elif isinstance(member, property):
        yield from _codes(member.fget)
    else:
        raise Everything


def changes(medium: type[Medium], honest: type[Medium]) -> Changes:
    """What a medium changes of an honest one; :class:`Everything` where that can't be told."""
    theirs, ours = cast(Any, medium), cast(Any, honest)
    store, around = Difference(), Difference()
    store.instead_of((ours.store,), theirs.store)
    if HonestStore.twin.__code__ in store.codes:
        store.codes.add(HonestStore.by_id.__code__)
    around.between(ours, theirs, _DATA | _NAMED)
    engines: dict[str, Any] = {**getattr(theirs, "variants", {})}
    if hasattr(theirs, "session_class"):
        engines["session"] = theirs.session_class
    for name, each in engines.items():
        around.instead_of(ENGINES[name], each)
    return Changes(
        frozenset(store.codes), frozenset(around.codes), frozenset(store.added | around.added)
    )


class Exposures:
    """What media show, with the rehearsals that they share."""

    def __init__(self) -> None:
        self._rehearsals: dict[type[Medium], Rehearsal] = {}
        self._full: dict[tuple[int, bool, frozenset[str]], tuple[Program, Program]] = {}

    def of(self, medium: type[Medium]) -> "Exposure":
        """The exposure of one medium class."""
        honest = honest_of(medium)
        if honest is None:
            return Exposure(self, medium)
        try:
            found = changes(medium, honest)
        except Everything:
            return Exposure(self, medium)
        if honest not in self._rehearsals:
            self._rehearsals[honest] = Rehearsal(honest)
        return Exposure(self, medium, found, self._rehearsals[honest])

    def full(self, program: Program, creates: bool, operations: frozenset[str]) -> Program:
        """The program as it runs, one and the same for each request."""
        key = (id(program), creates, operations)
        if key not in self._full:
            made = program if creates else with_creation(program, operations)
            self._full[key] = (program, made)
        return self._full[key][1]


def honest_of(medium: type[Medium]) -> type[Medium] | None:
    """The honest medium that a medium varies, if it does."""
    return next((each for each in HONEST if _varies(medium, each)), None)


def _varies(medium: type[Medium], honest: type[Medium]) -> bool:
    """Whether a medium claims what an honest one claims, and has its methods or better ones."""
    theirs, ours = medium.manifest, honest.manifest
    functions = (c for c in honest.__mro__ if any(map(_is_function, vars(c).values())))
    return issubclass(medium, next(functions)) and ours == replace(
        theirs, name=ours.name, doors=ours.doors
    )


def _is_function(member: object) -> bool:
    return isinstance(member, FunctionType)


class Exposure:
    """What one medium shows; everything where nothing is known of it."""

    def __init__(
        self,
        shared: Exposures,
        medium: type[Medium],
        found: Changes | None = None,
        rehearsal: Rehearsal | None = None,
    ) -> None:
        self._shared, self._medium = shared, medium
        self._changes, self._rehearsal = found, rehearsal
        self._operations = abilities(medium).operations
        self._repetition = Repetition(medium)

    def shows(self, program: Program, creates: bool) -> bool:
        """Whether a program may run otherwise on this medium than on the honest one.

        ``creates`` says that it creates its sessions itself.
        """
        if self._changes is None or self._rehearsal is None:
            return True
        full = self._shared.full(program, creates, self._operations)
        part = self._rehearsal.part(full)
        if part.beside or not self._changes.added.isdisjoint(part.asked):
            return True
        if not self._changes.around.isdisjoint(part.codes):
            return True
        if self._changes.store.isdisjoint(part.codes):
            return False
        return part.last is None or not self._repetition.agrees(part.last)
