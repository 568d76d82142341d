"""Which laws can see what a liar changes; the matrix leaves the others out.

A liar is the honest store with one method replaced. A law whose programs never come to
that method sees the honest store itself, so there is nothing to try.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from types import CodeType, FunctionType
from typing import Final, TypeVar

from storelaw.clauses import Law
from storelaw.liars.honest import EXPLICIT, MANIFEST, HonestMedium, HonestStore
from storelaw.liars.turns_honest import MANIFEST as TURNS
from storelaw.liars.turns_honest import TurnsHonest
from storelaw.manifest import Manifest
from storelaw.medium import Medium
from storelaw.program import Step, nested

T = TypeVar("T")


def _remembered(look: Callable[[type[Medium]], T]) -> Callable[[type[Medium]], T]:
    """What a look at a medium class gives, looked at once."""
    seen: dict[type[Medium], T] = {}

    def remembered(medium: type[Medium]) -> T:
        if medium not in seen:
            seen[medium] = look(medium)
        return seen[medium]

    return remembered


#: What an engine asks of a store.
ENGINE: Final = frozenset({"append", "load", "create", "clear"})

#: What every program asks of a handle.
ALWAYS: Final = ("__init__", "close")

#: Methods through which a class can change all others.
_DEEP: Final = ("__init__", "__getattribute__", "__getattr__", "__setattr__", "__new__")

#: Attributes of a medium that must be the honest ones for its store alone to matter.
_AROUND: Final = ("__init__", "open", "close", "destroy", "start", "stop", "clock")


#: The doors at which a medium shows what it makes of entries that it is given.
_SHOWN: Final = frozenset({"views", "replay", "timeline"})

#: The doors behind which a class of a medium's ``variants`` may work.
_BEHIND: Final[Mapping[str, frozenset[str]]] = {
    "refs": frozenset({"refs"}),
    "agent": frozenset({"agent"}),
    "compactor": frozenset({"agent"}),
}
_TURNS: Final = frozenset({"memory", "appender"})


def may_see(law: Law, medium: type[Medium]) -> bool:
    """Whether a law's battery can come to what a medium changes of the honest one."""
    if law.door in _SHOWN or law.door in varied_doors(medium):
        return True
    changed = varied(medium)
    if changed is None:
        return not _rows_are_honest(medium)
    explicit = medium.manifest.without == EXPLICIT.without
    return bool(changed & touched(law, EXPLICIT if explicit else MANIFEST))


@_remembered
def varied_doors(medium: type[Medium]) -> frozenset[str]:
    """The doors that a medium brings itself, or whose default engine it varies."""
    opened = {each.removeprefix("open_") for each in dir(medium) if each.startswith("open_")}
    named = {"session"} if hasattr(medium, "session_class") else set[str]()
    variants: Mapping[str, object] = getattr(medium, "variants", {})
    return frozenset(opened | named).union(*(_BEHIND.get(each, _TURNS) for each in variants))


@_remembered
def _rows_are_honest(medium: type[Medium]) -> bool:
    """Whether a medium of turns has the honest rows under whatever else it varies."""
    return (
        issubclass(medium, TurnsHonest)
        and medium.store is TurnsHonest.store
        and replace(medium.manifest, name=TURNS.name, doors=TURNS.doors) == TURNS
        and all(
            _plain(getattr(medium, n)) is _plain(getattr(TurnsHonest, n))
            for n in (*_AROUND[:-1], "fail_next")
        )
    )


@_remembered
def varied(medium: type[Medium]) -> frozenset[str] | None:
    """The methods of the honest store that a medium's store replaces.

    ``None`` where more than methods of the store is different.
    """
    if not issubclass(medium, HonestMedium) or not _surroundings_are_honest(medium):
        return None
    store = medium.store
    if any(getattr(store, n, None) is not getattr(HonestStore, n, None) for n in _DEEP):
        return None
    own = (name for name in vars(HonestStore) if not name.startswith("__"))
    return frozenset(n for n in own if getattr(store, n) is not getattr(HonestStore, n))


def _surroundings_are_honest(medium: type[Medium]) -> bool:
    manifest = medium.manifest
    plain = any(
        replace(manifest, name=each.name, doors=each.doors, profile=each.profile) == each
        for each in (MANIFEST, EXPLICIT)
    )
    return plain and all(
        _plain(getattr(medium, n)) is _plain(getattr(HonestMedium, n)) for n in _AROUND
    )


def _plain(method: object) -> object:
    return getattr(method, "__func__", method)


_TOUCHED: dict[tuple[str, str], frozenset[str]] = {}


def touched(law: Law, manifest: Manifest) -> frozenset[str]:
    """The methods of the honest store that a law's battery comes to under a manifest."""
    key = (law.name, manifest.name)
    if key not in _TOUCHED:
        asked = {each.do for program in law.battery(manifest) for each in _steps(program.steps)}
        asked |= ENGINE if law.door != "store" else {"create"}
        _TOUCHED[key] = frozenset().union(*map(reached, (*ALWAYS, *asked)))
    return _TOUCHED[key]


def _steps(steps: Iterable[Step]) -> Iterator[Step]:
    for each in steps:
        yield each
        for value in each.args.values():
            yield from _steps(one for one in nested(value) if isinstance(one, Step))


@cache
def reached(operation: str) -> frozenset[str]:
    """The methods of the honest store that one of them comes to, itself included."""
    found: set[str] = set()
    waiting = [operation]
    while waiting:
        name = waiting.pop()
        method = vars(HonestStore).get(name)
        if name not in found and isinstance(method, FunctionType):
            found.add(name)
            waiting += _names(method.__code__)
    return frozenset(found)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _names(each)
