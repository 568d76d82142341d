"""Read order is append order, whatever the clock and the ids say."""

from typing import Any, Final

from storelaw.aspects import is_list
from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.judging import certain, judge_order
from storelaw.manifest import Manifest
from storelaw.model.logs import Logs, Reading
from storelaw.program import Many, Program, Step, append, call, load, program
from storelaw.samples import said
from storelaw.strategies.logs import histories, without_id, written
from storelaw.trace import Trace
from storelaw.values import Entry, is_object


def timed(*ids: str) -> list[Entry]:
    """Entries with these ids, each a second later than the one before."""
    return [
        said(
            each, f"entry {each[:16]}", created=f"2026-01-01T00:{index // 60:02d}:{index % 60:02d}Z"
        )
        for index, each in enumerate(ids)
    ]


def _single(*entries: Entry) -> list[Step]:
    return [append("s", each) for each in entries]


@law(
    family="order",
    source=["PI-A1"],
    incidents=["F02"],
    battery=[program(*_single(*timed("1", "0")), load("s"))],
    programs=histories,
    weight=3,
)
def entries_load_in_append_order(trace: Trace) -> None:
    """Entries come back in the order they were appended, whatever their ids say.

    A store breaks it by leaving the order to the engine, which then follows the primary key.
    """
    judge_order(trace, "entries come back in the order they were appended, whatever their ids say.")


def _batch(manifest: Manifest) -> list[Program]:
    return [program(*written(manifest, "s", *timed("b0", "b1", "b2", "b3")), load("s"))]


@law(family="order", source=["PI-A1"], incidents=["F01", "F03"], battery=_batch)
def a_batch_loads_in_its_own_order(trace: Trace) -> None:
    """The entries of one append come back in the order of the list.

    They share a time stamp and often a statement, so nothing but the store's own number
    keeps them apart; some writers push a batch in reverse.
    """
    judge_order(trace, "the entries of one append come back in the order of the list.")


def _same_time(manifest: Manifest) -> list[Program]:
    ids = ("d4", "a1", "c3", "b2")
    entries = [said(each, f"entry {each}") for each in ids]
    return [program(*(append("s", each) for each in entries), load("s"))]


@law(family="order", source=["PI-A1"], incidents=["F01"], battery=_same_time)
def equal_time_stamps_leave_the_order_alone(trace: Trace) -> None:
    """Entries with one and the same time stamp come back in append order.

    Ordering by a stamp that many entries share leaves the rest to the next key, an id or
    nothing at all.
    """
    judge_order(trace, "entries with equal time stamps come back in append order.")


def _at(*stamps: str) -> Program:
    entries = [said(f"e{index}", created=each) for index, each in enumerate(stamps)]
    return program(*(append("s", each) for each in entries), load("s"))


@law(
    family="order",
    source=["PI-A1"],
    incidents=["F04", "F06"],
    battery=[
        _at("2026-01-01T00:00:00.040Z", "2026-01-01T00:00:00.000Z"),
        _at("2026-01-01T00:00:05Z", "2026-01-01T00:00:01Z", "2026-01-01T00:00:01Z"),
        _at("2026-03-29T02:59:59Z", "2026-03-29T01:00:00Z", "2025-01-01T00:00:00Z"),
    ],
)
def a_clock_that_steps_back_leaves_the_order_alone(trace: Trace) -> None:
    """An entry whose time stamp is earlier than those before it still comes after them.

    Clocks are set back, by milliseconds or by an hour; the order of a log is the order of
    its appends.
    """
    judge_order(trace, "an entry that was appended later comes later, whatever its time stamp.")


@law(
    family="order",
    source=["PI-A1"],
    incidents=["F04", "F47"],
    battery=[
        _at("2026-01-01T09:00:00+09:00", "2026-01-01T00:00:01Z", "2025-12-31T19:00:02-05:00"),
        _at("2026-01-01T00:00:00Z", "2026-01-01T00:00:00.5Z"),
    ],
)
def zones_and_digits_of_time_stamps_leave_the_order_alone(trace: Trace) -> None:
    """Time stamps in other zones, or with other digits, don't change the order.

    Compared as texts they are out of order, although each is later than the one before.
    """
    because = "entries come back in append order, whatever the zones of their time stamps."
    judge_order(trace, because)


def _untimed(id: str) -> Entry:
    return {name: each for name, each in said(id).items() if name != "created_at"}


@law(
    family="order",
    source=["PI-A1"],
    incidents=["F01"],
    battery=[
        program(*_single(said("a"), _untimed("b"), *timed("c", "d")[1:]), load("s")),
    ],
)
def entries_without_time_stamps_keep_their_place(trace: Trace) -> str | None:
    """An entry without a time stamp comes back between its neighbours.

    Engines sort a missing value before or after all others.
    """
    judge_order(trace, "an entry without a time stamp comes back where it was appended.")
    return "refused" if any(each.raised for each in trace.of("append")) else None


#: Ids in the shape of a clock's reading, each smaller than the one before.
_CLOCKED: Final = (
    ("019b76da-a801-7000-8000-000000000000", "019b76da-a800-7000-8000-000000000000"),
    ("01KDVDNA00ZZZZZZZZZZZZZZZZ", "01KDVDN9ZZ0000000000000000"),
    ("7fffffffffff0001", "0000000000000001"),
)


@law(
    family="order",
    source=["PI-A1", "PI-A4"],
    incidents=["F02", "F04"],
    battery=[program(*_single(*timed(*pair)), load("s")) for pair in _CLOCKED],
)
def ids_made_from_clocks_leave_the_order_alone(trace: Trace) -> None:
    """Ids that hold a time don't decide the order, not even when they run backwards.

    Two writers' clocks differ, and counters in an id wrap around.
    """
    judge_order(trace, "ids that look like times don't decide the order.")


