"""The queries of a memory: filters, order, limits, and what is said of a cut answer."""

from typing import Any, Final

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.families.memory_rows import ONE, A, judge_rows, put, query, rows
from storelaw.model.turns import asked, mark, moment, objects_in, put_of, query_of, reads, rows_in
from storelaw.narrative import Words
from storelaw.program import Program, Step, ask, door, program
from storelaw.strategies.turns_rows import row, searched
from storelaw.trace import Trace
from storelaw.turned import scope_of
from storelaw.values import Entry, is_object


def _at(name: str, time: str, **more: Any) -> Entry:
    return row(ONE, name, name[5:11], f"2026-01-01T{time}Z", **more)


FIRST: Final = _at("turn-000000-user", "00:00:00", tags=["a", "b"])
SECOND: Final = _at("turn-000001-assistant", "00:00:01", tags=["a"])
THIRD: Final = _at("turn-000002-user", "00:00:02")


def _asking(**filters: Any) -> Program:
    return rows(put(FIRST), put(SECOND), put(THIRD), query(ONE, **filters))


@law(
    family="turn_memory",
    door="backend",
    operations=(),
    acts={"put", "query"},
    source=["OA-L3", "OA-R4"],
    incidents=["F08"],
    battery=[
        _asking(kinds=["turn"]),
        _asking(kinds=["other"]),
        _asking(ids=["turn-000000-user", "turn-000002-user", "turn-x"]),
        _asking(tags=["a", "b"]),
        _asking(tags=["a"], ids=["turn-000001-assistant"]),
        _asking(since="2026-01-01T00:00:01Z"),
        _asking(until="2026-01-01T00:00:02Z"),
        _asking(since="2026-01-01T02:00:01+02:00", until="2026-01-01T00:00:01.5Z"),
    ],
    programs=lambda _: searched(),
    weight=3,
)
def a_query_gives_what_passes_all_its_filters(trace: Trace) -> None:
    """A query gives each entry that every filter lets through, and no other.

    Kinds and ids are alternatives, tags must all be there, `since` is inclusive and `until`
    exclusive, and times are instants. A backend breaks it at the edges.
    """
    judge_rows(trace, "a query gives just what passes all of its filters.", "query")


_ODD: Final = (
    _at("turn-000001-user", "00:00:00.5"),
    _at("turn-000000-user", "00:00:02"),
    _at("turn-000003-user", "00:00:00"),
    row(ONE, "turn-000002-user", "000002", "2026-01-01T01:00:01+01:00"),
)


def _ordered(**filters: Any) -> Program:
    return rows(*map(put, _ODD), query(ONE, **filters))


@law(
    family="turn_memory",
    door="backend",
    operations=(),
    acts={"put", "query"},
    source=["OA-R4"],
    incidents=["F02", "F03", "F47"],
    battery=[_ordered(order="oldest"), _ordered(order="newest")],
)
def a_query_keeps_the_order_it_was_asked_for(trace: Trace) -> None:
    """Oldest and newest first are orders of instants, whatever was put when.

    Times that are compared as text stand in the wrong order across zones and digits.
    """
    for event, _, _ in reads(trace, "query"):
        order = query_of(event).get("order")
        found = sorted(rows_in(event), key=moment, reverse=order == "newest")
        if event.ok and order and list(map(moment, found)) != list(map(moment, rows_in(event))):
            because = f"the answer is asked for {order} first, by instants."
            broken(event, expected=found, observed=event.value, because=because)


def _limited(limit: int, **filters: Any) -> Program:
    return rows(put(SECOND), put(FIRST), put(THIRD), query(ONE, limit=limit, **filters))


@law(
    family="turn_memory",
    door="backend",
    operations=(),
    acts={"put", "query"},
    source=["OA-R4"],
    incidents=["F03", "F08"],
    battery=[
        _limited(2, order="oldest"),
        _limited(2, order="newest"),
        _limited(1, order="oldest", ids=["turn-000002-user"]),
        _limited(5, order="oldest"),
    ],
)
def a_limit_keeps_the_front_of_the_order(trace: Trace) -> None:
    """A limit comes last: of what passes the filters, in order, it lets so many through.

    A backend breaks it by limiting before it filters or sorts, or at the wrong end.
    """
    for event, wanted, _ in reads(trace, "query"):
        asked_for = query_of(event)
        limit, order = asked_for.get("limit"), asked_for.get("order")
        if event.raised or limit is None or not order or len({*map(moment, wanted)}) < len(wanted):
            continue
        ordered = sorted(wanted, key=moment, reverse=order == "newest")[:limit]
        if set(map(mark, ordered)) != set(map(mark, rows_in(event))):
            because = "a limit lets the first so many of the ordered matches through."
            broken(event, expected=ordered, observed=event.value, because=because)


