"""Which sessions exist, and how a store answers for those that don't."""

from collections.abc import Callable, Iterator
from typing import Final

from storelaw.failures import broken
from storelaw.manifest import Manifest
from storelaw.model.logs import Logs
from storelaw.narrative import Words
from storelaw.program import Key
from storelaw.trace import Event, Trace

#: How a load of an unknown session may end, in words.
ANSWERS = {
    "none": "None",
    "empty": "an empty list",
    "raise": "SessionNotFound is raised",
}


def answer(event: Event) -> str | None:
    """How a load answered for an unknown session: none, empty, raise; ``None`` for none of them."""
    if event.raised:
        return "raise" if event.error == "SessionNotFound" else None
    if event.value is None:
        return "none"
    return "empty" if event.value == [] else None


def observed(event: Event) -> object:
    """What an event shows in a failure: its answer, or that it raised."""
    return Words("it raised") if event.raised else event.value


def wanted(manifest: Manifest, before: str | None) -> Words:
    """The answers for an unknown session that are allowed after an earlier one, in words."""
    declared = manifest.contract.unknown_session
    allowed = [before] if before else list(ANSWERS)
    as_before = "" if declared or not before else ", as before"
    return Words(" or ".join(ANSWERS[each] for each in allowed) + as_before)


class Lives:
    """The sessions of a trace: what exists, and what was made by ``create`` or ``fork``."""

    def __init__(self) -> None:
        self.logs = Logs()
        self._made: set[Key] = set()
        self._vague: set[Key] = set()

    def feed(self, event: Event) -> None:
        """Follow one event."""
        self.logs.feed(event)
        self._note(event, event["new"] if event.step.do == "fork" else event.step.session)

    def _note(self, event: Event, session: Key) -> None:
        if event.step.do in ("create", "fork") and event.ok:
            self._made.add(session)
        elif event.step.do == "delete" and event.ok:
            self._made.discard(session)
            self._vague.discard(session)
        elif (event.step.do in ("append", "replace") and event.ok and not event.passed) or (
            event.raised and event.error != "SessionNotFound"
        ):
            self._vague.add(session)

    def unknown(self, session: Key) -> bool:
        """Whether a session was certainly never made, or deleted since."""
        log = self.logs.log(session)
        never = not log.exists and not log.entries and session not in self._made
        return never and session not in self._vague and log.certain

    def lives(self, session: Key) -> bool:
        """Whether a session certainly exists: it has entries, or was created."""
        log = self.logs.log(session)
        return log.certain and (bool(log.entries) or session in self._made)


def unknown_loads(trace: Trace) -> list[Event]:
    """The unfiltered loads of sessions that were never made, or deleted since."""
    lives = Lives()
    found: list[Event] = []
    for event in trace.events:
        plain = event.step.do == "load" and event.outcome != "skipped" and not event.step.args
        if plain and lives.unknown(event.step.session):
            found.append(event)
        lives.feed(event)
    return found


def appearances(trace: Trace, touches: Callable[[Event], bool]) -> Iterator[Event]:
    """The events that show an unknown session as existing after it was merely touched.

    It is listed, or its id is taken, or it loads otherwise than unknown sessions did before.
    """
    lives, touched = Lives(), set[Key]()
    before: str | None = None
    for event in trace.events:
        session = event.step.session
        if session in touched and _shows(event, before):
            yield event
        listed: list[Key] = event.value if event.step.do == "list_sessions" and event.ok else []
        if any(each in touched for each in listed):
            yield event
        unknown = lives.unknown(session) and event.outcome != "skipped"
        if unknown and event.step.do == "load" and not touched:
            before = answer(event)
        if unknown and touches(event):
            touched.add(session)
        elif event.step.do in _MAKES and event.ok:
            touched.discard(event["new"] if event.step.do == "fork" else session)
        lives.feed(event)


_MAKES: Final = ("append", "append_one", "replace", "create", "fork")


def _shows(event: Event, before: str | None) -> bool:
    if event.step.do == "create":
        return event.error == "SessionExists"
    return event.step.do == "load" and before is not None and answer(event) not in (before, None)


_READS: Final = ("load", "record", "headers", "list_sessions", "open", "close", "fail_next")


def undisturbed(trace: Trace, by: Callable[[Event], bool]) -> Iterator[tuple[Event, object]]:
    """The loads of sessions in which only events of one kind came since the load before.

    Each with what that load gave; ``by`` tells the events that must have changed nothing.
    """
    shown: dict[Key, object] = {}
    touched: set[Key] = set()
    for event in trace.events:
        session = event.step.session
        if event.step.do == "load" and event.outcome != "skipped" and not event.step.args:
            if session in touched and session in shown:
                yield event, shown[session]
            if event.ok:
                shown[session] = event.value
            touched.discard(session)
        elif event.outcome != "skipped" and by(event):
            touched.update((session, event["new"] or session))
        elif event.step.do == "reopen" and not trace.manifest.durable:
            shown.clear()
        elif event.step.do not in _READS and event.step.do != "reopen":
            shown.pop(event["new"] or session, None)
            shown.pop(session, None)


def judge_undisturbed(trace: Trace, by: Callable[[Event], bool], because: str) -> None:
    """Events of one kind leave what their sessions load as it was."""
    for event, before in undisturbed(trace, by):
        if event.raised or not trace.same(before or [], event.value or []):
            broken(event, expected=before, observed=observed(event), because=because)


def judge_refused(
    trace: Trace, asked: Callable[[Event, Lives], bool], identity: str, because: str
) -> None:
    """Each event that asks for the impossible raises the error of one identity."""
    lives = Lives()
    for event in trace.events:
        if event.outcome != "skipped" and asked(event, lives) and event.error != identity:
            broken(
                event,
                expected=Words(f"{identity} is raised"),
                observed=Words("it raised another error" if event.raised else "it passed"),
                because=because,
            )
        lives.feed(event)
