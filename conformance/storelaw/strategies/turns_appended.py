"""Turns of every kind, and programs that append them."""

from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from storelaw.program import Program, ask, door, reopened
from storelaw.turn_samples import CHAT, live, result, turn, use, words
from storelaw.values import Entry

ROLES: Final = ("user", "assistant", "inbox", "inbox_done", "system_note")
INDEXES: Final = (0, 1, 2, 9, 10, 11, 99, 100, 999_999)
_BLOCKS: Final[tuple[Entry, ...]] = (
    words("hello"),
    words(""),
    words("caf\u00e9 \u2028 \U0001f600"),
    use("search", b'{"q": 1}'),
    use("nothing", None, id="c2"),
    result("done"),
    result("failed", id="c2", isError=True),
    live("shown"),
    {"type": "chart", "points": [1, 2.5, None], "n": 2**53 + 1},
    {"type": "attachment", "attachment": {"filename": "a", "mime": "text/plain", "ref": "r"}},
)
_MORE: Final[tuple[tuple[str, Any], ...]] = (
    ("author", "user:YQ"),
    ("via", CHAT),
    ("refused", True),
    ("model", "p/m"),
    ("usage", {"inputTokens": 1, "outputTokens": 2}),
    ("usage", {"inputTokens": 1, "outputTokens": 2, "cacheReadTokens": 5}),
)


@st.composite
def turns(draw: st.DrawFn) -> Entry:
    """A turn; valid as ``turns/turn``."""
    index, role = draw(st.sampled_from(INDEXES)), draw(st.sampled_from(ROLES))
    blocks = draw(st.lists(st.sampled_from(_BLOCKS), max_size=2))
    more = dict(draw(st.lists(st.sampled_from(_MORE), max_size=2)))
    if role != "assistant":
        more.pop("usage", None)
    if role == "inbox_done":
        more.pop("author", None)
    return turn(index, role, *blocks, **more)


def _added(entry: Entry) -> Any:
    return ask("A", "append", entries=(entry,), one=True)


def _opened() -> Any:
    return door("appender", "A", "n/one")


def appended() -> SearchStrategy[Program]:
    """Programs that append turns in any order and read them all, after a restart too."""
    return st.lists(turns(), min_size=1, max_size=5).map(
        lambda made: Program(
            (
                _opened(),
                *map(_added, made),
                ask("A", "read_all"),
                reopened(),
                _opened(),
                ask("A", "read_all"),
            )
        )
    )


@st.composite
def retried(draw: st.DrawFn) -> Program:
    """Programs that append each of some turns twice or more, under other times."""
    made = draw(st.lists(turns(), min_size=1, max_size=3))
    picks = draw(st.lists(st.sampled_from(made), min_size=1, max_size=4))
    times = draw(st.lists(st.sampled_from(("2026-02-02T00:00:00Z", "")), min_size=4, max_size=4))
    retries = [
        {**each, "createdAt": time or each["createdAt"]}
        for each, time in zip(picks, times, strict=False)
    ]
    return Program((_opened(), *map(_added, made), *map(_added, retries), ask("A", "read_all")))
