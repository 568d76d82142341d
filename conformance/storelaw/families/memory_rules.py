"""The rules of a memory: write-once kinds, what is refused, and what counts as the same."""

from typing import Any, Final

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.families.memory_queries import memory, stored
from storelaw.families.memory_rows import ONE, B, link
from storelaw.model.turns import asked, held, is_refusal, moment, put_of, row_key, values
from storelaw.narrative import Words
from storelaw.program import Program, Step, ask, door, failing, opened, program, reopened
from storelaw.strategies.turns_rows import row
from storelaw.trace import Event, Trace
from storelaw.turned import scope_of
from storelaw.values import Entry, same

A: Final = row(ONE, "turn-000000-user", "a")
NOTES: Final = {"name": "note", "prefix": "note-"}
NOTE: Final = {**row(ONE, "note-1", "note"), "kind": "note"}
RAISED: Final = Words("it raised")
KEPT: Final = Words("the entry is still there")


def _gone(entry: Entry) -> Step:
    return ask("M", "delete", entry["scope"], entry["kind"], entry["id"])


def _cleared(key: str) -> Step:
    return ask("M", "delete_scope", scope_of(key))


def _ids(event: Event) -> list[Any]:
    return [each.get("id") for each in held(event, ONE)]


def _appended(trace: Trace, event: Event) -> set[str]:
    """The ids of the turns that were accepted before an event."""
    before = asked(trace.upto(event.index), "memory", "put")
    return {put_of(each)["id"] for each in before if each.ok and put_of(each).get("kind") == "turn"}


@law(
    family="turn_memory",
    door="memory",
    operations=(),
    acts={"put"},
    source=["OA-L4"],
    battery=[memory(stored(A), _gone(A)), memory(stored(A), stored(B), _gone(A))],
)
def a_turn_is_never_deleted(trace: Trace) -> None:
    """The deletion of one entry of an append-only kind is refused, and the entry stays.

    A memory that lets it through leaves a hole in a log that others have signed or linked.
    """
    for event in asked(trace, "memory", "delete"):
        kind = (*values(event), None, None)[1]
        if kind == "turn" and not is_refusal(event):
            observed = RAISED if event.raised else Words("it was deleted")
            because = "an entry of an append-only kind is not deleted, whoever asks."
            broken(event, expected=Words("it is refused"), observed=observed, because=because)


@law(
    family="turn_memory",
    door="memory",
    operations=(),
    acts={"put", "delete_scope"},
    source=["OA-L4"],
    incidents=["F57"],
    battery=[
        memory(stored(A), _cleared(ONE)),
        memory(stored(A), stored(NOTE), _cleared(ONE), kinds=[NOTES]),
    ],
)
def deleting_a_scope_keeps_its_turns(trace: Trace) -> None:
    """The deletion of a scope takes its mutable entries away and keeps the append-only ones.

    A memory breaks it by handing the deletion on to its backend, which knows no kinds.
    """
    for event in asked(trace, "memory", "delete_scope"):
        missing = _appended(trace, event) - set(_ids(event))
        left = [each for each in _ids(event) if not str(each).startswith("turn-")]
        if event.ok and event.logs.get(ONE) is not None and (missing or left):
            because = "a scope's deletion is about its mutable entries, all of them and no more."
            wanted = sorted(_appended(trace, event))
            broken(event, expected=wanted, observed=_ids(event), because=because)


_BAD: Final = (
    {**A, "kind": "unheard-of"},
    {**A, "id": "x-1"},
    {**A, "links": [{**link("about", B), "id": "x-1"}]},
    {**A, "links": [{**link("about", B), "kind": "unheard-of"}]},
)


@law(
    family="turn_memory",
    door="memory",
    operations=(),
    source=["OA-L5"],
    battery=[memory(stored(each), stored(B)) for each in _BAD],
)
def an_entry_of_no_known_form_is_refused(trace: Trace) -> None:
    """An unregistered kind, an id without its kind's prefix, and links to such are refused.

    A memory that takes any id stores entries that no reader of the kind ever finds.
    """
    for event in asked(trace, "memory", "put"):
        if _is_unknown(put_of(event)) and not is_refusal(event):
            because = "a memory keeps entries of registered kinds, under ids of these kinds."
            observed = RAISED if event.raised else Words("it was accepted")
            broken(event, expected=Words("it is refused"), observed=observed, because=because)


_PREFIXES: Final = {"turn": "turn-", "note": "note-"}


def _is_unknown(entry: Entry) -> bool:
    pointed = [entry, *(entry.get("links") or ())] if entry else []
    return any(not each["id"].startswith(_PREFIXES.get(each["kind"], "\0")) for each in pointed)


