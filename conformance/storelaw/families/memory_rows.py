"""The rows of a memory: put, get, delete, and scopes that don't meet."""

from typing import Any, Final

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.manifest import Manifest
from storelaw.model.turns import (
    asked,
    marks,
    put_of,
    reads,
    row_key,
    rows_in,
    scope,
    values,
)
from storelaw.narrative import Words
from storelaw.program import Program, Step, ask, door, meddle, program, reopened
from storelaw.strategies.turns_rows import row, scattered, values_of
from storelaw.trace import Trace
from storelaw.values import Entry, is_array

ONE: Final = "n/one"
TWO: Final = "n/two"


def put(entry: Entry) -> Step:
    """Put an entry through the backend door."""
    return ask("B", "put", entries=(entry,), one=True)


def get(entry: Entry) -> Step:
    """Get what lies under the key of an entry."""
    return ask("B", "get", entry["scope"], entry["kind"], entry["id"])


def gone(entry: Entry) -> Step:
    """Delete what lies under the key of an entry."""
    return ask("B", "delete", entry["scope"], entry["kind"], entry["id"])


def query(key: str, **filters: Any) -> Step:
    """Ask for the entries of a session."""
    return ask("B", "query", {"scope": scope(key), **filters})


def rows(*steps: Step) -> Program:
    """A program at the backend door."""
    return program(door("backend", "B", ONE), *steps)


def judge_rows(trace: Trace, because: str, *methods: str) -> None:
    """Each get or query gives the entries that were put and not deleted, whatever their order."""
    for event, wanted, _ in reads(trace, *methods):
        if event.raised and (wanted or event.step.name == "query"):
            broken(event, expected=wanted, observed=Words("it raised"), because=because)
        if event.ok and marks(wanted) != marks(rows_in(event)):
            broken(event, expected=wanted, observed=event.value, because=because)


A: Final = row(ONE, "turn-000000-user", "a")
B: Final = row(ONE, "turn-000001-assistant", "b")


@law(
    family="turn_memory",
    door="backend",
    operations=(),
    acts={"get"},
    source=["OA-L2"],
    battery=[rows(get(A)), rows(put(B), get(A)), rows(put(A), gone(A), get(A))],
)
def a_missing_entry_is_no_error(trace: Trace) -> None:
    """A get of an entry that isn't there gives nothing, and raises nothing.

    A backend breaks it by passing on its engine's "no rows" as a failure, and a caller that
    retries failures then never ends.
    """
    for event, wanted, _ in reads(trace, "get"):
        if not wanted and (event.raised or event.value is not None):
            observed = Words("it raised") if event.raised else event.value
            because = "an entry that isn't there is an answer, and no error."
            broken(event, expected=None, observed=observed, because=because)


@law(
    family="turn_memory",
    door="backend",
    operations=(),
    acts={"put", "get"},
    source=["OA-L3"],
    battery=[rows(put(A), put(row(ONE, "turn-000000-user", "other")), get(A))],
)
def the_last_put_of_a_key_wins(trace: Trace) -> None:
    """A second put under a key replaces the first; rules of write-once are for the memory above.

    A backend breaks it with an insert that ignores, or fails on, a key that is there.
    """
    because = "the last write under a key is what the key holds."
    for event in asked(trace, "backend", "put"):
        if event.raised and event.error == "EntryConflict":
            broken(event, expected=put_of(event), observed=Words("it raised"), because=because)
    for event, wanted, known in reads(trace, "get"):
        older = [mark for each in wanted for mark in marks(known.versions[row_key(each)][:-1])]
        observed = marks(rows_in(event))
        if observed != marks(wanted) and set(observed) & set(older):
            broken(event, expected=wanted[0], observed=event.value, because=because)


#: Scope ids that some engine or some key format takes for one another.
LOOKALIKES: Final = (
    ("n/one", "n/two"),
    ("n/s", "n/S"),
    ("n/s", "n/s2"),
    ("n/a_c", "n/abc"),
    ("n/a%", "n/abc"),
    ("n/s", "n/s "),
    ("n/caf\u00e9", "n/cafe\u0301"),
    ("n/a:turn", "n/a"),
    ("n/a/b", "n/a"),
    ("n-a/b", "n/a-b"),
)


def _apart(first: str, second: str) -> Program:
    a, b = row(first, A["id"], "a"), row(second, A["id"], "b")
    return rows(put(a), put(b), get(a), get(b), query(first), query(second))


