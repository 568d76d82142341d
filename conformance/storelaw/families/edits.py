"""One entry popped or deleted, or all of them replaced: the rest stays as it was."""

from collections.abc import Iterable, Iterator
from typing import Any

from storelaw.clauses import all_of, law
from storelaw.failures import broken
from storelaw.families.removal import resembles
from storelaw.judging import certain, judge_order, matches
from storelaw.manifest import Manifest
from storelaw.model.lives import Lives, judge_undisturbed, observed
from storelaw.model.logs import Logs
from storelaw.model.retries import caller_ids, entries_in, roomy
from storelaw.narrative import Words
from storelaw.program import Key, Program, append, call, load, program
from storelaw.samples import said
from storelaw.trace import Event, Trace
from storelaw.values import Entry

A, B, C, D, E = (said(each) for each in ("1", "2", "3", "4", "5"))


@law(
    family="lifecycle",
    source=["kit-pop"],
    incidents=["F10"],
    operations=["append", "load", "pop"],
    battery=[
        program(append("s", A, B, C), load("s"), call("pop", "s"), load("s")),
        program(
            append("s", A), append("s", B), load("s"), call("pop", "s"), call("pop", "s"), load("s")
        ),
    ],
)
def pop_takes_the_newest_entry_and_returns_it(trace: Trace) -> None:
    """A pop returns the entry that was appended last.

    A store breaks it by removing a row before it can read it, or by taking the oldest.
    """
    logs = Logs()
    for event in trace.events:
        log = logs.log(event.step.session)
        newest = log.entries[-1] if log.certain and log.entries else None
        popped = event.step.do == "pop" and event.ok and newest is not None
        if popped and not resembles(trace, event.value, newest or {}):
            broken(
                event,
                expected=newest,
                observed=event.value,
                because="a pop returns the newest entry.",
            )
        logs.feed(event)


@law(
    family="lifecycle",
    source=["kit-pop"],
    incidents=["F08", "F10"],
    operations=["append", "load", "pop"],
    creates=True,
    battery=[
        program(
            call("create", "s"),
            append("s", A),
            load("s"),
            call("pop", "s"),
            call("pop", "s"),
            call("pop", "s"),
        ),
        program(call("create", "a"), append("a", A), load("a"), call("pop", "a"), call("pop", "s")),
    ],
)
def pop_on_an_empty_session_gives_nothing(trace: Trace) -> None:
    """A pop of a session without entries gives None, as often as it is asked.

    A store breaks it by an error of its engine, or of the list that it pops from.
    """
    logs = Logs()
    for event in trace.events:
        log = logs.log(event.step.session)
        asked = event.step.do == "pop" and event.outcome != "skipped"
        if asked and log.certain and not log.entries and (event.raised or event.value is not None):
            broken(
                event,
                expected=None,
                observed=observed(event),
                because="there is nothing to pop in a session without entries.",
            )
        logs.feed(event)


@law(
    family="lifecycle",
    source=["kit-pop"],
    incidents=["F02", "F58"],
    operations=["append", "load", "pop"],
    applies=roomy,
    battery=[
        program(
            *(append("s", each) for each in (A, B)),
            call("pop", "s"),
            *(append("s", each) for each in (C, D)),
            load("s"),
        ),
        program(append("s", A), call("pop", "s"), append("s", B), append("s", C), load("s")),
    ],
)
def an_append_after_a_pop_follows_what_is_left(trace: Trace) -> None:
    """What is appended after a pop stands behind what the pop left, and the popped stays away.

    A store breaks it by a counter that gives the freed place twice, or by a mark that an
    append takes away.
    """
    popped: dict[Key, list[Any]] = {}
    for event in trace.of("pop", "load", "append"):
        mine = popped.setdefault(event.step.session, [])
        if event.step.do == "pop" and event.ok:
            mine.append(event.value)
        elif event.step.do == "append":
            mine[:] = [each for each in mine if not _among(trace, each, event.passed)]
        elif event.ok:
            back = [each for each in entries_in(event) if _among(trace, each, mine)]
            if back:
                broken(
                    event,
                    expected=Words("none of what was popped"),
                    observed=back,
                    because="what was popped stays away.",
                )
    if any(event.ok for event in trace.of("pop")):
        judge_order(trace, "an append after a pop stands behind what is left.")


def _among(trace: Trace, entry: object, entries: Iterable[object]) -> bool:
    return any(trace.same(entry, each) for each in entries)


# ------------------------------------------------------- replace, delete_entry


@law(
    family="lifecycle",
    source=["kit-replace"],
    incidents=["F14"],
    operations=["append", "load", "replace"],
    applies=roomy,
    battery=[
        program(append("s", A, B, C), call("replace", "s", D, E), load("s")),
        program(append("s", A), call("replace", "s", B, C, D), append("s", E), load("s")),
        program(append("s", A, B), call("replace", "s"), load("s")),
    ],
)
def a_replace_leaves_exactly_the_new_entries(trace: Trace) -> None:
    """After a replace none of the old entries is there.

    A store breaks it by writing the new rows over the first of the old ones, or by merging
    the two by id.
    """
    replaced: dict[Key, list[Entry]] = {}
    logs = Logs()
    for event in trace.events:
        session = event.step.session
        if event.step.do == "replace" and event.ok:
            old = [*replaced.get(session, ()), *logs.log(session).entries]
            replaced[session] = [e for e in old if not _among(trace, e, event.passed)]
        elif event.step.do == "append" and session in replaced:
            mine = replaced[session]
            replaced[session] = [e for e in mine if not _among(trace, e, event.passed)]
        elif event.step.do == "load" and event.ok and session in replaced:
            left = [
                each
                for each in entries_in(event)
                if any(resembles(trace, each, old) for old in replaced[session])
            ]
            if left:
                broken(
                    event,
                    expected=logs.log(session).entries,
                    observed=event.value,
                    because="a replace leaves none of the old entries.",
                )
        logs.feed(event)


