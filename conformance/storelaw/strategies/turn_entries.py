"""Entries of the turns profile: each role with each block, and the notes of the runner.

Every entry is one that ``turns/entry`` accepts.
"""

import json
from base64 import b64encode
from collections.abc import Mapping
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from storelaw import turn_samples as t
from storelaw.manifest import Manifest
from storelaw.strategies.values import TEXTS, json_objects
from storelaw.values import Entry

_ANY: Final = Manifest(name="any")
_TEXT: Final = st.sampled_from(TEXTS)
_NAME: Final = st.sampled_from([each for each in TEXTS if each])
_COUNT: Final = st.sampled_from((1, 12, 2**31))

SCOPE: Final[Entry] = {"kind": "session", "id": "team/s1"}
TIMES: Final = (
    "2026-03-01T09:30:00Z",
    "2026-03-01T09:30:00.123456Z",
    "2026-03-01T09:30:00.5+05:45",
)
_SURFACES: Final = (t.CHAT, "urn:ap:view:tui", t.ARTIFACT, "urn:ap:view:session:team/s1/widget")
_LINK: Final[Entry] = {
    "relation": "about",
    "scope": SCOPE,
    "kind": "turn",
    "id": "turn-000003-assistant",
}
_SIGNED: Final[Entry] = {
    "publisher": "session:team/s1",
    "keyId": "0123456789abcdef" * 2,
    "seq": 2,
    "prevHash": "0123456789abcdef" * 4,
    "sig": b64encode(bytes(64)).decode(),
}


def _shape(needed: Mapping[str, SearchStrategy[Any]], **more: SearchStrategy[Any]) -> Any:
    return st.fixed_dictionaries(dict(needed), optional=more)


_INPUTS: Final = st.one_of(
    st.none(), json_objects(_ANY).map(lambda each: json.dumps(each).encode())
)
_TRUE: Final = st.just(True)


def _result(members: Entry) -> Entry:
    return {"type": "tool_result", "toolResult": members}


def _attached(members: Entry) -> Entry:
    return {"type": "attachment", "attachment": members}


#: The blocks, by type.
BLOCKS: Final[Mapping[str, SearchStrategy[Entry]]] = {
    "text": _TEXT.map(t.words),
    "tool_use": st.builds(t.use, _NAME, _INPUTS, _NAME),
    "tool_result": _shape(
        {"toolUseId": _NAME, "content": st.one_of(_TEXT, _TEXT.map(t.wrapped))},
        isError=_TRUE,
        renderedLive=_TRUE,
    ).map(_result),
    "attachment": _shape(
        {"filename": _TEXT, "mime": _TEXT, "ref": _TEXT},
        sizeBytes=_COUNT,
        textRef=_NAME,
        archiveRef=_NAME,
        pages=_COUNT,
    ).map(_attached),
    "unknown": json_objects(_ANY).map(lambda each: {**each, "type": "image"}),
}

_PLAN: Final = st.tuples(json_objects(_ANY), _NAME).map(lambda each: {**each[0], "name": each[1]})

#: The notes of the runner, by what they are about.
NOTES: Final[Mapping[str, SearchStrategy[Entry]]] = {
    "plan note": st.one_of(
        _PLAN.map(lambda each: t.plans("upsert", plan=each)), _NAME.map(t.removal)
    ),
    "delivered note": st.lists(_NAME, max_size=3).map(lambda each: t.delivered(*each)),
    "other note": json_objects(_ANY).map(lambda each: {**each, "kind": "budget"}),
}

_USAGE: Final = _shape(
    {"inputTokens": st.sampled_from((0, 12)), "outputTokens": st.sampled_from((0, 340))},
    cacheCreationTokens=_COUNT,
    cacheReadTokens=_COUNT,
)
_VIA: Final[Mapping[str, SearchStrategy[Any]]] = {"via": st.sampled_from(_SURFACES)}
_FROM: Final[Mapping[str, SearchStrategy[Any]]] = {
    **_VIA,
    "author": st.sampled_from(("user:YWxpY2U", "agent:team/helper")),
}

#: The optional members of a turn's content, by role.
ROLES: Final[Mapping[str, Mapping[str, SearchStrategy[Any]]]] = {
    "user": _FROM,
    "assistant": {
        **_FROM,
        "usage": _USAGE,
        "refused": _TRUE,
        "model": st.sampled_from(("acme/m-1", "acme/team/m-1")),
    },
    "inbox": _FROM,
    "inbox_done": {},
    "system_note": {},
    "side-note": _VIA,
}


def noted(notes: SearchStrategy[Entry]) -> SearchStrategy[Entry]:
    """System notes whose one text block holds such a note."""
    return turns("system_note", notes.map(lambda each: t.words(json.dumps(each))))


def turns(role: str, *blocks: SearchStrategy[Entry]) -> SearchStrategy[Entry]:
    """Entries of a role's turns with such blocks, or with none."""
    none = st.none()
    listed = st.lists(st.one_of(*blocks), min_size=1, max_size=3) if blocks else none
    content = _shape({"content": st.one_of(none, listed)}, **ROLES[role])
    made: SearchStrategy[Entry] = _shape(
        {
            "scope": st.just(SCOPE),
            "kind": st.just("turn"),
            "id": st.sampled_from((0, 7, 999_999)).map(lambda each: f"turn-{each:06d}-{role}"),
            "createdAt": st.sampled_from(TIMES),
            "content": content,
        },
        links=st.just([_LINK]),
        tags=st.sampled_from((["pinned"], ["pinned", "plan", ""])),
        provenance=st.just(_SIGNED),
    )
    return made
