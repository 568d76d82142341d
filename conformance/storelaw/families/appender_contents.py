"""What is stored of a turn, and read of it: times, members, blocks, indexes and roles."""

from collections.abc import Callable
from typing import Any, Final

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.families.appender_writes import (
    RICH,
    U,
    added,
    anew,
    appender,
    appends,
    raw,
    raw_content,
    read,
)
from storelaw.model.turns import (
    given,
    instant,
    readings,
    slot,
    told,
    transcripts,
    turns_in,
)
from storelaw.narrative import Words
from storelaw.program import Program
from storelaw.strategies.turns_appended import appended
from storelaw.trace import Trace
from storelaw.turn_samples import answer, live, result, turn, use, user, words
from storelaw.values import Entry, is_object

# --------------------------------------------------------------- what is stored


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"append"},
    source=["OA-A8"],
    incidents=["F06"],
    battery=[
        appender(added({"index": 0, "role": "user", "content": [words("now")]})),
        appender(added({**U, "createdAt": "0001-01-01T00:00:00Z"})),
        appender(added({**U, "createdAt": "2024-05-06T07:08:09.123456Z"})),
    ],
)
def a_turn_is_dated_once(trace: Trace) -> None:
    """A turn without a time, or with the zero time, is dated when appended; another time is kept.

    A store that dates all turns anew changes history when it is imported; one that keeps the
    zero time orders every such turn first.
    """
    for event, entry, before in appends(trace):
        if not event.ok or slot(entry) in before.turns or not raw(event, entry):
            continue
        time, stored = entry.get("createdAt") or "", raw(event, entry)[0].get("createdAt")
        unset = not time or time.startswith("0001-01-01T00:00:00")
        right = instant(stored).year >= 2000 if unset else trace.same(time, stored)
        if not right:
            expected = Words("the time of the append") if unset else time
            because = "a time that is set is kept, and one that isn't is that of the append."
            broken(event, expected=expected, observed=stored, because=because)


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"append"},
    source=["OA-A9"],
    incidents=["F48"],
    battery=[
        appender(added(U)),
        appender(added({**U, "via": "", "author": "", "model": "", "refused": False})),
        appender(added({**RICH, "refused": False})),
    ],
)
def what_is_empty_is_absent_from_a_stored_turn(trace: Trace) -> None:
    """A turn is stored without the optional members that are empty, false or nothing.

    A member that is written as empty changes the digest which is signed, so that the same
    turn has two.
    """
    names = ("usage", "author", "via", "refused", "model")
    for event, entry, _ in appends(trace):
        content = raw_content(event, entry)
        empty = [each for each in names if each in content and not content[each]]
        if event.ok and empty:
            wanted = {each: one for each, one in content.items() if each not in empty}
            because = "an optional member that is empty is absent from what is stored."
            broken(event, expected=wanted, observed=content, because=because)


_BLOCKS: Final[tuple[Entry, ...]] = (
    words('text \u00e9 \U0001f600 "\\\n'),
    use("search", b'{"q": "\xc3\xa9"}'),
    use("nothing", None),
    result("done"),
    result("failed", isError=True),
    live("shown"),
    {
        "type": "attachment",
        "attachment": {
            "filename": "a.txt",
            "mime": "text/plain",
            "ref": "r",
            "sizeBytes": 3,
            "textRef": "t",
            "archiveRef": "z",
            "pages": 2,
        },
    },
    {"type": "chart", "points": [1, 2.5, None, {"deep": []}]},
)
_USAGE: Final = {
    "inputTokens": 1,
    "outputTokens": 2,
    "cacheCreationTokens": 3,
    "cacheReadTokens": 4,
}
_PARTS: Final = (
    *(user(0, each) for each in _BLOCKS),
    answer(0, "a", usage=_USAGE),
    user(0, "a", author="user:YQ"),
    user(0, "a", via="urn:ap:view:chat"),
    answer(0, "a", refused=True),
    answer(0, "a", model="p/m"),
)


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"append", "read_all"},
    source=["OA-A11", "OA-A2"],
    incidents=["F44", "F45"],
    battery=[appender(added(each), *anew(), read()) for each in _PARTS],
    programs=lambda _: appended(),
    weight=3,
)
def every_part_of_a_turn_comes_back(trace: Trace) -> None:
    """Usage, author, via, refusal, model, time and each block of a turn are read as written.

    A decoder that forgets a member loses it for every later reader, and no write fails.
    """
    because = "every part of a turn is read back as it was written."
    for event, before in readings(trace):
        for each in turns_in(event):
            first = before.turns.get(slot(each))
            if first is None:
                continue
            if not trace.same(_plain(told(first)), _plain(told(each))):
                broken(event, expected=told(first), observed=told(each), because=because)


