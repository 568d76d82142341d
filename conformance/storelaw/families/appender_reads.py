"""Reading a transcript: order, what comes after, what can't be read, and the opening turn."""

from typing import Any, Final

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.families.appender_writes import (
    ONE,
    RAISED,
    U,
    added,
    anew,
    appender,
    read,
)
from storelaw.model.turns import (
    Transcript,
    asked,
    objects_in,
    payload,
    put_of,
    readings,
    slot,
    transcripts,
    turn_id,
    turns_in,
)
from storelaw.narrative import Words
from storelaw.program import Program, ask, door, program
from storelaw.strategies.turns_rows import row
from storelaw.trace import Event, Trace
from storelaw.turn_samples import answer, inbox, turn, user
from storelaw.values import Entry, is_array, is_object


def _timed(second: int, entry: Entry) -> Entry:
    return {**entry, "createdAt": f"2026-01-01T00:00:{second:02d}Z"}


_UNSORTED: Final = (
    _timed(0, user(10)),
    _timed(1, answer(2)),
    _timed(2, user(2)),
    _timed(3, user(0)),
)


def _slots(turns: list[Entry]) -> list[Any]:
    return [slot(each) for each in turns]


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"append", "read_all"},
    source=["OA-R1", "OA-A2"],
    incidents=["F02", "F04"],
    battery=[
        appender(*map(added, _UNSORTED), read()),
        appender(*map(added, _UNSORTED), *anew(), read()),
        appender(added(_timed(1, user(100_000))), added(_timed(0, user(99_999))), read()),
    ],
)
def turns_are_read_by_index_and_role(trace: Trace) -> None:
    """A reading gives the turns by index, then by role, whatever the order of their writing.

    Neither the times of the turns nor the order in which a store finds them is theirs.
    """
    for event, before in readings(trace):
        found = [each for each in _slots(turns_in(event)) if each in before.turns]
        if found != sorted(found):
            because = "turns are read by index and then role."
            broken(event, expected=before.ordered(), observed=turns_in(event), because=because)


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"append", "read_after"},
    source=["OA-R2"],
    incidents=["F08"],
    battery=[
        appender(added(U), added(answer(1)), added(user(2)), ask("A", "read_after", 1)),
        appender(added(U), added(answer(0)), added(user(1)), ask("A", "read_after", 0)),
        appender(added(U), added(answer(1)), ask("A", "read_after", -1), ask("A", "read_after", 9)),
    ],
)
def reading_after_an_index_is_strict(trace: Trace) -> None:
    """A reading after an index gives the turns with a greater index, and none of that index.

    One that includes the index shows a reader its last turn again.
    """
    for event, before in transcripts(trace):
        bound = (*(event["with"] or ()), None)[0]
        if event.step.name != "read_after" or not event.ok or not isinstance(bound, int):
            continue
        wanted = [each for each in before.ordered() if each["index"] > bound]
        if before.certain and not before.unsure and _slots(turns_in(event)) != _slots(wanted):
            because = "only turns behind the index are asked for."
            broken(event, expected=wanted, observed=turns_in(event), because=because)


# ------------------------------------------------------------------ raw entries


def _raw(*entries: Entry) -> Program:
    """A transcript of one turn beside raw entries of the turn kind."""
    puts = (ask("M", "put", entries=(each,), one=True) for each in entries)
    return program(
        door("memory", "M", ONE), door("appender", "A", ONE), *puts, added(answer(1)), read()
    )


def _entry(name: str, text: str = "raw", **more: Any) -> Entry:
    made = row(ONE, name, text)
    return {**made, "content": {"content": [{"type": "text", "text": text}]}, **more}


def _without_content(name: str) -> Entry:
    return {each: value for each, value in _entry(name).items() if each != "content"}


_UNREADABLE: Final = (
    _without_content("turn-x"),
    _without_content("turn-000000-user"),
    _entry("turn-000000-user", content={"content": "no blocks"}),
)


def _puts(trace: Trace, event: Event) -> list[Entry]:
    before = asked(trace.upto(event.index), "memory", "put")
    return [put_of(each) for each in before if each.ok and put_of(each)]


def _appended(trace: Trace, event: Event) -> list[Any]:
    before = (each for each, _ in transcripts(trace.upto(event.index)))
    return [slot(each.passed[0]) for each in before if each.ok and each.step.name == "append"]


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"append"},
    source=["OA-R3"],
    incidents=["F10", "F17"],
    battery=[_raw(each) for each in _UNREADABLE],
)
def an_unreadable_entry_hides_no_turn(trace: Trace) -> None:
    """An entry that doesn't decode is left out of a reading, and all others are given.

    Turns can't be deleted: a reading that fails on one bad row ends the session for good.
    """
    because = "an entry that can't be read is left out, and the rest is given."
    for event, _ in transcripts(trace):
        if event.step.name != "read_all" or not _puts(trace, event):
            continue
        wanted = _appended(trace, event)
        if event.raised:
            broken(event, expected=wanted, observed=RAISED, because=because)
        if not set(wanted) <= set(_slots(turns_in(event))):
            broken(event, expected=wanted, observed=turns_in(event), because=because)


