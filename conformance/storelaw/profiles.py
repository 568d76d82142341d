"""Profiles: named contracts, each with its doors, its entry kinds and its smoke program.

The kit's own three come through the same hook as anybody's
(:func:`~storelaw.hookspecs.storelaw_profiles`).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from storelaw.contract import Contract, unknown
from storelaw.errors import Misconfigured

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from storelaw.program import Program

#: The door that every profile may have: the flat log behind ``append`` and ``load``.
STORE: Final = "store"


@dataclass(frozen=True, slots=True)
class Opening:
    """What a door is opened on: the driver, an open handle, its medium, a session key.

    ``named`` are the arguments of the program's step, ``variant`` the class that the medium
    wants in place of the default engine's, if it names one.
    """

    driver: Any
    handle: Any
    medium: Any
    key: Any
    named: Mapping[str, Any]
    variant: Any = None


Opener: TypeAlias = Callable[[Opening], Any]


@dataclass(frozen=True, slots=True)
class Door:
    """A surface under test, as an object whose methods speak JSON.

    ``opener`` puts the default engine over a handle; where it is ``None`` the medium itself
    must bring the door: by a method ``open_NAME(handle, key, ...)``, or, where ``methods``
    names them, by having these methods. A medium's own ``open_NAME`` always comes first.
    """

    name: str
    summary: str
    opener: Opener | None = None
    methods: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of entry: the name of its schema, and a strategy of valid instances."""

    name: str
    schema: str
    strategy: "Callable[[], SearchStrategy[Any]]"


@dataclass(frozen=True, slots=True)
class Profile:
    """A named contract.

    ``operations`` are those without which a handle can't be driven, ``offers`` further names
    of operations that only this profile has, ``smoke`` the program that every medium of the
    profile must carry out, and ``raw`` reads all that a store holds under a key.
    """

    name: str
    summary: str
    contract: Contract
    doors: tuple[Door, ...]
    operations: frozenset[str]
    smoke: "Callable[[frozenset[str]], Program]"
    raw: Callable[[Any, Any, Any], Any]
    offers: tuple[str, ...] = ()

    def door(self, name: str) -> Door | None:
        """The door of a name, if the profile has it."""
        return next((each for each in self.doors if each.name == name), None)

    @property
    def door_names(self) -> tuple[str, ...]:
        """The names of the doors."""
        return tuple(each.name for each in self.doors)


_PROFILES: Final[dict[str, Profile]] = {}

#: Where the kit's own profiles lie; they are imported when a manifest first names them.
OWN: Final[Mapping[str, str]] = {
    "transcript": "storelaw.transcripts",
    "log": "storelaw.logged",
    "turns": "storelaw.turned",
}


def register_profile(profile: Profile) -> None:
    """Make a profile known; a name can stand for one profile only."""
    known = _PROFILES.get(profile.name)
    if known is not None and known is not profile:
        raise Misconfigured(f"configuration: two profiles are called {profile.name!r}")
    _PROFILES[profile.name] = profile


def discover() -> Mapping[str, Profile]:
    """All profiles, those of installed extensions included.

    Extensions lie above this layer, so they are imported by name, and late.
    """
    found: Iterable[Iterable[Profile]] = import_module("storelaw.extensions").called(
        "storelaw_profiles"
    )
    for each in found:
        for profile in each:
            register_profile(profile)
    return _PROFILES


def profile_named(name: str) -> Profile:
    """The profile of a name; :class:`Misconfigured` lists those that exist."""
    if name not in _PROFILES and name in OWN:
        register_profile(import_module(OWN[name]).PROFILE)
    if name not in _PROFILES:
        discover()
    if name not in _PROFILES:
        raise Misconfigured(unknown("profile", name, _PROFILES))
    return _PROFILES[name]
