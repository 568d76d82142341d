"""JSON values and stored entries, drawn from pools.

Every entry is one that ``transcript/stored-entry`` accepts, but for its id, which the
program gives.
"""

from collections.abc import Sequence
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from storelaw.manifest import Manifest
from storelaw.samples import CREATED
from storelaw.values import Entry

#: Texts that encoders, line readers and sanitisers are known to trip over; all of them legal.
TEXTS: Final = (
    "plain",
    "",
    " ",
    " leading",
    "trailing ",
    "\ttab\t",
    "two\nlines",
    "two\r\nlines",
    "a\rreturn",
    "line\u2028separator",
    "paragraph\u2029separator",
    "next\u0085line",
    "form\x0cfeed\x0bvertical",
    "unit\x1cfile\x1dgroup\x1erecord",
    "caf\u00e9",
    "cafe\u0301",
    "\ufeffmark",
    "zero\u200bwidth",
    "right\u200fleft",
    "\U0001f600",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\U0010ffff",
    "<b>&amp;\"'`</b>",
    "\\u0000",
    "\\ud800",
    "\\n",
    "\\",
    "%00",
    '{"a": 1}',
    "null",
    "1.0",
    "2026-01-01",
    "'; DROP TABLE entries; --",
    "\x7f",
)

#: Texts with NUL or a lone surrogate, kept or refused.
ODD_TEXTS: Final = (
    "\x00",
    "a\x00b",
    "a\x00",
    "\ud800",
    "a\udfffb",
    "\ude00\ud83d",
    "\\u0000\x00",
)

INTEGERS: Final = (0, 1, -1, 7, 255, 65_536, 2**31, -(2**31), 2**32, 2**53, -(2**53))
BIG_INTEGERS: Final = (2**53 + 1, -(2**53) - 1, 2**63 - 1, 2**63, 2**64 + 1, 10**30)
FLOATS: Final = (0.5, 0.1 + 0.2, 1 / 3, 1e-7, 123456.789, 2.220446049250313e-16, 1e22)
BIG_FLOATS: Final = (1e308, 1.7976931348623157e308, 5e-324, -1e308)
WHOLE_FLOATS: Final = (1.0, 0.0, -0.0, -7.0, 1e15)

#: Names of members that storage engines and languages give a meaning to.
NAMES: Final = (
    "a",
    "A",
    "",
    " ",
    "a.b",
    "$set",
    "$ref",
    "a/b",
    "a~1b",
    "__proto__",
    "constructor",
    "__class__",
    "id",
    "_id",
    "seq",
    "session_id",
    "created_at",
    "0",
    "\u00e9",
    "e\u0301",
    "two\nlines",
    "null",
)


def scalars(manifest: Manifest) -> Sequence[Any]:
    """The scalars that a manifest makes legal."""
    numbers: tuple[Any, ...] = (*INTEGERS, *FLOATS, *WHOLE_FLOATS)
    if "big-floats" not in manifest.refuses:
        numbers = (*numbers, *BIG_FLOATS)
    return (None, True, False, *numbers, *TEXTS)


def texts() -> SearchStrategy[str]:
    """Legal texts: one from the pool, or several of them after each other."""
    joined = st.lists(st.sampled_from(TEXTS), min_size=2, max_size=4).map("".join)
    return st.one_of(st.sampled_from(TEXTS), joined)


def odd_texts() -> SearchStrategy[str]:
    """Texts with NUL or a lone surrogate somewhere."""
    parts = st.tuples(st.sampled_from(TEXTS), st.sampled_from(ODD_TEXTS), st.sampled_from(TEXTS))
    return parts.map("".join).filter(_is_odd)


def _is_odd(text: str) -> bool:
    return "\x00" in text or any("\ud800" <= each <= "\udfff" for each in text)


def numbers() -> SearchStrategy[list[Any]]:
    """Lists of integers and floats side by side."""
    return st.lists(st.sampled_from((*INTEGERS, *FLOATS)), max_size=3)


