"""Restarts: what a store showed before it was closed, it shows when it is opened anew."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.manifest import Manifest
from storelaw.model.acts import objects
from storelaw.model.chains import name_of
from storelaw.program import Key, append, load, program, reopened
from storelaw.samples import custom, said
from storelaw.trace import HEADER, Event, Trace
from storelaw.values import Entry

A, B, C, D = (said(each) for each in ("4", "2", "3", "1"))
LINKED: Final = (
    said("1", "root"),
    said("2", "child", parent="1", created="2026-01-01T00:00:00.123456789+05:45"),
    custom("3", title="odd", parent_id="2", colour={"deep": [1, None, ""]}),
    {**said("4", "last", parent="3"), "unknown": {"member": True}},
)
_READS: Final = frozenset({"load", "record", "headers", "list_sessions", "meddle"})


def _roomy(manifest: Manifest) -> str | None:
    """These programs hold a handful of entries; a shorter memory is no fault of a restart."""
    short = manifest.keep is not None and manifest.keep < 8
    return f"the store keeps {manifest.keep} {manifest.keep_unit} only" if short else None


@dataclass(frozen=True, slots=True)
class Restart:
    """A reading of a session behind a reopen, and the last reading before it.

    ``added`` are the entries that were appended in between, all behind the reopen.
    """

    event: Event
    before: list[Entry]
    after: list[Entry]
    added: tuple[Entry, ...]


@dataclass
class _Seen:
    """What the last reading of a session gave, and what happened since."""

    entries: list[Entry]
    reopened: bool = False
    added: list[Entry] = field(default_factory=list[Entry])


def restarts(trace: Trace) -> Iterator[Restart]:
    """Each reading behind a reopen whose session was read in peace before it."""
    seen: dict[Key, _Seen] = {}
    for event in trace.events:
        session, do = event.step.session, event.step.do
        if do == "reopen":
            for each in seen.values():
                each.reopened = True
        elif do == "load" and not event.step.args and event.outcome != "skipped":
            entries = _listed(event)
            known = seen.get(session)
            if known is not None and known.reopened:
                yield Restart(event, known.entries, entries, tuple(known.added))
            seen[session] = _Seen(entries)
        elif do == "append" and event.ok and session in seen and seen[session].reopened:
            seen[session].added.extend(event.passed)
        elif do not in _READS:
            seen.pop(session, None)


def _listed(event: Event) -> list[Entry]:
    return objects(event.value)


def _mark(entry: Entry) -> str:
    """By what an entry is recognised: its id, or all that it says."""
    return name_of(entry) or json.dumps(entry, sort_keys=True, default=str)


def _judge_kept(trace: Trace, because: str, *, added: bool = False) -> None:
    for each in restarts(trace):
        after = {_mark(one) for one in each.after}
        if bool(each.added) is added and any(_mark(one) not in after for one in each.before):
            broken(
                each.event,
                expected=[*each.before, *each.added],
                observed=each.after,
                because=because,
            )


def _judge_order(trace: Trace, because: str) -> None:
    for each in restarts(trace):
        after = list(dict.fromkeys(_mark(one) for one in each.after))
        wanted = [_mark(one) for one in each.before if _mark(one) in after]
        if not each.added and [one for one in after if one in wanted] != wanted:
            broken(each.event, expected=each.before, observed=each.after, because=because)


def _judge_members(trace: Trace, because: str, counts: Callable[[str], bool]) -> None:
    for each in restarts(trace):
        after = {_mark(one): one for one in each.after}
        for entry in each.before:
            twin = after.get(_mark(entry))
            wanted = {name: value for name, value in entry.items() if counts(name)}
            given = {name: value for name, value in (twin or {}).items() if counts(name)}
            if twin is not None and not trace.same(wanted, given):
                broken(each.event, expected=entry, observed=twin, because=because)


@law(
    family="resume",
    promises={"durable"},
    applies=_roomy,
    source=["PI-L8", "kit-durable"],
    incidents=["F20", "F21"],
    battery=[
        program(append("s", A), append("s", B, C), load("s"), reopened(), load("s")),
        program(append("s", A), load("s"), reopened(), load("s")),
    ],
)
def entries_survive_a_reopen(trace: Trace) -> None:
    """What a durable store showed before it was closed, it shows after it is opened again.

    A store breaks it by writing behind: the newest batch waits for the next one, or for a
    close that never flushes.
    """
    _judge_kept(trace, "what was there before the store was closed is there when it is reopened.")


@law(
    family="resume",
    promises={"durable"},
    applies=_roomy,
    source=["PI-L8", "kit-durable"],
    incidents=["F11", "F20"],
    battery=[
        program(
            append("s", A),
            append("t", B),
            load("s"),
            load("t"),
            reopened(),
            load("s"),
            load("t"),
        )
    ],
)
def all_sessions_survive_a_reopen(trace: Trace) -> None:
    """After a reopen every session is there, not only the one that was written last.

    A store breaks it by keeping an index of sessions that only a clean end, or only the last
    session, brings up to date.
    """
    _judge_kept(trace, "every session is there when the store is reopened.")


@law(
    family="resume",
    promises={"durable"},
    applies=_roomy,
    source=["PI-A1", "PI-L8"],
    incidents=["F01", "F02"],
    battery=[
        program(append("s", A), append("s", B, C), append("s", D), load("s"), reopened(), load("s"))
    ],
)
def the_order_survives_a_reopen(trace: Trace) -> None:
    """A reopen changes nothing about the order of a log.

    A store breaks it by reading its files in the order of their names.
    """
    _judge_order(trace, "a reopened store gives a log in the order that it had.")


@law(
    family="resume",
    promises={"durable"},
    applies=_roomy,
    source=["PI-R1", "PI-T1"],
    incidents=["F06", "F29"],
    battery=[program(append("s", *LINKED), load("s"), reopened(), load("s"))],
)
def links_and_times_survive_a_reopen(trace: Trace) -> None:
    """Id, parent and creation time of an entry are the same after a reopen.

    A store breaks it by numbering entries anew, or by stamping them when it reads them in:
    the first breaks every parent link.
    """
    because = "a reopened store gives an entry with the header that it had."
    _judge_members(trace, because, lambda name: name in HEADER)


@law(
    family="resume",
    promises={"durable"},
    applies=_roomy,
    source=["PI-R1", "PI-L8"],
    incidents=["F22", "F44"],
    battery=[program(append("s", *LINKED), load("s"), reopened(), load("s"))],
)
def all_members_survive_a_reopen(trace: Trace) -> None:
    """An entry that comes back after a reopen has all members that it had, unknown ones too.

    A store breaks it by keeping the caller's objects until it is closed, and its own fields
    afterwards.
    """
    because = "a reopened store gives an entry with all that it held."
    _judge_members(trace, because, lambda name: name not in HEADER)


@law(
    family="resume",
    promises={"durable"},
    applies=_roomy,
    source=["PI-L8", "PI-A2"],
    incidents=["F19", "F58"],
    battery=[
        program(append("s", A, B), load("s"), reopened(), append("s", C), load("s")),
        program(
            append("s", A),
            load("s"),
            reopened(),
            append("s", B),
            load("s"),
            reopened(),
            append("s", C),
            load("s"),
        ),
    ],
)
def an_append_after_a_reopen_keeps_what_was_there(trace: Trace) -> None:
    """The first append of a reopened store leaves the earlier entries in place.

    A store breaks it by opening its file for writing, and not for appending.
    """
    _judge_kept(trace, "an append after a reopen keeps what was there.", added=True)


@law(
    family="resume",
    promises={"durable"},
    applies=_roomy,
    source=["PI-A1", "PI-L8"],
    incidents=["F02", "F04"],
    battery=[
        program(
            append("s", said("1"), said("2")),
            load("s"),
            reopened(),
            append("s", said("3")),
            load("s"),
        )
    ],
)
def an_append_after_a_reopen_goes_to_the_end(trace: Trace) -> None:
    """What a reopened store appends comes after what was there.

    A store breaks it by counting from nought again in each life.
    """
    for each in restarts(trace):
        wanted = {_mark(one) for one in each.before}
        after = [_mark(one) for one in each.after]
        if each.added and wanted <= set(after) and set(after[: len(wanted)]) != wanted:
            broken(
                each.event,
                expected=[*each.before, *each.added],
                observed=each.after,
                because="an append after a reopen goes to the end of the log.",
            )


@law(
    family="resume",
    promises={"durable"},
    applies=_roomy,
    source=["PI-L8"],
    incidents=["F13", "F38", "F58"],
    battery=[
        program(append("s", A, B), load("s"), reopened(), load("s"), reopened(), load("s")),
        program(
            append("s", A),
            load("s"),
            reopened(),
            reopened(),
            reopened(),
            load("s"),
        ),
    ],
)
def a_reopen_adds_nothing(trace: Trace) -> None:
    """However often a store is reopened, a log has no more entries than before.

    A store breaks it by replaying its journal over what was written already.
    """
    for each in restarts(trace):
        if not each.added and len(each.after) > len(each.before):
            broken(
                each.event,
                expected=each.before,
                observed=each.after,
                because="a reopen adds nothing to a log.",
            )


@law(
    family="resume",
    source=["PI-L6", "kit-reading"],
    incidents=["F39"],
    battery=[
        program(append("s", *LINKED), load("s"), load("s"), load("s")),
        program(append("s", A, B), load("s"), load("t"), load("s")),
    ],
)
def reading_a_log_leaves_it_as_it_was(trace: Trace) -> None:
    """A second load gives what the first one gave.

    A store breaks it by tidying up on the way out: a load that rewrites a log in another
    version's form, or that gives the newest entry away.
    """
    seen: dict[Key, list[Entry]] = {}
    for event in trace.events:
        session, do = event.step.session, event.step.do
        if do == "load" and event.ok and not event.step.args:
            known = seen.setdefault(session, _listed(event))
            if not trace.same(known, _listed(event)):
                broken(
                    event,
                    expected=known,
                    observed=_listed(event),
                    because="reading a log changes nothing about it.",
                )
        elif do not in _READS:
            seen.clear()
