"""Entries of a turn memory, and programs at its backend door."""

from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from storelaw.program import Program, ask, door
from storelaw.turned import scope_of
from storelaw.values import Entry

TIMES: Final = (
    "2026-01-01T00:00:00Z",
    "2026-01-01T00:00:00.5Z",
    "2026-01-01T00:00:01Z",
    "2026-01-01T00:00:00.000001Z",
    "2025-12-31T23:59:59.999999Z",
)
IDS: Final = ("turn-000000-user", "turn-000001-assistant", "turn-000002-user", "turn-000010-user")
TAGS: Final = ("a", "b", "ab", "A", "a b", "%")
KEYS: Final = (
    "n/s",
    "n/S",
    "n/s2",
    "n/s_",
    "n/s%",
    "n/s/a",
    "m/s",
    "n/\u00e9",
    "n/e\u0301",
    "n/s ",
)
SMALL: Final[tuple[Any, ...]] = (
    0,
    -1,
    2**53,
    2**53 + 1,
    2**63,
    0.5,
    True,
    None,
    "",
    "x",
    "\u00e9",
    "e\u0301",
    [],
    {},
)


def row(key: str, name: str, mark: str, time: str = TIMES[0], **more: Any) -> Entry:
    """An entry of the turn kind, whose content holds a mark."""
    content = {"content": [{"type": "text", "text": mark}], "mark": mark}
    made = {"scope": scope_of(key), "kind": "turn", "id": name, "createdAt": time}
    return {**made, "content": content, **more}


@st.composite
def entries(draw: st.DrawFn, keys: tuple[str, ...] = ("n/one",), time: str = "") -> Entry:
    """An entry with tags and content of every kind; valid as ``turns/entry``."""
    tags = draw(st.lists(st.sampled_from(TAGS), unique=True, max_size=3))
    more = {name: draw(st.sampled_from(SMALL)) for name in draw(_names)}
    made = row(
        draw(st.sampled_from(keys)),
        draw(st.sampled_from(IDS)),
        draw(st.sampled_from("abcdef")),
        time or draw(st.sampled_from(TIMES)),
    )
    made["content"] = {**made["content"], **{f"x{name}": each for name, each in more.items()}}
    return {**made, "tags": tags} if tags else made


_names: Final = st.lists(st.sampled_from("pqr"), unique=True, max_size=3)


def _got(entry: Entry) -> Any:
    return ask("B", "get", entry["scope"], entry["kind"], entry["id"])


def _put(entry: Entry) -> Any:
    return ask("B", "put", entries=(entry,), one=True)


def values_of() -> SearchStrategy[Program]:
    """Programs that put entries and get each of them."""
    return st.lists(entries(), min_size=1, max_size=4).map(
        lambda made: Program((door("backend", "B", "n/one"), *map(_put, made), *map(_got, made)))
    )


def scattered() -> SearchStrategy[Program]:
    """Programs that put entries in scopes with ids that are alike, and read them all."""
    return st.lists(entries(KEYS), min_size=2, max_size=5).map(
        lambda made: Program(
            (
                door("backend", "B", "n/one"),
                *map(_put, made),
                *map(_got, made),
                *(ask("B", "query", {"scope": each["scope"]}) for each in made),
            )
        )
    )


@st.composite
def searched(draw: st.DrawFn) -> Program:
    """Programs that put entries and ask for some, by filters of every kind."""
    made = draw(st.lists(entries(("n/one", "n/two")), min_size=1, max_size=5))
    filters: Entry = {}
    for name, pool in (("ids", IDS), ("tags", TAGS)):
        if draw(st.booleans()):
            filters[name] = draw(
                st.lists(st.sampled_from(pool), unique=True, min_size=1, max_size=2)
            )
    for name in ("since", "until"):
        if draw(st.booleans()):
            filters[name] = draw(st.sampled_from(TIMES))
    asking = ask("B", "query", {"scope": scope_of("n/one"), **filters})
    return Program((door("backend", "B", "n/one"), *map(_put, made), asking))
