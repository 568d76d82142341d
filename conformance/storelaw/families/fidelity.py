"""What is read equals what was accepted: entries as wholes, their parts, their repeats."""

from collections.abc import Iterator
from typing import Any, Final

from storelaw.aspects import (
    at,
    demanded,
    is_list,
    judge_accepted,
    judge_loads,
    judge_there,
    objects,
)
from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.judging import certain
from storelaw.manifest import Manifest
from storelaw.model.logs import Reading
from storelaw.program import Program, append, load, program
from storelaw.samples import CREATED, custom, message, said, text_block, tool_call
from storelaw.strategies.logs import each_holding, logs_of, repeats
from storelaw.strategies.values import entries
from storelaw.trace import Trace, payload
from storelaw.values import Entry, is_object


def _talk(id: str, *content: str | Entry) -> Entry:
    return {**said(id), "message": message("user", *content)}


def _anything(entry: Entry) -> bool:
    return True


def _older(trace: Trace) -> Iterator[tuple[Reading, list[Entry]]]:
    """Certain readings with what they must show, where nothing is retired."""
    if trace.manifest.keep is None:
        for reading in certain(trace):
            yield reading, reading.expected


# ------------------------------------------------------------------ whole entries


@law(
    family="fidelity",
    source=["PI-A1", "PI-L4"],
    incidents=["F20", "F22"],
    battery=[
        program(append("s", said("a")), append("s", said("b")), load("s")),
        program(append("s", said("a"), said("b"), said("c")), load("s")),
    ],
)
def every_accepted_entry_comes_back(trace: Trace) -> None:
    """Every entry that the store accepted is there when its session is read.

    The plainest promise: a read that is off by one, or a second write that goes nowhere
    while its caller is told that all is well, breaks it.
    """
    because = "every entry whose append was acknowledged comes back."
    judge_there(trace, _anything, because)


@law(
    family="fidelity",
    source=["kit-values"],
    incidents=["F44", "F45"],
    battery=each_holding(
        _talk("a", tool_call("c1", arguments={"query": {"text": "x"}, "tags": ["y"]})),
        custom("b", data={"in": {"side": ["x", {"of": "it"}]}}),
    ),
    programs=lambda manifest: logs_of(entries(manifest), manifest),
    weight=4,
)
def entries_load_equal_to_what_was_appended(trace: Trace) -> None:
    """An entry that was accepted comes back equal, in value and type, at every level.

    A store breaks it by keeping an inner object as its text, by a schema of its own that
    entries are poured into, or by a type that its engine doesn't have.
    """
    because = "an entry comes back equal to what was appended, at every level."
    judge_accepted(trace, _anything, because)
    judge_loads(trace, _anything, because)
    for reading, match in demanded(trace):
        if match.place is not None and not trace.same(match.expected, match.observed):
            broken(
                reading.event,
                expected=match.expected,
                observed=match.observed,
                because=because,
                kind="changed",
            )


_TYPES: Final = ("message", "compaction", "custom")


def _is_foreign(entry: Entry) -> bool:
    return "type" in entry and entry["type"] not in _TYPES


@law(
    family="fidelity",
    source=["kit-entries"],
    incidents=["F17", "F49"],
    battery=each_holding(
        {**said("a"), "type": "checkpoint"},
        {**custom("b", data={"x": "y"}), "type": "message/v2"},
    ),
)
def entries_of_unknown_types_are_kept(trace: Trace) -> None:
    """An entry of a type that the store has never heard of comes back like any other.

    Entries are opaque to a store; one that sorts out what it can't decode loses what a
    newer version wrote, or fails the whole session.
    """
    because = "an entry comes back whatever its type; entries are opaque to a store."
    judge_accepted(trace, _is_foreign, because)
    judge_there(trace, _is_foreign, because)


# ------------------------------------------------------------------ lists, repeats


@law(
    family="fidelity",
    source=["kit-values"],
    incidents=["F07"],
    battery=each_holding(
        _talk("a", tool_call("c1"), "one", tool_call("c0"), "zero"),
        custom("b", data={"list": ["b", "a", "c", "a"]}),
    ),
)
def parts_of_an_entry_keep_their_order(trace: Trace) -> None:
    """The blocks of a message, and the items of any list, come back in their order.

    A rewrite that collects the texts first, or rows of parts without a position, reorders
    them.
    """
    for reading, match in demanded(trace):
        for path, _ in objects(match.expected):
            for name, items in at(match.expected, path).items():
                if _reordered(trace, items, at(match.observed, (*path, name))):
                    broken(
                        reading.event,
                        expected=match.expected,
                        observed=match.observed,
                        because="the parts of an entry come back in their order.",
                    )


def _reordered(trace: Trace, items: Any, found: Any) -> bool:
    if not is_list(items) or not is_list(found) or len(items) != len(found):
        return False
    pool = list(found)
    for each in items:
        place = next((i for i, one in enumerate(pool) if trace.same(each, one)), None)
        if place is None:
            return False
        del pool[place]
    return not trace.same(items, found)


