"""Copies of the beginning of a transcript, and what a replay leaves of it."""

from typing import Any, Final

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.families.appender_writes import ONE, added, appender
from storelaw.families.memory_rows import link
from storelaw.model.turns import (
    alike,
    asked,
    given,
    held,
    is_turn,
    objects_in,
    put_of,
    slot,
    told,
    transcripts,
)
from storelaw.narrative import Words
from storelaw.program import Program, Step, ask, door, program
from storelaw.strategies.turns_rows import row
from storelaw.trace import Event, Trace
from storelaw.turn_samples import answer, inbox, live, note, turn, use, user
from storelaw.turned import scope_of
from storelaw.values import Entry, is_object

TWO: Final = "n/two"
KINDS: Final = [
    {"name": "note", "prefix": "note-"},
    {"name": "local", "prefix": "local-", "copied": False},
]


def put(entry: Entry) -> Step:
    """Put an entry through the memory door."""
    return ask("M", "put", entries=(entry,), one=True)


def _copied(cut: int) -> Step:
    return ask("A", "copy_prefix", TWO, cut)


def _copying(*steps: Step) -> Program:
    """A program with a memory, a transcript, and the transcript that a copy becomes."""
    return program(
        door("memory", "M", ONE, kinds=KINDS),
        door("appender", "A", ONE, kinds=KINDS),
        door("appender", "C", TWO, kinds=KINDS),
        *steps,
    )


_TURNS: Final = tuple(user(index, f"w{index}") for index in range(4))
_APPENDED: Final = tuple(map(added, _TURNS))


def _entry(kind: str, name: str, *anchors: int, **more: Any) -> Entry:
    made = {**row(ONE, f"{kind}-{name}", name), "kind": kind}
    links = [link("about", row(ONE, f"turn-{each:06d}-user", "")) for each in anchors]
    return {**made, **({"links": links} if links else {}), **more}


#: Entries by the highest turn that they are about.
_NOTES: Final = (
    _entry("note", "1", 1),
    _entry("note", "3", 3),
    _entry("note", "13", 1, 3),
    _entry("note", "free"),
    _entry("local", "free"),
)


def _copies(trace: Trace) -> list[tuple[Event, int, list[Entry], list[Entry]]]:
    """Each copy into a fresh session: its cut, what it was made of, and what it became."""
    found: list[tuple[Event, int, list[Entry], list[Entry]]] = []
    before: list[Entry] = []
    for event in trace.of("ask"):
        cut = (*(event["with"] or ()), None, None)[1]
        if event.step.name == "copy_prefix" and event.ok and isinstance(cut, int):
            found.append((event, cut, before, held(event, TWO)))
        before = held(event, ONE)
    return found


def _index(entry: Entry) -> int:
    parts = str(entry.get("id")).split("-")
    return int(parts[1]) if len(parts) == 3 and parts[1].isdecimal() else -1


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"append", "copy_prefix"},
    source=["OA-F1"],
    incidents=["F33"],
    battery=[_copying(*_APPENDED, _copied(cut)) for cut in (0, 2, 9, -1)],
)
def a_copy_ends_at_its_cut(trace: Trace) -> None:
    """A copy of a prefix holds the turns up to and with the index of the cut, and no later one.

    A cut that is exclusive loses the turn that the user pointed at.
    """
    for event, cut, before, after in _copies(trace):
        wanted = sorted(e["id"] for e in before if e["kind"] == "turn" and _index(e) <= cut)
        found = sorted(each["id"] for each in after if each["kind"] == "turn")
        if wanted != found:
            because = "a copy holds the turns whose index is not beyond the cut."
            broken(event, expected=wanted, observed=found, because=because)


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"append", "copy_prefix", "put"},
    source=["OA-F1"],
    battery=[_copying(*_APPENDED, *map(put, _NOTES), _copied(2))],
)
def a_copy_takes_along_what_belongs_to_its_turns(trace: Trace) -> None:
    """A copy takes an entry whose links name turns if the last of these is within the cut.

    Entries without such links always come along, and kinds that stay behind never do.
    """
    for event, cut, before, after in _copies(trace):
        wanted = sorted(
            each["id"]
            for each in before
            if each["kind"] == "note" and all(_index(one) <= cut for one in each.get("links") or ())
        )
        found = sorted(each["id"] for each in after if each["kind"] != "turn")
        if wanted != found:
            because = "an entry comes along if the last turn that it is about does."
            broken(event, expected=wanted, observed=found, because=because)