@law(
    family="lifecycle",
    source=["kit-replace"],
    incidents=["F07", "F20"],
    operations=["append", "load", "replace"],
    applies=roomy,
    battery=[
        program(append("s", A), call("replace", "s", B, C, D), append("s", E), load("s")),
        program(append("s", A, B), call("replace", "s", C, D), append("s", E), load("s")),
    ],
)
def a_replace_stores_all_of_the_new_entries(trace: Trace) -> None:
    """After a replace all of the new entries are there.

    A store breaks it by cutting the new list to the length of the old one.
    """
    if not any(event.ok for event in trace.of("replace")):
        return
    for reading in certain(trace):
        new = next((e.passed for e in trace.of("replace") if e.ok), ())
        pairs = zip(reading.expected, matches(trace, reading), strict=True)
        if any(match.place is None and expected in new for expected, match in pairs):
            broken(
                reading.event,
                expected=reading.expected,
                observed=reading.observed,
                because="a replace stores all of the new entries.",
            )


@law(
    family="lifecycle",
    source=["kit-replace"],
    operations=["append", "load", "replace"],
    creates=True,
    battery=[
        program(
            call("create", "a"),
            append("a", A),
            load("a"),
            call("replace", "a", B),
            append("s", A),
            call("replace", "t", B),
        )
    ],
)
def a_replace_of_an_unknown_session_is_answered_as_an_append(trace: Trace) -> None:
    """A replace creates a session where an append does, and raises where an append raises.

    A store breaks it by an update that silently matches no row.
    """
    answers: dict[str, tuple[bool, str | None]] = {}
    lives = Lives()
    for event in trace.events:
        asked = event.step.do in ("append", "replace") and event.outcome != "skipped"
        if asked and event.passed and lives.unknown(event.step.session):
            answers[event.step.do] = (event.ok, event.error)
            if (
                event.step.do == "replace"
                and answers.get("append", answers["replace"]) != answers["replace"]
            ):
                broken(
                    event,
                    expected=_ended(answers["append"]),
                    observed=_ended(answers["replace"]),
                    because="a replace of an unknown session is answered as an append.",
                )
        lives.feed(event)


def _ended(answered: tuple[bool, str | None]) -> Words:
    return Words("it passed" if answered[0] else f"it raised ({answered[1]})")


def _which(manifest: Manifest) -> str | None:
    return caller_ids(manifest) if manifest.contract.delete_by != "index" else None


def _taken(manifest: Manifest) -> Iterator[Program]:
    log = (A, B, C, D)
    by_index = manifest.contract.delete_by == "index"
    for place, each in enumerate(log):
        which = place if by_index else each["id"]
        yield program(
            *(append("s", one) for one in log), call("delete_entry", "s", which=which), load("s")
        )
    which = 0 if by_index else A["id"]
    yield program(append("s", A), call("delete_entry", "s", which=which), load("s"))


@law(
    family="lifecycle",
    source=["kit-delete-entry"],
    incidents=["F07"],
    operations=["append", "load", "delete_entry"],
    applies=all_of(roomy, _which),
    battery=_taken,
)
def delete_entry_takes_exactly_one(trace: Trace) -> None:
    """Of a log the named entry goes, first, middle, last or only, and the rest keeps its order.

    A store breaks it by swapping the last entry into the gap, or by cutting the log there.
    """
    deleted: set[Key] = set()
    for event in trace.of("delete_entry"):
        deleted.add(event.step.session)
    for reading in certain(trace):
        if reading.event.step.session in deleted:
            found = list(matches(trace, reading))
            places = [each.place for each in found if each.place is not None]
            missing = any(each.place is None for each in found[:-1])
            if missing or places != sorted(places) or len(reading.observed) > len(found):
                broken(
                    reading.event,
                    expected=reading.expected,
                    observed=reading.observed,
                    because="one entry goes, and the rest keeps its order.",
                )


def _strange(manifest: Manifest) -> Iterator[Program]:
    by_index = manifest.contract.delete_by == "index"
    yield program(
        append("s", A, B, C),
        load("s"),
        call("delete_entry", "s", which=7 if by_index else "never"),
        load("s"),
        call("delete_entry", "s", which=0 if by_index else A["id"]),
    )


@law(
    family="lifecycle",
    source=["kit-delete-entry"],
    incidents=["F08"],
    operations=["append", "load", "delete_entry"],
    applies=all_of(roomy, _which),
    battery=_strange,
)
def deleting_an_unknown_entry_changes_nothing(trace: Trace) -> None:
    """A delete_entry that names no entry leaves the log as it was, whether it raises or not.

    A store breaks it by a search that ends at -1, which is also the index of the last entry.
    """
    lengths = {e.step.session: len(e.value or []) for e in trace.of("load") if e.ok}
    ids = {each.get("id") for e in trace.of("append") for each in e.passed}

    def names_none(event: Event) -> bool:
        which = event["which"]
        beyond = isinstance(which, int) and which >= lengths.get(event.step.session, 0)
        return (
            event.step.do == "delete_entry"
            and (beyond or which not in ids)
            and (beyond or not isinstance(which, int))
        )

    judge_undisturbed(trace, names_none, "a delete that names no entry changes nothing.")