@law(
    family="turn_memory",
    door="memory",
    operations=(),
    acts={"put"},
    source=["OA-L5"],
    battery=[
        memory(stored({**A, "links": [link("about", B)]})),
        memory(stored({**A, "id": "turn-x"})),
        memory(stored({**A, "content": {"odd": 1}})),
    ],
)
def an_entry_of_a_known_form_is_taken(trace: Trace) -> None:
    """Nothing but kind, prefix and links is checked of an entry's form when it is put.

    What a turn's content holds is for readers; a memory that checks it refuses the turns of
    newer writers.
    """
    for event in asked(trace, "memory", "put"):
        entry = put_of(event)
        if entry and not _is_unknown(entry) and event.error == "Rejected":
            because = "a kind, an id with its prefix and registered links are all that is checked."
            broken(event, expected=Words("it is accepted"), observed=RAISED, because=because)


# ------------------------------------------------------------------- write once


def _twice(first: Entry, second: Entry) -> Program:
    return memory(stored(first), stored(second))


_RICH: Final[Entry] = {
    **A,
    "tags": ["b", "a"],
    "links": [link("reply", B), link("about", B)],
    "content": {"content": [{"type": "chart", "x": 1, "y": 2}], "model": "m"},
}
_RESHAPED: Final = {
    "tags": ["a", "b"],
    "content": {"model": "m", "content": [{"y": 2, "x": 1.0, "type": "chart"}]},
    "links": _RICH["links"],
    "createdAt": "2026-01-01T01:00:00.000000400+01:00",
    **{name: A[name] for name in ("scope", "kind", "id")},
}


def _pairs(trace: Trace) -> list[tuple[Event, Entry, Entry]]:
    """Each put of a turn whose key holds one, with what it holds and what was put."""
    kept: dict[Any, Entry] = {}
    pairs: list[tuple[Event, Entry, Entry]] = []
    for event in asked(trace, "memory", "put"):
        entry = put_of(event)
        if entry.get("kind") != "turn":
            continue
        if row_key(entry) in kept:
            pairs.append((event, kept[row_key(entry)], entry))
        elif event.ok:
            kept[row_key(entry)] = entry
    return pairs


def is_same(one: Entry, other: Entry) -> bool:
    """Whether two entries under one key are the same write (OA-A10)."""
    numbers = frozenset({"numbers"})
    return (
        same(one.get("content"), other.get("content"), numbers)
        and moment(one) == moment(other)
        and set(one.get("tags") or ()) == set(other.get("tags") or ())
        and same(one.get("links") or [], other.get("links") or [], numbers)
    )


@law(
    family="turn_memory",
    door="memory",
    operations=(),
    acts={"put"},
    source=["OA-A10", "OA-A6"],
    incidents=["F26"],
    battery=[
        _twice(A, A),
        _twice(_RICH, _RESHAPED),
        _twice(A, {**A, "tags": [], "links": []}),
        memory(stored(A), reopened(), door("memory", "M", ONE), stored(A)),
    ],
)
def an_equivalent_put_changes_nothing(trace: Trace) -> None:
    """A put that equals what the key holds succeeds: objects without order, times to the microsecond.

    A memory that compares bytes works over a store that keeps them, and refuses every retry
    over one that doesn't.
    """
    for event, stored_entry, entry in _pairs(trace):
        if event.raised and is_same(stored_entry, entry):
            because = "an equivalent entry is the same write again, and no conflict."
            broken(event, expected=stored_entry, observed=RAISED, because=because)


@law(
    family="turn_memory",
    door="memory",
    operations=(),
    acts={"put"},
    source=["OA-A10"],
    battery=[_twice(A, {**A, "createdAt": "2026-01-01T00:00:00.0000009Z", "tags": []})],
)
def an_equivalent_put_gives_what_is_stored(trace: Trace) -> None:
    """The answer to an equivalent put is the stored entry, and not the caller's.

    A caller that goes on with its own copy has a time that nobody else will ever read.
    """
    for event, stored_entry, entry in _pairs(trace):
        raw = [each for each in held(event, ONE) if each.get("id") == entry["id"]]
        changed = bool(raw) and not trace.same(raw[0], event.value)
        if event.ok and changed and is_same(stored_entry, entry):
            because = "what is stored is the answer, whatever the retry looked like."
            broken(event, expected=raw[0], observed=event.value, because=because)


_OTHERS: Final = (
    {**A, "content": {"content": [{"type": "text", "text": "b"}], "mark": "a"}},
    {**A, "createdAt": "2026-01-01T00:00:00.000001Z"},
    {**A, "tags": ["new"]},
    {**A, "links": [link("about", B)]},
)
_ORDER: Final = {**_RICH, "links": _RICH["links"][::-1]}
_BIG: Final = {**A, "content": {"content": None, "n": 2**53 + 1}}