# ------------------------------------------------------------------ memory door


def _paged(limit: int | None, **filters: Any) -> Program:
    asking: Entry = {"scope": scope_of(ONE), **filters}
    if limit is not None:
        asking["limit"] = limit
    return memory(stored(FIRST), stored(SECOND), stored(THIRD), ask("M", "query", asking))


def memory(*steps: Step, **named: Any) -> Program:
    """A program at the memory door."""
    return program(door("memory", "M", ONE, **named), *steps)


def stored(entry: Entry) -> Step:
    """Put an entry through the memory door."""
    return ask("M", "put", entries=(entry,), one=True)


@law(
    family="turn_memory",
    door="memory",
    operations=(),
    acts={"put", "query"},
    source=["OA-R4"],
    incidents=["F08", "F09"],
    battery=[
        _paged(3),
        _paged(2),
        _paged(4),
        _paged(None),
        _paged(1, ids=["turn-000001-assistant"], order="oldest"),
    ],
)
def a_cut_answer_says_that_it_is_cut(trace: Trace) -> None:
    """An answer is truncated just if more entries matched than its limit let through.

    A memory that compares the number of rows with the limit calls a full answer cut; one
    that doesn't look says nothing of what it held back.
    """
    entries: dict[str, Entry] = {}
    for event in asked(trace, "memory", "put", "query"):
        if event.step.name == "put":
            if event.ok and put_of(event):
                entries[put_of(event)["id"]] = put_of(event)
            continue
        query = query_of(event)
        wanted = [each for each in entries.values() if _named(each, query)]
        limit = query.get("limit")
        cut = limit is not None and len(wanted) > limit
        if event.ok and _is_cut(event.value) != cut:
            count = len(wanted) if limit is None else min(limit, len(wanted))
            expected = Words(f"{count} of {len(wanted)} entries, {'' if cut else 'not '}truncated")
            because = "an answer is truncated just if more matched than it holds."
            broken(event, expected=expected, observed=event.value, because=because)


def _named(entry: Entry, query: Entry) -> bool:
    return not query.get("ids") or entry["id"] in query["ids"]


def _is_cut(answer: Any) -> Any:
    return answer.get("truncated") if is_object(answer) else None


_MANY: Final = tuple(
    row(
        ONE, f"turn-{index:06d}-user", str(index), f"2026-01-01T00:0{index // 60}:{index % 60:02d}Z"
    )
    for index in range(5)
)


@law(
    family="turn_memory",
    door="memory",
    operations=(),
    acts={"put", "query"},
    source=["OA-R5", "OA-R4"],
    requirement="SHOULD",
    incidents=["F09"],
    battery=[
        memory(*map(stored, _MANY), ask("M", "query", {"scope": scope_of(ONE)})),
    ],
)
def an_answer_without_a_limit_is_whole_or_says_so(trace: Trace) -> None:
    """A query without a limit gives every entry, or says that it is truncated.

    A memory breaks it by handing on what a capped backend gave, as if it were all.
    """
    names: set[str] = set()
    for event in asked(trace, "memory", "put", "query"):
        if event.step.name == "put":
            names |= {put_of(event)["id"]} if event.ok and put_of(event) else set()
        elif event.ok and set(query_of(event)) == {"scope"}:
            found = {each.get("id") for each in objects_in(event.value, "entries")}
            if names - found and not _is_cut(event.value):
                expected = Words(f"{len(names)} entries, or an answer that says it is truncated")
                because = "an answer that leaves entries out says so."
                broken(event, expected=expected, observed=event.value, because=because)


@law(
    family="turn_memory",
    door="memory",
    operations=(),
    acts={"query"},
    source=["OA-R4"],
    incidents=["F02"],
    battery=[
        memory(
            stored(SECOND),
            stored(THIRD),
            stored(FIRST),
            ask("M", "query", {"scope": A["scope"], "limit": 2}),
        )
    ],
)
def a_limit_without_an_order_gives_the_newest(trace: Trace) -> None:
    """A limited query without an order gives the newest entries, newest first.

    A memory that leaves the order to its engine gives any of them, and others the next time.
    """
    entries: list[Entry] = []
    for event in asked(trace, "memory", "put", "query"):
        if event.step.name == "put":
            entries += [put_of(event)] if event.ok and put_of(event) else []
            continue
        query = query_of(event)
        if event.ok and set(query) == {"scope", "limit"}:
            newest = sorted(entries, key=moment, reverse=True)[: query["limit"]]
            found = objects_in(event.value, "entries")
            if [each["id"] for each in newest] != [each.get("id") for each in found]:
                because = "a limit without an order lets the newest through, newest first."
                broken(event, expected=newest, observed=event.value, because=because)