def _more_than_ten(manifest: Manifest) -> list[Program]:
    dozen = _single(*timed(*(f"n{index:02d}" for index in range(12))))
    many = written(manifest, "s", Many(said("m"), 101))
    return [program(*dozen, load("s")), program(*many, load("s"))]


@law(family="order", source=["PI-A1"], incidents=["F02"], battery=_more_than_ten)
def the_tenth_entry_does_not_come_second(trace: Trace) -> None:
    """More than ten, and more than a hundred, entries come back in append order.

    Numbers in file names and keys sort as texts: 10 before 2, 100 before 11.
    """
    judge_order(trace, "the eleventh entry comes after the tenth: numbers don't sort as texts.")


def _read_again(manifest: Manifest) -> list[Program]:
    return [program(*_single(*timed("a", "b", "c")), load("s"), load("s"), load("s"))]


@law(family="order", source=["PI-A1", "PI-L5"], incidents=["F01", "F02"], battery=_read_again)
def reading_again_gives_the_same_order(trace: Trace) -> None:
    """Reads of a session that nobody wrote to give one and the same order.

    An order that is left open may differ from read to read, by plan, cache or replica.
    """
    last: dict[Any, Reading] = {}
    for reading in certain(trace):
        before = last.get(reading.event.step.session)
        last[reading.event.step.session] = reading
        if before is None or before.expected != reading.expected:
            continue
        if _ids(before.observed) != _ids(reading.observed):
            broken(
                reading.event,
                expected=before.observed,
                observed=reading.observed,
                because="two reads with no write between them give the same order.",
            )


def _ids(entries: list[Any]) -> list[Any]:
    named = [each.get("id") for each in entries if is_object(each)]
    return [each for each in named if isinstance(each, str)]


_A, _B, _C, _D, _E = timed("a", "b", "c", "d", "e")


@law(
    family="order",
    source=["PI-A1"],
    incidents=["F02"],
    operations=["append", "load", "delete"],
    battery=[
        program(
            append("gone", said("x")),
            append("s", _A),
            call("delete", "gone"),
            append("s", _B),
            append("other", said("y")),
            append("s", _C),
            load("s"),
        ),
    ],
)
def deletes_elsewhere_leave_the_order_alone(trace: Trace) -> None:
    """Deleting another session, and writing on, leaves the order of a session alone.

    Engines fill the room that a delete has freed, and a read without an order follows the
    rooms.
    """
    judge_order(trace, "entries come back in append order, whatever was deleted elsewhere.")


def _removed(manifest: Manifest) -> list[Program]:
    by_index = manifest.contract.delete_by == "index"
    removed = call("delete_entry", "s", which=1 if by_index else "b")
    return [program(*_single(_A, _B, _C), removed, append("s", _D), load("s"))]


@law(
    family="order",
    source=["PI-A1"],
    incidents=["F02", "F07"],
    operations=["append", "load", "delete_entry"],
    battery=_removed,
)
def a_removed_entry_leaves_no_place_to_fill(trace: Trace) -> None:
    """After an entry was taken out, the rest keeps its order and the next append comes last.

    A place that has become free is used for the next entry.
    """
    judge_order(trace, "what is appended after a removal comes last.")


def _in_turns(manifest: Manifest) -> list[Program]:
    steps = [
        *written(manifest, "s", _A, _B, _C),
        append("t", said("x")),
        *written(manifest, "s", _D, _E),
        append("t", said("y")),
    ]
    return [program(*steps, load("s"))]


@law(family="order", source=["PI-A1"], incidents=["F02", "F05"], battery=_in_turns)
def a_batch_stays_together_when_sessions_take_turns(trace: Trace) -> None:
    """Batches come back each in its place, though another session was written in between.

    Positions that are counted across sessions, or from what was written last, push the
    batches of a session into each other.
    """
    judge_order(trace, "each batch comes back in its place, whatever other sessions wrote.")


@law(
    family="order",
    source=["PI-A1", "kit-headers"],
    incidents=["F11"],
    operations=["append", "headers"],
    battery=[program(*_single(*timed("2", "1", "3")), call("headers", "s"))],
)
def headers_come_in_append_order(trace: Trace) -> None:
    """What the store keeps of each entry beside it comes in append order too.

    Headers read from another table, with an order of their own, belong to the wrong
    entries when a caller pairs them with the entries.
    """
    logs = Logs()
    for event in trace.events:
        logs.feed(event)
        log = logs.log(event.step.session)
        if event.step.do != "headers" or not is_list(event.value) or not log.certain:
            continue
        shown = _ids(event.value)
        known = [each for each in _ids(log.entries) if each in shown]
        if known != [each for each in shown if each in known]:
            broken(
                event,
                expected=known,
                observed=shown,
                because="headers come in the order in which their entries were appended.",
            )


_BARE: Final = [without_id(each) for each in timed("u0", "u1", "u2", "u3")]


@law(
    family="order",
    source=["PI-A1"],
    incidents=["F01", "F02"],
    battery=[program(*_single(*_BARE), load("s"))],
)
def entries_without_ids_load_in_append_order(trace: Trace) -> str | None:
    """Entries that have no id of their own come back in append order too.

    A random key in the place of the id gives them a random order.
    """
    judge_order(trace, "entries without ids come back in append order.")
    return "refused" if any(each.raised for each in trace.of("append")) else None
