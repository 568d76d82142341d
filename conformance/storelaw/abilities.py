"""What a medium can do, found by a smoke check before any law is tried.

The smoke check tells "your medium can't be driven" from "your store breaks a law".
"""

import asyncio
import atexit
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, cast

from storelaw.errors import MediumFault
from storelaw.manifest import Manifest
from storelaw.medium import OPERATIONS, POWERS, Medium
from storelaw.player import Notes, Performance, play
from storelaw.profiles import profile_named
from storelaw.program import load, program
from storelaw.trace import Event
from storelaw.worker import Overdue, abandon, current

SMOKE_ID: Final = "smoke"


@dataclass(frozen=True, slots=True)
class Abilities:
    """The operations of a medium's handles, its powers, and those that it says it can't have."""

    operations: frozenset[str]
    powers: frozenset[str]
    denied: frozenset[str] = frozenset()


_KNOWN: dict[type[Medium], Abilities | MediumFault] = {}


def abilities(medium_class: type[Medium]) -> Abilities:
    """The abilities of a medium class; probed once in each process.

    Raises :class:`~storelaw.errors.MediumFault` when it can't be driven, also on each
    later call: a medium that hung gets no further law.
    """
    if medium_class not in _KNOWN:
        _KNOWN[medium_class] = _probed(medium_class)
    known = _KNOWN[medium_class]
    if isinstance(known, MediumFault):
        raise known
    return known


def give_up(medium_class: type[Medium], fault: MediumFault) -> None:
    """Remember that a medium hung, so that it gets no further law."""
    _KNOWN[medium_class] = fault


def _probed(medium_class: type[Medium]) -> Abilities | MediumFault:
    try:
        _manifested(medium_class)
        _started(medium_class)
        operations = _operations(medium_class)
        _smoke(medium_class, operations)
    except MediumFault as fault:
        return fault
    powers = {each for each in POWERS if callable(getattr(medium_class, each, None))}
    denied = {each for each in POWERS if getattr(medium_class, each, ...) is None}
    return Abilities(operations, frozenset(powers), frozenset(denied))


def left_behind(medium_class: type[Medium]) -> tuple[str, ...]:
    """What a medium leaves behind after ``destroy()``: threads, tasks, event loops.

    Watches which event loops are made meanwhile; call it once for a report.
    """
    notes = Notes()
    abilities(medium_class)
    with _loops_made() as made:
        play(program(load(SMOKE_ID)), medium_class, notes)
    if any(not each.is_closed() for each in made):
        notes.left.add("event loops")
    return tuple(sorted(notes.left))


@contextmanager
def _loops_made() -> Generator[list[asyncio.BaseEventLoop]]:
    """The event loops that are made inside, whoever makes them."""
    made: list[asyncio.BaseEventLoop] = []
    begin = asyncio.BaseEventLoop.__init__

    def noted(self: asyncio.BaseEventLoop) -> None:
        begin(self)
        made.append(self)

    setattr(asyncio.BaseEventLoop, "__init__", noted)  # noqa: B010
    try:
        yield made
    finally:
        setattr(asyncio.BaseEventLoop, "__init__", begin)  # noqa: B010


def _manifested(medium_class: type[Medium]) -> None:
    if not isinstance(getattr(medium_class, "manifest", None), Manifest):
        raise MediumFault(
            f"medium: {medium_class.__name__} has no manifest; "
            "add manifest = storelaw.Manifest(name=...)"
        )


def _started(medium_class: type[Medium]) -> None:
    try:
        medium_class.start()
    except Exception as error:
        raise MediumFault(
            f"medium: {medium_class.manifest.name} raised in start(): "
            f"{type(error).__name__}: {ascii(str(error))[1:-1]}"
        ) from error
    atexit.register(medium_class.stop)


class _Probe(Performance):
    """Opens one handle and looks at it."""

    found: frozenset[str] = frozenset()

    def event(self, index: int, step: Any) -> Event:
        """Note the operations of the open handle."""
        handle = self.handles[0]
        offered = (*OPERATIONS, *profile_named(self.manifest.profile).offers)
        self.found = frozenset(each for each in offered if self.driver.has(handle, each))
        return Event(index, step)


def _operations(medium_class: type[Medium]) -> frozenset[str]:
    probe = _Probe(program(load(SMOKE_ID)), medium_class, current(), Notes())
    try:
        current().run(probe.trace, medium_class.manifest.operation_timeout)
    except Overdue:
        abandon()
        raise
    found = probe.found | ({"append"} if "append_one" in probe.found else frozenset[str]())
    missing = sorted(profile_named(medium_class.manifest.profile).operations - found)
    if missing:
        raise MediumFault(
            f"medium: the handle of {medium_class.manifest.name} has no {' and no '.join(missing)}; "
            "define it on the object that open() returns"
        )
    return found


def _smoke(medium_class: type[Medium], operations: frozenset[str]) -> None:
    name = medium_class.manifest.name
    smoke = profile_named(medium_class.manifest.profile).smoke(operations)
    for event in play(smoke, medium_class).events:
        if event.outcome == "skipped" and event.step.do != "create":
            raise MediumFault(
                f"medium: {name} can't be driven: {event.step.do} raised NotImplementedError"
            )
        if event.raised:
            raise MediumFault(
                f"medium: {name} can't be driven: {event.step.do} of a plain entry raised "
                f"{event.text}"
            )
        if event.step.do == "load" and not isinstance(event.value, list):
            kind = type(cast(object, event.value)).__name__
            raise MediumFault(
                f"medium: {name} can't be driven: load after an append gave a {kind}; "
                "give a list of entries, oldest first"
            )