_TAGGED: Final = {
    **row(ONE, "turn-000000-user", "tagged", "2024-05-06T07:08:09.123456Z"),
    "tags": ["a", "b"],
}


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"copy_prefix"},
    source=["OA-F1", "OA-F4", "D-OA-7"],
    incidents=["F33", "F44"],
    battery=[_copying(put(_TAGGED), _copied(0)), _copying(added(_TURNS[0]), _copied(1))],
)
def a_copy_keeps_ids_times_tags_and_content(trace: Trace) -> None:
    """Each copied entry has the id, kind, time, tags and content of the original.

    A copy that leaves the tags out can't be verified against what was signed.
    """
    names = ("id", "kind", "createdAt", "tags", "content")
    for event, _, before, after in _copies(trace):
        originals = {(each["kind"], each["id"]): each for each in before}
        for each in after:
            first = originals.get((each["kind"], each["id"]), each)
            wanted = {name: first.get(name) or None for name in names}
            found = {name: each.get(name) or None for name in names}
            if not trace.same(wanted, found):
                because = "a copy is the same entry in another scope."
                broken(event, expected=wanted, observed=found, because=because)


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"append", "copy_prefix"},
    source=["OA-F2"],
    incidents=["F13", "F26"],
    battery=[_copying(*_APPENDED[:2], _copied(1), _copied(1), _copied(1))],
)
def copying_again_changes_nothing(trace: Trace) -> None:
    """A copy that is made again, as after a crash, succeeds and leaves the same transcript.

    One that dates its entries anew meets its own first try as a conflict.
    """
    done: list[Entry] | None = None
    last: Any = None
    for event in trace.of("ask"):
        if event.step.name != "copy_prefix":
            done = None
            continue
        if done is not None and last == event["with"]:
            because = "a copy that is there already is a copy that succeeded."
            if event.raised:
                broken(event, expected=done, observed=Words("it raised"), because=because)
            if not trace.same(done, held(event, TWO)):
                broken(event, expected=done, observed=held(event, TWO), because=because)
        done, last = (held(event, TWO), event["with"]) if event.ok else (None, None)


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"append"},
    source=["OA-F3"],
    incidents=["F24"],
    battery=[_copying(added(_TURNS[0]), added(user(0, "the child's own"), "C"), _copied(1))],
)
def a_copy_overwrites_no_turn(trace: Trace) -> None:
    """A copy into a session that has written a turn of its own under an id leaves this turn alone.

    The copy has to come first: what it meets of another's is a conflict.
    """
    own: dict[Any, Entry] = {}
    for event, _ in transcripts(trace):
        mine = event.step.name == "append" and event.step.on == "C" and event.ok
        if mine and is_turn(given(event)):
            own.setdefault(slot(given(event)), given(event))
        elif event.step.name == "copy_prefix":
            for each in held(event, TWO):
                first = next((t for s, t in own.items() if each["id"] == _name(s)), None)
                content = each.get("content")
                if first and is_object(content) and not alike(first, content):
                    because = "a turn that a session wrote itself is not overwritten by a copy."
                    broken(event, expected=told(first), observed=each, because=because)


