"""Aspects of an entry: which of its parts a law looks at, so that one fault breaks few laws.

A law names the leaves it is about (nulls, booleans, text with line ends). Its judge demands
that an entry with such a leaf is accepted, is there, and has the same leaf at the same
place; whatever else became of the entry is for other laws.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias, TypeGuard

from storelaw.failures import broken
from storelaw.judging import Match, matches
from storelaw.model.logs import Logs, Reading, readings
from storelaw.narrative import Words
from storelaw.trace import Event, Trace
from storelaw.values import Entry, absent, is_object

Path: TypeAlias = tuple[str | int, ...]
#: Says whether a law is about the leaf at a path.
Concern: TypeAlias = Callable[[Path, Any], bool]
#: Tells what lies at a path.
Teller: TypeAlias = Callable[[Path, Any], Words]

ACCEPTED: Final = Words("the entry is accepted")
LOADED: Final = Words("the session loads")
RAISED: Final = Words("it raised")


def leaves(value: Any) -> Iterator[tuple[Path, Any]]:
    """Every scalar and every empty list or object inside a JSON value, with its path."""
    stack: list[tuple[Path, Any]] = [((), value)]
    while stack:
        path, each = stack.pop()
        inner = list(_items(each))
        if inner:
            stack.extend(((*path, key), one) for key, one in reversed(inner))
        else:
            yield path, each


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Whether a value is a JSON list."""
    return isinstance(value, list)


def _items(value: Any) -> Iterator[tuple[str | int, Any]]:
    if is_object(value):
        yield from value.items()
    elif is_list(value):
        yield from enumerate(value)


def at(value: Any, path: Path) -> Any:
    """What lies at a path inside a value, or :data:`~storelaw.values.absent`."""
    for key in path:
        value = dict(_items(value)).get(key, absent)
    return value


def objects(value: Any) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Every object inside a JSON value, with its path, outermost first."""
    stack: list[tuple[Path, Any]] = [((), value)]
    while stack:
        path, each = stack.pop()
        if is_object(each):
            yield path, each
        stack.extend(((*path, key), one) for key, one in reversed(list(_items(each))))


def concerned(entry: Entry, concern: Concern) -> list[tuple[Path, Any]]:
    """The leaves of an entry that a law is about."""
    return [(path, value) for path, value in leaves(entry) if concern(path, value)]


def kept_back(trace: Trace, reading: Reading) -> list[Match]:
    """The matches of a reading that a retention limit doesn't excuse.

    Where the store gives the ids, entries are matched and compared without them.
    """
    found = list(matches(trace, reading))
    keep = trace.manifest.keep
    if keep is None:
        return found
    newest = found[-keep:] if trace.manifest.keep_unit == "entries" else []
    here = [each for each in found[: len(found) - len(newest)] if each.place is not None]
    return [*here, *newest]


def demanded(trace: Trace) -> Iterator[tuple[Reading, Match]]:
    """Each accepted entry that a certain reading must show, with what stands for it."""
    for reading in readings(trace):
        if reading.certain:
            for match in kept_back(trace, reading):
                yield reading, match


def failed_loads(trace: Trace) -> Iterator[tuple[Event, list[Entry]]]:
    """Each unfiltered load that raised, with the accepted entries it should have given."""
    logs = Logs()
    for event in trace.events:
        if event.step.do == "load" and event.raised and not event.step.args:
            log = logs.log(event.step.session)
            if log.certain:
                yield event, list(log.entries)
        else:
            logs.feed(event)


def judge_accepted(trace: Trace, about: Callable[[Entry], bool], because: str) -> None:
    """No append of an entry that the law is about raises."""
    for event in trace.of("append"):
        if event.raised and any(about(each) for each in event.passed):
            broken(event, expected=ACCEPTED, observed=RAISED, because=because, kind="refused")


def judge_loads(trace: Trace, about: Callable[[Entry], bool], because: str) -> None:
    """No load of a session that holds an entry that the law is about raises."""
    for event, entries in failed_loads(trace):
        if any(about(each) for each in entries):
            broken(event, expected=LOADED, observed=RAISED, because=because, kind="raised")


def judge_there(trace: Trace, about: Callable[[Entry], bool], because: str) -> None:
    """Every accepted entry that the law is about comes back, and doesn't stop a load."""
    judge_loads(trace, about, because)
    for reading, match in demanded(trace):
        if match.place is None and about(match.expected):
            _lost(reading, because)


def _lost(reading: Reading, because: str) -> None:
    broken(
        reading.event,
        expected=reading.expected,
        observed=reading.observed,
        because=because,
        kind="lost",
    )


def judge_leaves(
    trace: Trace,
    concern: Concern,
    because: str,
    anchor: int | None = None,
    tell: Teller | None = None,
) -> None:
    """Every leaf that the law is about is at its place in the entry that came back.

    A leaf whose surroundings are gone is not this law's matter: what holds the leaf, or
    the first ``anchor`` keys of its path, must still be there. ``tell`` says in words what
    lies at a path, where the entry as a whole would say little.
    """
    for reading, match in demanded(trace):
        for path, value in concerned(match.expected, concern):
            near = path[:-1] if anchor is None else path[:anchor]
            if match.place is None or not _holds(at(match.observed, near)):
                continue
            found = at(match.observed, path)
            if not _kept(trace, value, found):
                broken(
                    reading.event,
                    expected=tell(path, value) if tell else match.expected,
                    observed=tell(path, found) if tell else match.observed,
                    because=because,
                    kind="changed",
                )


def _holds(value: Any) -> bool:
    return isinstance(value, dict | list)


def _kept(trace: Trace, expected: Any, observed: Any) -> bool:
    found = {} if observed is absent else {"leaf": observed}
    return trace.same({"leaf": expected}, found)


def judge_aspect(
    trace: Trace,
    concern: Concern,
    because: str,
    anchor: int | None = None,
    tell: Teller | None = None,
) -> None:
    """Entries with leaves that the law is about are accepted, are there, and have them."""

    def about(entry: Entry) -> bool:
        return bool(concerned(entry, concern))

    judge_accepted(trace, about, because)
    judge_there(trace, about, because)
    judge_leaves(trace, concern, because, anchor, tell)


def judge_aspect_or_refused(
    trace: Trace,
    concern: Concern,
    because: str,
    anchor: int | None = None,
    tell: Teller | None = None,
) -> str | None:
    """Such entries come back with these leaves, or their append raises and leaves no trace.

    Returns a note where one was refused.
    """

    def about(entry: Entry) -> bool:
        return bool(concerned(entry, concern))

    judge_there(trace, about, because)
    judge_leaves(trace, concern, because, anchor, tell)
    return judge_no_trace(trace, about, because)


def judge_no_trace(trace: Trace, about: Callable[[Entry], bool], because: str) -> str | None:
    """Nothing of a refused append is ever visible; a note where one was refused."""
    refused = [
        (event.step.session, each)
        for event in trace.of("append")
        if event.raised and any(about(one) for one in event.passed)
        for each in event.passed
    ]
    for reading in readings(trace):
        ids = {e.get("id") for session, e in refused if session == reading.event.step.session}
        accepted = {each.get("id") for each in reading.expected} | {None}
        seen = {each.get("id") for each in reading.observed if is_object(each)}
        if (ids - accepted) & seen:
            broken(
                reading.event,
                expected=reading.expected,
                observed=reading.observed,
                because=because,
                kind="visible",
            )
    return "refused" if refused else None