@law(
    family="turn_memory",
    door="backend",
    operations=(),
    acts={"put", "get"},
    source=["OA-L2"],
    incidents=["F51", "F52", "F53", "F54"],
    battery=[_apart(*each) for each in LOOKALIKES],
    programs=lambda _: scattered(),
    weight=2,
)
def scopes_that_look_alike_hold_their_own_entries(trace: Trace) -> None:
    """An entry is found under its own scope only, however much another scope's id is like it.

    Keys that are joined with a sign that ids may hold, matched by pattern, folded in case or
    normalised let one session read and overwrite another's turns.
    """
    judge_rows(trace, "a scope holds its own entries, and no other's.", "get", "query")


@law(
    family="turn_memory",
    door="backend",
    operations=(),
    acts={"put", "delete", "get"},
    source=["OA-L2"],
    battery=[rows(put(A), put(B), gone(A), get(A), get(B)), rows(put(A), gone(A), gone(A))],
)
def deleting_twice_is_as_good_as_once(trace: Trace) -> None:
    """A deletion takes its entry out, and a second one of the same entry raises nothing.

    A backend breaks it by an error for no rows affected, so that a retried deletion fails.
    """
    because = "after a deletion the entry isn't there, and that is all a deletion has to bring."
    for event in asked(trace, "backend", "delete"):
        if event.raised:
            broken(event, expected=None, observed=Words("it raised"), because=because)
    judge_rows(trace, because, "get")


_NEAR: Final = tuple(row(each, A["id"], each) for each in ("n/one", "n/one2", "n/on", "m/one"))


def _cleared(entry: Entry) -> Step:
    return ask("B", "delete_scope", entry["scope"])


@law(
    family="turn_memory",
    door="backend",
    operations=(),
    acts={"put", "delete_scope", "get"},
    source=["OA-L2"],
    battery=[
        rows(*map(put, _NEAR), put(B), _cleared(A), *map(get, _NEAR), get(B)),
        rows(_cleared(A), _cleared(A), put(A), get(A)),
    ],
)
def deleting_a_scope_empties_it_and_no_other(trace: Trace) -> None:
    """A scope's deletion removes all its entries and none of another scope; an empty one is fine.

    A backend breaks it with a prefix match on the scope's id, or by deleting the turns alone.
    """
    because = "the deletion of a scope is about the entries of just this scope."
    for event in asked(trace, "backend", "delete_scope"):
        if event.raised:
            broken(event, expected=None, observed=Words("it raised"), because=because)
    judge_rows(trace, because, "get")


def _status(key: str) -> Step:
    return ask("B", "status", scope(key))


@law(
    family="turn_memory",
    door="backend",
    operations=(),
    acts={"status"},
    source=["OA-L1"],
    battery=[
        rows(_status(ONE)),
        rows(put(A), _status(ONE), _status(TWO)),
        rows(put(A), gone(A), _status(ONE)),
    ],
)
def a_scope_is_live_while_it_holds_an_entry(trace: Trace) -> None:
    """The status of a scope is `live` with entries and `unknown` without; nothing creates it.

    A backend breaks it by an error for a scope that nobody wrote to.
    """
    because = "a scope is there as soon as it holds an entry, and unknown while it doesn't."
    held: set[Any] = set()
    known: set[str] = set()
    certain = True
    for event in asked(trace, "backend", "put", "delete", "delete_scope", "status"):
        if event.step.name == "put" and event.ok and put_of(event):
            held.add(row_key(put_of(event)))
            known.add(put_of(event)["scope"]["id"])
        elif event.step.name == "delete" and event.ok:
            place, kind, name = (*values(event), None, None, None)[:3]
            held.discard((place["kind"], place["id"], kind, name) if place else None)
        elif event.step.name != "status":
            certain = False
        elif certain and values(event):
            live = any(key[1] == values(event)[0]["id"] for key in held)
            wanted = "live" if live else "unknown"
            if event.raised or event.value != wanted:
                observed = Words("it raised") if event.raised else event.value
                broken(event, expected=wanted, observed=observed, because=because)


@law(
    family="turn_memory",
    door="backend",
    operations=(),
    acts={"query"},
    source=["OA-L1"],
    battery=[rows(query(ONE)), rows(put(A), query(TWO))],
)
def a_scope_that_was_never_written_reads_as_empty(trace: Trace) -> None:
    """A query of a scope without entries gives an empty list, and raises nothing.

    A backend that wants scopes to be created first answers with not found.
    """
    because = "a scope needs no creating: without entries it is empty."
    for event, wanted, _ in reads(trace, "query"):
        if not wanted and (event.raised or event.value != []):
            observed = Words("it raised") if event.raised else event.value
            broken(event, expected=[], observed=observed, because=because)


def _kept(*entries: Entry) -> Program:
    return rows(*(step for each in entries for step in (put(each), get(each))))