def _name(place: Any) -> str:
    return f"turn-{place[0]:06d}-{place[1]}"


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"append", "put"},
    source=["D-OA-7", "OA-R3"],
    incidents=["F17"],
    battery=[
        _copying(put({**row(ONE, name, "odd")}), *_APPENDED[:2], _copied(1))
        for name in ("turn-x", "turn-00-user")
    ],
)
def a_copy_skips_what_a_reader_skips(trace: Trace) -> None:
    """An entry whose id names no turn is left out of a copy and reported; the rest is copied.

    A copy with a parser of its own fails for ever on a row that every reader skips.
    """
    odd = {put_of(each).get("id") for each in asked(trace, "memory", "put") if each.ok}
    for event, _ in transcripts(trace):
        if event.step.name != "copy_prefix":
            continue
        malformed = odd & {"turn-x", "turn-00-user"}
        because = "what names no turn is skipped and reported, and the rest is copied."
        if malformed and event.raised:
            broken(event, expected=Words("a copy"), observed=Words("it raised"), because=because)
        told_of = {each.get("id") for each in objects_in(event.value, "skipped")}
        if not malformed <= told_of:
            broken(
                event, expected=sorted(map(str, malformed)), observed=event.value, because=because
            )


#: Who signs in every scope.
_OPERATOR: Final = "system:operator"


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"append", "copy_prefix", "audit"},
    source=["OA-F4", "D-OA-7"],
    requirement="SHOULD",
    battery=[
        program(
            door("appender", "A", ONE, signer=_OPERATOR),
            door("memory", "M", TWO, signer=_OPERATOR),
            *_APPENDED[:2],
            _copied(1),
            ask("M", "audit", scope_of(TWO)),
        )
    ],
)
def a_copy_of_signed_turns_verifies(trace: Trace) -> None:
    """Where turns are signed, a copy of them is signed for its own scope, and an audit finds nothing.

    A signature covers the scope: one that is copied along makes every turn of the copy a
    forgery.
    """
    copied = False
    for event in trace.of("ask"):
        if event.step.name == "copy_prefix":
            copied = event.ok
        elif copied and event.step.name == "audit" and event.ok and event.value != []:
            because = "the signature of a copied turn is good for the scope that it was copied to."
            broken(event, expected=[], observed=event.value, because=because)


# ----------------------------------------------------------------------- replay


def _replayed(*entries: Entry) -> Program:
    return appender(*map(added, entries), ask("A", "replay"), ask("A", "replay"))


_BROKEN_OFF: Final = (user(0), answer(1, "I look", use("search")))
_REFUSED: Final = (user(0), answer(1, "no", refused=True))


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"append", "replay"},
    source=["OA-S5", "OA-S3", "OA-S6"],
    incidents=["F39"],
    battery=[_replayed(*_BROKEN_OFF), _replayed(*_REFUSED), _replayed(user(0, {"type": "chart"}))],
)
def a_replay_stores_nothing(trace: Trace) -> None:
    """What a replay makes up for the model is never stored, and a second replay is equal.

    A repair that is written becomes history: the call that was still running gets its real
    answer beside the invented one.
    """
    because = "a replay is a reading: it leaves the transcript as it is."
    previous: Event | None = None
    for event in trace.of("ask"):
        if event.step.name == "replay" and previous is not None:
            before, after = previous.logs.get(ONE), event.logs.get(ONE)
            if before is not None and after is not None and not trace.same(before, after):
                broken(event, expected=before, observed=after, because=because)
            both = previous.step.name == "replay" and previous.ok and event.ok
            if both and not trace.same(previous.value, event.value):
                broken(event, expected=previous.value, observed=event.value, because=because)
        previous = event


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"append", "replay"},
    source=["OA-S1"],
    battery=[
        _replayed(user(0), answer(1, "no", refused=True), inbox(2, "hi")),
        _replayed(user(0), answer(1), note(2, {"kind": "other"})),
        _replayed(turn(4, "user", live("shown")), inbox(3, "hi")),
    ],
)
def a_runner_goes_on_behind_every_turn(trace: Trace) -> None:
    """The next index that a replay gives lies behind all turns, shown to the model or not.

    A runner that goes on behind the last message it was shown takes an index that is taken.
    """
    for event, before in transcripts(trace):
        known = before.certain and not before.unsure
        if event.step.name == "replay" and event.ok and known:
            wanted = max((each[0] for each in before.turns), default=-1) + 1
            found = event.value.get("next_index") if is_object(event.value) else None
            if found != wanted:
                because = "every stored turn, shown or not, pushes the next index."
                broken(event, expected=wanted, observed=found, because=because)
