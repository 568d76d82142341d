"""Which laws can see what a liar changes; the matrix leaves the others out.

A liar is the honest store with one method replaced. A law whose programs never come to
that method sees the honest store itself, so there is nothing to try.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from types import CodeType, FunctionType
from typing import Final

from storelaw.clauses import Law
from storelaw.liars.honest import EXPLICIT, MANIFEST, HonestMedium, HonestStore
from storelaw.manifest import Manifest
from storelaw.medium import Medium
from storelaw.program import Step, nested

#: What an engine asks of a store.
ENGINE: Final = frozenset({"append", "load", "create", "clear"})

#: What every program asks of a handle.
ALWAYS: Final = ("__init__", "close")

#: Methods through which a class can change all others.
_DEEP: Final = ("__init__", "__getattribute__", "__getattr__", "__setattr__", "__new__")

#: Attributes of a medium that must be the honest ones for its store alone to matter.
_AROUND: Final = ("__init__", "open", "close", "destroy", "start", "stop", "clock")


def may_see(law: Law, medium: type[Medium]) -> bool:
    """Whether a law's battery can come to what a medium changes of the honest one."""
    changed = varied(medium)
    if changed is None or law.door == "views":
        return True
    if law.door != "store" and _brings(medium):
        return True
    if not changed:
        return False
    explicit = medium.manifest.without == EXPLICIT.without
    return bool(changed & touched(law, EXPLICIT if explicit else MANIFEST))


def _brings(medium: type[Medium]) -> bool:
    """Whether a medium brings a door of its own, or varies a default engine."""
    named = ("session_class", "variants")
    return any(each in named or each.startswith("open_") for each in dir(medium))


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