def _fidelity(_: Manifest) -> list[Program]:
    plain = row(ONE, "turn-000000-user", "a")
    return [
        _kept({**plain, "tags": ["b", "a"]}),
        _kept({**plain, "links": [link("reply", B), link("about", A)]}),
        _kept({**plain, "createdAt": "2026-01-01T00:00:00.123456Z"}),
        _kept({**plain, "content": {"mark": "a", "n": 2**53 + 1, "deep": [{"z": None, "a": []}]}}),
        _kept({**plain, "content": {"mark": "a", "text": 'e\u0301 \u2028 \U0001f600 "q" \\'}}),
        _kept({**plain, "provenance": SIGNED}),
        rows(put(plain), reopened(), door("backend", "B", ONE), get(plain)),
    ]


def link(relation: str, target: Entry) -> Entry:
    """A link to an entry."""
    return {"relation": relation, **{name: target[name] for name in ("scope", "kind", "id")}}


SIGNED: Final = {
    "publisher": "session:n/one",
    "keyId": "0123456789abcdef0123456789abcdef",
    "seq": 2,
    "prevHash": "ab" * 32,
    "sig": "AAAA",
}


@law(
    family="turn_memory",
    door="backend",
    operations=(),
    acts={"put", "get"},
    source=["OA-A11"],
    incidents=["F44", "F45", "F46"],
    battery=_fidelity,
    programs=lambda _: values_of(),
    weight=3,
)
def an_entry_comes_back_as_it_was_put(trace: Trace) -> None:
    """Scope, kind, id, time, tags, links, content and signature of an entry come back equal.

    Tags are a set, links have an order, and a store may cut a time to the microseconds that
    it declares. A backend breaks it where it has no column for a member, or puts numbers
    through 64-bit floats.
    """
    because = "every member of an entry comes back as it was put."
    for event, wanted, _ in reads(trace, "get"):
        for each in wanted:
            if event.raised:
                broken(event, expected=each, observed=Words("it raised"), because=because)
            if rows_in(event) and not trace.same(_unordered(each), _unordered(rows_in(event)[0])):
                broken(event, expected=each, observed=event.value, because=because)


def _unordered(entry: Entry) -> Entry:
    """An entry whose tags are sorted, and whose empty members are absent."""
    shown = {name: each for name, each in entry.items() if name == "content" or each}
    tags = shown.get("tags")
    return {**shown, "tags": sorted(map(str, tags))} if is_array(tags) else shown


_TAGGED: Final = {**A, "tags": ["t"], "content": {"mark": "a", "list": ["x"]}}


@law(
    family="turn_memory",
    door="backend",
    operations=(),
    acts={"put", "get"},
    source=["D-OA-6"],
    incidents=["F50"],
    battery=[
        rows(put(_TAGGED), meddle("appended"), get(_TAGGED)),
        rows(put(_TAGGED), get(_TAGGED), meddle("loaded"), get(_TAGGED)),
        rows(put(_TAGGED), query(ONE), meddle("loaded"), get(_TAGGED)),
    ],
)
def what_a_caller_holds_is_a_copy(trace: Trace) -> None:
    """A caller who changes what it put, or what it was put_of, changes no stored entry.

    A backend that shares its objects lets a caller edit an entry that is written once.
    """
    for event, wanted, _ in reads(trace, "get", "query"):
        observed = rows_in(event)
        if any("meddled" in each for each in observed):
            because = "what a caller does to its own copy changes nothing that is stored."
            broken(event, expected=wanted, observed=event.value, because=because)


@law(
    family="turn_memory",
    door="backend",
    operations=(),
    acts={"get"},
    source=["D-OA-11"],
    incidents=["F41", "F42"],
    battery=[
        _kept({**A, "content": {"mark": "a", "text": "before\x00after"}}, B),
        _kept({**A, "content": {"mark": "a", "text": "lone \ud83d"}}, B),
        _kept({**A, "createdAt": "0001-01-01T00:00:00Z"}, B),
    ],
)
def what_is_hard_to_store_is_kept_or_refused(trace: Trace) -> str | None:
    """Text with U+0000 or a lone surrogate, and the zero time, come back equal or are refused.

    A store that takes them and gives back something else has changed a turn in silence, and
    a retry of the very same turn is then a conflict.
    """
    for event, wanted, _ in reads(trace, "get"):
        for each in wanted:
            if event.raised or not rows_in(event) or not trace.same(each, event.value):
                observed = Words("it raised") if event.raised else event.value
                because = "what a store accepts it gives back, and what it can't keep it refuses."
                broken(event, expected=each, observed=observed, because=because)
    refused = any(event.raised for event in asked(trace, "backend", "put"))
    return "saw a put refused" if refused else None