@law(
    family="turn_memory",
    door="memory",
    operations=(),
    acts={"put"},
    source=["OA-A10", "D-OA-9"],
    incidents=["F15", "F46"],
    battery=[
        *(_twice(A, each) for each in _OTHERS),
        _twice(_RICH, _ORDER),
        _twice(_BIG, {**A, "content": {"content": None, "n": 2**53}}),
    ],
)
def another_entry_under_a_written_id_is_a_conflict(trace: Trace) -> None:
    """Other content, another time, tag or link under an append-only id is a conflict.

    Here the time counts, from a microsecond on. Numbers compare exactly: a memory that puts
    them through 64-bit floats takes a changed entry for a retry, and drops it.
    """
    for event, stored_entry, entry in _pairs(trace):
        if not is_same(stored_entry, entry) and event.error != "EntryConflict":
            observed = RAISED if event.raised else Words("it was accepted")
            because = "an id of an append-only kind holds one entry, and another is a conflict."
            broken(event, expected=Words("a conflict"), observed=observed, because=because)


@law(
    family="turn_memory",
    door="memory",
    operations=(),
    acts={"put"},
    source=["OA-A10", "OA-N1"],
    incidents=["F24"],
    battery=[
        *(_twice(A, each) for each in _OTHERS),
        program(
            opened(1),
            door("memory", "M", ONE),
            door("memory", "N", ONE, on=1),
            stored(A),
            ask("N", "put", entries=(_OTHERS[0],), one=True),
        ),
    ],
)
def what_is_written_once_is_never_overwritten(trace: Trace) -> None:
    """After any put under a written id, by whichever writer, the store holds the first entry.

    A memory that writes before it looks has lost the first entry, conflict or not.
    """
    for event, stored_entry, entry in _pairs(trace):
        raw = [each for each in held(event, ONE) if each.get("id") == entry["id"]]
        if raw and not is_same(stored_entry, raw[0]):
            because = "the first entry under an append-only id stays as it is."
            broken(event, expected=stored_entry, observed=raw[0], because=because)


def _broken_read() -> Step:
    return failing("load", door="store")


@law(
    family="turn_memory",
    door="memory",
    operations=(),
    acts={"put"},
    source=["OA-A7", "OA-Q1"],
    powers={"fail_next"},
    incidents=["F20"],
    battery=[
        memory(stored(A), _broken_read(), stored(_OTHERS[0])),
        memory(stored(A), _broken_read(), stored(B)),
    ],
)
def a_failed_look_up_is_no_refusal(trace: Trace) -> None:
    """A put whose look-up fails is a failure to be retried: no refusal, and nothing is written.

    A memory that takes a failed look-up for an empty answer overwrites what it could not see;
    one that calls it a conflict or a bad entry makes the caller give up.
    """
    armed = False
    for event in trace.events:
        if event.step.do == "fail_next" and event["point"] == "load":
            armed = event.ok
        elif armed and event.step.do == "ask" and event.step.name == "put":
            armed = False
            _judge_failed_put(trace, event)


def _judge_failed_put(trace: Trace, event: Event) -> None:
    because = "a look-up that fails stops the write, and says that it failed."
    if event.logs.get(ONE) is None:
        return
    if is_refusal(event):
        broken(event, expected=Words("a failure"), observed=Words("a refusal"), because=because)
    raw = {each.get("id"): each for each in held(event, ONE)}
    stored_before = {put_of(e)["id"]: put_of(e) for e in _puts_before(trace, event)}
    changed = [n for n in raw if n not in stored_before or not is_same(stored_before[n], raw[n])]
    if changed:
        broken(
            event,
            expected=list(stored_before.values()),
            observed=list(raw.values()),
            because=because,
        )


def _puts_before(trace: Trace, event: Event) -> list[Event]:
    before = asked(trace.upto(event.index), "memory", "put")
    return [each for each in before if each.ok and put_of(each)]


@law(
    family="turn_memory",
    door="memory",
    operations=(),
    acts={"put"},
    source=["D-OA-8"],
    battery=[memory(stored({**A, "createdAt": "0001-01-01T00:00:00Z"}), stored(B))],
)
def a_zero_time_never_becomes_another(trace: Trace) -> str | None:
    """An entry with the zero time is refused, gets a time, or comes back with that very time.

    A store that counts nanoseconds in 64 bits gives back the year 1754, and takes the retry
    for a conflict.
    """
    note = None
    for event in asked(trace, "memory", "put"):
        entry = put_of(event)
        if not str(entry.get("createdAt")).startswith("0001-"):
            continue
        note = "saw a zero time refused" if event.raised else note
        raw = [each for each in held(event, ONE) if each.get("id") == entry["id"]]
        if event.ok and raw and not (moment(raw[0]) == moment(entry) or moment(raw[0]).year > 1970):
            because = "a zero time is refused or replaced by a real one, or it comes back."
            broken(event, expected=entry, observed=raw[0], because=because)
    return note