def json_values(manifest: Manifest) -> SearchStrategy[Any]:
    """Legal JSON values of up to three levels."""
    empties: tuple[Any, ...] = ([], {})
    leaf: SearchStrategy[Any] = st.sampled_from((*scalars(manifest), *empties))
    return _over(_over(leaf))


def _over(inner: SearchStrategy[Any]) -> SearchStrategy[Any]:
    return st.one_of(
        inner,
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
    )


def json_objects(manifest: Manifest) -> SearchStrategy[dict[str, Any]]:
    """Legal JSON objects."""
    return st.dictionaries(st.sampled_from(NAMES), json_values(manifest), max_size=3)


# --------------------------------------------------------------------- entries


def noted(values: SearchStrategy[Any]) -> SearchStrategy[Entry]:
    """Bodies of custom entries that hold a generated value."""
    return values.map(
        lambda value: {
            "type": "custom",
            "created_at": CREATED,
            "kind": "note",
            "data": {"value": value},
        }
    )


def spoken(drawn: SearchStrategy[str]) -> SearchStrategy[Entry]:
    """Bodies of user messages that say a generated text."""
    return drawn.map(
        lambda text: {
            "type": "message",
            "created_at": CREATED,
            "message": {"role": "user", "content": [{"type": "text", "text": text}]},
        }
    )


def _optional(**members: SearchStrategy[Any]) -> SearchStrategy[Entry]:
    return st.fixed_dictionaries({}, optional=members)


def _blocks(manifest: Manifest) -> SearchStrategy[Entry]:
    text = st.sampled_from(TEXTS)
    objects = json_objects(manifest)
    return st.one_of(
        _optional(text=text, signature=text).map(lambda each: {"type": "text", **each}),
        _optional(thinking=text, signature=text).map(lambda each: {"type": "thinking", **each}),
        st.builds(_pictured, st.sampled_from(("", "AA==", "////", "+/+/aGk="))),
        st.builds(_filed, st.sampled_from(("AA==", "////", "+/+/aGk="))),
        _optional(text=text, origin=text).map(lambda each: {"type": "reminder", **each}),
        _optional(arguments=objects, signature=text).map(
            lambda each: {"type": "tool_call", "id": "call-1", "name": "look", **each}
        ),
        st.builds(_served, text, json_values(manifest)),
    )


def _pictured(data: str) -> Entry:
    return {"type": "image", "data": data, "mime_type": "image/png"}


def _filed(data: str) -> Entry:
    return {"type": "file", "data": data, "mime_type": "text/plain", "filename": "a b.txt"}


def _served(content: str, raw: Any) -> Entry:
    return {
        "type": "tool_call",
        "id": "call-2",
        "name": "search",
        "server": True,
        "server_type": "web_search",
        "output": {"content": content, "raw": raw, "is_error": False},
    }


_COUNTS: Final = st.sampled_from((0, 1, 12_345, 2**31))
_COSTS: Final = st.sampled_from((0, 0.25, 1.0, 0.1 + 0.2))
_USAGE: Final = _optional(
    input=_COUNTS, output=_COUNTS, cache_read=_COUNTS, cost=_optional(input=_COSTS, output=_COSTS)
)


def messages(manifest: Manifest, *wanted: str) -> SearchStrategy[Entry]:
    """Bodies of message entries of these roles, or of all, with any of their fields."""
    text = st.sampled_from(TEXTS)
    content = st.one_of(st.none(), st.lists(_blocks(manifest), max_size=3))
    answer = _optional(
        api=text,
        provider=text,
        model=text,
        error=text,
        usage=_USAGE,
        stop_reason=st.sampled_from(("stop", "length", "tool_use", "error", "aborted")),
        timestamp=st.sampled_from(("2026-01-01T00:00:00Z", "2026-01-01T00:00:00.123456789Z")),
    )
    roles: tuple[tuple[Entry, SearchStrategy[Entry]], ...] = (
        ({"role": "user"}, _optional(injected=st.just("meta"), origin=text)),
        ({"role": "assistant"}, answer),
        (
            {"role": "tool_result", "tool_call_id": "call-1"},
            _optional(tool_name=text, is_error=st.booleans()),
        ),
    )
    chosen = [each for each in roles if not wanted or each[0]["role"] in wanted]
    return st.one_of(*(st.builds(_said, st.just(role), content, more) for role, more in chosen))