def _plain(turn: Entry) -> Entry:
    """A turn whose blocks hold no members that are empty or false."""
    usage = _lean(turn["usage"], "cacheCreationTokens", "cacheReadTokens") if _has(turn) else None
    blocks: list[Any] = [_lean_block(each) for each in turn.get("content") or ()]
    return {**turn, "content": blocks, **({"usage": usage} if usage else {})}


def _has(turn: Entry) -> bool:
    return is_object(turn.get("usage"))


_OPTIONAL: Final = ("isError", "renderedLive", "sizeBytes", "textRef", "archiveRef", "pages")


def _lean_block(block: Entry) -> Entry:
    return {
        name: _lean(each, *_OPTIONAL) if is_object(each) else each
        for name, each in block.items()
        if name != "text" or each
    }


def _lean(value: Entry, *names: str) -> Entry:
    return {name: each for name, each in value.items() if each or name not in names}


# -------------------------------------------------------------------- D-OA-1, 2


def _judge_kept(trace: Trace, about: Callable[[Entry], bool], because: str) -> str | None:
    """Each accepted turn that is meant is read under its own index and role; a note on refusals."""
    accepted: dict[Any, Entry] = {}
    refused = False
    for event, _ in transcripts(trace):
        entry = given(event)
        if event.step.name == "append" and {"index", "role"} <= set(entry) and about(entry):
            refused = refused or event.raised
            if event.ok:
                accepted.setdefault(slot(entry), entry)
        elif event.step.name == "read_all" and event.ok:
            found = {slot(each) for each in turns_in(event)}
            if not set(accepted) <= found:
                wanted = list(accepted.values())
                broken(event, expected=wanted, observed=turns_in(event), because=because)
    return "saw a turn refused" if refused else None


def _odd_index(entry: Entry) -> bool:
    return isinstance(entry["index"], int) and not 0 <= entry["index"] < 10**6


def _odd_role(entry: Entry) -> bool:
    role = entry["role"]
    return isinstance(role, str) and (not role or len(role.split()) != 1 or role != role.strip())


def _kept(*entries: Entry) -> Program:
    return appender(*map(added, entries), *anew(), read())


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"read_all"},
    source=["D-OA-1", "OA-A2"],
    incidents=["F22"],
    battery=[
        _kept(U, user(1_000_000, "far"), answer(1_000_000)),
        _kept(U, user(10**9, "farther")),
        _kept(U, user(-1, "before")),
    ],
)
def a_wide_index_is_read_or_refused(trace: Trace) -> str | None:
    """A turn whose index has more than six digits, or is negative, is read back or refused.

    A writer that pads to six digits and a reader that wants six make the millionth turn
    disappear: the append succeeds and the reader skips it.
    """
    because = "an index that is accepted is read back, whatever its width."
    return _judge_kept(trace, _odd_index, because)


@law(
    family="turn_appender",
    door="appender",
    operations=(),
    acts={"read_all"},
    source=["D-OA-2"],
    incidents=["F43"],
    battery=[
        _kept(U, turn(1, each, "odd")) for each in ("system note", "", "user\n", "a\tb", " x")
    ],
)
def a_role_is_read_whole_or_refused(trace: Trace) -> str | None:
    """A role that is empty or holds white space is read back as it was written, or refused.

    A reader that stops at white space turns `system note` into another speaker.
    """
    because = "a role that is accepted is read back to its last sign."
    return _judge_kept(trace, _odd_role, because)