def judge_repeats(trace: Trace, because: str) -> None:
    """Entries with ids and equal payloads come back as often as they were accepted."""
    for reading, expected in _older(trace):
        mine = [payload(each) for each in expected if "id" in each]
        seen = [payload(each) for each in reading.observed if is_object(each)]
        for each in mine:
            wanted = sum(trace.same(each, one) for one in mine)
            found = sum(trace.same(each, one) for one in seen)
            if 0 < found < wanted:
                broken(
                    reading.event,
                    expected=reading.expected,
                    observed=reading.observed,
                    because=because,
                )


_YES: Final = said("yes-1", "yes")
_AGAIN: Final = said("yes-2", "yes")


@law(
    family="fidelity",
    source=["kit-entries"],
    incidents=["F16"],
    battery=[
        program(append("s", _YES), append("s", _AGAIN), append("s", said("end")), load("s")),
        program(append("s", _YES, _AGAIN), append("s", said("end")), load("s")),
    ],
    programs=repeats,
    weight=1,
)
def equal_entries_with_different_ids_are_all_kept(trace: Trace) -> None:
    """Two entries that differ in nothing but their ids are two entries.

    People say yes twice. A store that looks for an entry with the same role and text drops
    the second one.
    """
    because = "entries with different ids are different entries, also when the rest is equal."
    judge_repeats(trace, because)


# ------------------------------------------------------------------------ oddities


def _has_no_content(entry: Entry) -> bool:
    body = entry.get("message")
    return is_object(body) and not body.get("content")


@law(
    family="fidelity",
    source=["kit-values"],
    incidents=["F48"],
    battery=each_holding(
        _talk("a"),
        {**said("b"), "message": {"role": "assistant", "content": None}},
        _talk("c", text_block("")),
    ),
)
def entries_with_no_content_are_kept(trace: Trace) -> None:
    """A message with an empty content list, or with none, is an entry like any other.

    Stores that file the parts of a message and join them again find no row for it.
    """
    because = "a message without content comes back like any other entry."
    judge_accepted(trace, _has_no_content, because)
    judge_there(trace, _has_no_content, because)


def _is_headless(entry: Entry) -> bool:
    return not {"id", "type", "created_at"} <= entry.keys()


@law(
    family="fidelity",
    source=["kit-outcomes"],
    incidents=["F20"],
    battery=each_holding(
        {"id": "a", "type": "custom", "kind": "note", "data": "no time"},
        {"id": "b", "created_at": CREATED, "data": "no type"},
        {"type": "custom", "created_at": CREATED, "kind": "note", "data": "no id"},
        {"data": "nothing else"},
    ),
)
def an_acknowledged_entry_is_there_however_odd(trace: Trace) -> str | None:
    """An append that raises nothing has stored its entries, also odd ones.

    A store whose write fails on an entry without a time or a type, and which logs that and
    goes on, tells its caller that all is well.
    """
    for reading, expected in _older(trace):
        for each in expected:
            if _is_headless(each) and not any(_alike(trace, each, o) for o in reading.observed):
                broken(
                    reading.event,
                    expected=reading.expected,
                    observed=reading.observed,
                    because="an append that raises nothing has stored all its entries.",
                )
    refused = [e for e in trace.of("append") if e.raised and any(map(_is_headless, e.passed))]
    return "refused an entry without header" if refused else None


def _alike(trace: Trace, expected: Entry, observed: Any) -> bool:
    if not is_object(observed):
        return False
    minted = trace.manifest.contract.ids in ("minted", "number")
    named = minted or expected.get("id") in (None, observed.get("id"))
    return named and trace.same(_body(expected), _body(observed))


def _body(entry: Entry) -> Any:
    return {name: value for name, value in entry.items() if name in ("kind", "data")}


def _no_batches(manifest: Manifest) -> str | None:
    return "the store takes no batches" if manifest.batch == "one" else None


_MIXED: Final[tuple[Entry, ...]] = (
    {"more": "y", "data": {"n": "x"}},
    {"value": 1, "data": {"n": 1}},
    {"value": 0.5, "data": {"n": "0.5"}, "more": "z"},
    {"value": "text", "data": {"m": "x"}},
)


def _together_and_alone(manifest: Manifest) -> list[Program]:
    together = [custom(f"t{index}", **each) for index, each in enumerate(_MIXED)]
    alone = [custom(f"a{index}", **each) for index, each in enumerate(_MIXED)]
    single = [append("alone", each) for each in alone]
    return [program(append("s", *together), *single, load("alone"), load("s"))]


@law(
    family="fidelity",
    source=["kit-values"],
    incidents=["F45"],
    applies=_no_batches,
    battery=_together_and_alone,
)
def entries_of_one_batch_leave_each_other_alone(trace: Trace) -> None:
    """What an entry is read as doesn't depend on the batch that it came in.

    Writers of columns find one type, and one set of names, for a whole batch: integers
    become floats beside a float, and absent members become nulls.
    """
    read: list[tuple[Any, Any]] = []
    for reading, match in demanded(trace):
        if match.place is None or not is_object(match.observed):
            continue
        mine, seen = payload(match.expected), payload(match.observed)
        for appended, before in read:
            if trace.same(appended, mine) and not trace.same(before, seen):
                broken(
                    reading.event,
                    expected=before,
                    observed=seen,
                    because="an entry comes back as it is, whatever else was in its batch.",
                )
        read.append((mine, seen))