def _said(role: Entry, content: Any, more: Entry) -> Entry:
    return {
        "type": "message",
        "created_at": CREATED,
        "message": {**role, "content": content, **more},
    }


def entries(manifest: Manifest) -> SearchStrategy[Entry]:
    """Bodies of stored entries of every shape, without an id, over the full JSON domain."""
    return st.one_of(
        messages(manifest),
        compactions(),
        noted(json_values(manifest)),
    )


def compactions() -> SearchStrategy[Entry]:
    """Bodies of compaction entries that keep nothing."""
    return st.builds(_summed, st.sampled_from(TEXTS), _COUNTS)


def _summed(summary: str, tokens: int) -> Entry:
    return {
        "type": "compaction",
        "created_at": CREATED,
        "summary": summary,
        "first_kept_id": "",
        "tokens_before": tokens,
    }


# ---------------------------------------------------------- every optional field

COUNTED: Final[Entry] = {
    "input": 1,
    "output": 2,
    "cache_read": 3,
    "cache_write": 4,
    "reasoning": 5,
    "input_audio": 6,
    "output_audio": 7,
}


def full_shapes() -> list[Entry]:
    """One stored entry of every shape, with every optional field set and nothing empty."""
    blocks: dict[str, Entry] = {
        "text": {"text": "text", "signature": "sig-1"},
        "thinking": {"thinking": "thinking", "signature": "sig-2"},
        "image": {"data": "AA==", "mime_type": "image/png"},
        "file": {"data": "AA==", "mime_type": "text/plain", "filename": "a.txt"},
        "tool_call": {"id": "c1", "name": "look", "arguments": {"q": "x"}, "signature": "sig-3"},
        "reminder": {"text": "remember", "origin": "kit"},
    }
    served = _served("found", {"hits": ["one"]})
    bodies: list[Entry] = [{"type": name, **members} for name, members in blocks.items()]
    bodies += [served, {"type": "file", "url": "file:a"}, {"type": "file", "file_id": "f1"}]
    shapes = [_entry(f"block-{index}", [block]) for index, block in enumerate(bodies)]
    answer = {
        "api": "chat",
        "provider": "acme",
        "model": "m1",
        "error": "none",
        "usage": {**COUNTED, "cost": dict(COUNTED)},
        "stop_reason": "stop",
        "timestamp": "2026-01-01T00:00:00Z",
    }
    return [
        *shapes,
        _entry("answer", [bodies[0]], role="assistant", **answer),
        _entry("meta", [bodies[0]], injected="meta", origin="kit"),
        _entry(
            "result",
            [bodies[0]],
            role="tool_result",
            tool_call_id="c1",
            tool_name="look",
            is_error=True,
        ),
        {**_summed("so far", 9), "id": "sum", "first_kept_id": "meta", "parent_id": "meta"},
        {**_note("note"), "title": "t", "tags": ["x"], "data": {"a": {"b": "c"}}},
    ]


def _entry(id: str, content: list[Entry], role: str = "user", **more: Any) -> Entry:
    return {
        "type": "message",
        "id": id,
        "parent_id": "root",
        "created_at": CREATED,
        "message": {"role": role, "content": content, **more},
    }


def _note(id: str) -> Entry:
    return {"type": "custom", "id": id, "parent_id": "root", "created_at": CREATED, "kind": "note"}