def is_unreadable(entry: Entry) -> bool:
    """Whether an entry of the turn kind has a content that is no turn's."""
    content = entry.get("content")
    return not is_object(content) or not is_array(content.get("content") or [])


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"append", "read_all"},
    source=["OA-R3", "D-OA-3"],
    incidents=["F10", "F17"],
    battery=[
        _raw(_entry("turn-0-user"), each)
        for each in (*_UNREADABLE, _entry("turn-00-user"), _entry("turn-x"))
    ],
)
def what_a_reading_leaves_out_it_reports(trace: Trace) -> None:
    """The answer of a reading names each entry that it left out.

    A turn that is skipped in silence is gone, and nobody looks for it.
    """
    for event, _ in transcripts(trace):
        if event.step.name != "read_all" or not event.ok:
            continue
        shown = {turn_id(*each) for each in _slots(turns_in(event)) if isinstance(each[0], int)}
        told = {each.get("id") for each in objects_in(event.value, "skipped")}
        left_out = [
            each["id"]
            for each in _puts(trace, event)
            if each["kind"] == "turn" and (is_unreadable(each) or not _is_shown(each["id"], shown))
        ]
        missing = [each for each in left_out if each not in told]
        if missing:
            because = "a reading names what it leaves out."
            observed = objects_in(event.value, "skipped")
            broken(event, expected=missing, observed=observed, because=because)


def _is_shown(name: str, shown: set[str]) -> bool:
    """Whether an id, or the padded spelling of an older one, is among those shown."""
    parts = name.split("-", 2)
    if len(parts) == 3 and parts[1].isdecimal() and str(int(parts[1])) == parts[1]:
        return turn_id(int(parts[1]), parts[2]) in shown
    return name in shown


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"read_all"},
    source=["D-OA-3"],
    incidents=["F43"],
    battery=[
        _raw(_entry("turn-000000-user"), _entry(each, "second"))
        for each in (
            "turn-x",
            "turn-0-user",
            "turn-00-user",
            "turn-+0-user",
            "turn-000000-user extra",
        )
    ],
)
def an_index_and_a_role_are_read_once(trace: Trace) -> None:
    """A reading never gives two turns of the same index and role, whatever ids are stored.

    A reader that takes `turn-00-user` for `turn-000000-user` lets two entries claim one turn,
    and which of them is first is chance.
    """
    for event, _ in transcripts(trace):
        if event.step.name in ("read_all", "read_after") and event.ok:
            found = _slots(turns_in(event))
            twice = sorted({each for each in found if found.count(each) > 1})
            if twice:
                because = "one turn has one id; another spelling is skipped and reported."
                expected = Words(f"one turn of {twice[0]}")
                broken(event, expected=expected, observed=turns_in(event), because=because)


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"read_all"},
    source=["OA-G1", "OA-A9"],
    incidents=["F49"],
    battery=[
        _raw(_entry("turn-x"), _entry("turn-0-user")),
        _raw(_entry("turn-000000-user", content={"content": None})),
        _raw(_entry("turn-12-assistant", content={"content": None, "newer": {"member": 1}})),
    ],
)
def an_older_entry_is_read(trace: Trace) -> None:
    """Unpadded ids, and content with fewer or more members than today's, are read.

    What is missing reads as empty. A strict decoder shuts out the turns of older writers, and
    of newer ones.
    """
    for event, _ in transcripts(trace):
        if event.step.name != "read_all" or not event.ok:
            continue
        found = {slot(each): each for each in turns_in(event)}
        for each in _puts(trace, event):
            place = _place(each["id"])
            if place is None or is_unreadable(each):
                continue
            wanted = payload(each["content"])
            if place not in found or set(payload(found[place])) != set(wanted):
                because = "an entry of an older writer is a turn, and what it lacks is empty."
                broken(event, expected=each, observed=turns_in(event), because=because)


def _place(name: str) -> Any:
    """The index and role of an id in either spelling, or ``None``."""
    parts = name.split("-", 2)
    if len(parts) < 3 or not parts[1].isascii() or not parts[1].isdecimal():
        return None
    index, role = int(parts[1]), parts[2]
    right = name in (turn_id(index, role), f"turn-{index}-{role}")
    return (index, role) if right and role and not role.split()[1:] else None


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"append", "read_all"},
    source=["OA-R5"],
    requirement="SHOULD",
    incidents=["F09"],
    battery=[appender(*(added(user(index, "w")) for index in range(12)), read())],
)
def a_transcript_is_read_whole(trace: Trace) -> None:
    """A reading gives every turn, however many there are, or raises.

    A reader that sends no limit gets the cap of its store, and takes the beginning of a long
    session for all of it.
    """
    for event, before in readings(trace):
        missing = set(before.turns) - set(_slots(turns_in(event)))
        if len(before.turns) > 3 and missing:
            expected = Words(f"{len(before.turns)} turns")
            observed = Words(f"{len(turns_in(event))} turns")
            because = "a transcript is read whole, or not at all."
            broken(event, expected=expected, observed=observed, because=because)


def _opening(*entries: Entry) -> Program:
    return appender(*map(added, entries), ask("A", "has_opening_turn"))


def _opens(before: Transcript) -> bool:
    return (0, "user") in before.turns


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"has_opening_turn"},
    source=["OA-L6"],
    battery=[
        _opening(),
        _opening(U),
        _opening(answer(1), user(2)),
        _opening(inbox(0, "hi")),
        _opening(turn(0, "assistant", "a"), U),
    ],
)
def the_opening_turn_is_the_users_at_index_0(trace: Trace) -> None:
    """A transcript has an opening turn just if it has a turn of index 0 and the role `user`.

    "Not empty" and "the first is a user's" are other questions.
    """
    for event, before in transcripts(trace):
        known = before.certain and not before.unsure
        if event.step.name == "has_opening_turn" and event.ok and known:
            wanted = _opens(before)
            if event.value is not wanted:
                because = "the opening turn is that of index 0 and role user."
                broken(event, expected=wanted, observed=event.value, because=because)
