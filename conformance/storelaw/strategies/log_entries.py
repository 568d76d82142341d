"""Entries of the log profile: every input item, the states, events and control entries.

Every entry is one that ``log/entry`` accepts; texts come from the pool of those that
encoders trip over.
"""

from collections.abc import Mapping
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from storelaw.manifest import Manifest
from storelaw.strategies.values import TEXTS, json_objects, json_values
from storelaw.values import Entry

_ANY: Final = Manifest(name="any")
_TEXT: Final = st.sampled_from(TEXTS)
_NAME: Final = st.sampled_from([each for each in TEXTS if each])
_NULL_OR_TEXT: Final = st.one_of(st.none(), _TEXT)
_STATUS: Final = st.sampled_from(("in_progress", "completed", "incomplete", None))
_BASE64: Final = st.sampled_from(("", "AA==", "Z0FB", "+/+/aGk="))

#: Times with seconds, before 1970, and far ahead, in milliseconds.
TIMES: Final = (1772357400123, 0, -1, 2**53 - 1)
REFS: Final = ("main", "feature/login", "/a", "v1")


def _shape(needed: Mapping[str, SearchStrategy[Any]], **more: SearchStrategy[Any]) -> Any:
    return st.fixed_dictionaries(dict(needed), optional=more)


def _typed(
    type: str, /, needed: Mapping[str, SearchStrategy[Any]] | None = None, **more: Any
) -> Any:
    return _shape({"type": st.just(type), **(needed or {})}, **more)


def _listed(*parts: SearchStrategy[Entry]) -> SearchStrategy[Any]:
    return st.one_of(_TEXT, st.lists(st.one_of(*parts), max_size=3))


_INPUT_TEXT: Final = _typed("input_text", {"text": _TEXT})
_IMAGE: Final = _typed(
    "input_image", image_url=_TEXT, detail=st.sampled_from(("low", "high", "auto", None))
)
_FILE: Final = _typed(
    "input_file", filename=_NULL_OR_TEXT, file_data=st.one_of(st.none(), _BASE64), file_url=_TEXT
)
_VIDEO: Final = _typed("input_video", {"video_url": _TEXT})
_CITED: Final[Entry] = {
    "type": "url_citation",
    "start_index": 0,
    "end_index": 3,
    "url": "https://example.org/",
    "title": "Notes",
}
_OUTPUT_TEXT: Final = _typed(
    "output_text", {"text": _TEXT}, annotations=st.lists(st.just(_CITED), max_size=2)
)
_REFUSAL: Final = _typed("refusal", {"refusal": _TEXT})
_TOOL_CALL: Final = _typed(
    "function", {"id": _TEXT, "function": _shape({"name": _TEXT}, arguments=_TEXT)}
)


def _message(role: str, content: SearchStrategy[Any], **more: SearchStrategy[Any]) -> Any:
    needed = {"role": st.just(role), "content": content}
    return _typed("message", needed, id=_NULL_OR_TEXT, status=_NULL_OR_TEXT, **more)


#: The data of input entries, by the name of the item.
INPUTS: Final[Mapping[str, SearchStrategy[Entry]]] = {
    "user message": _message("user", _listed(_INPUT_TEXT, _IMAGE, _FILE)),
    "system message": _message("system", _listed(_INPUT_TEXT)),
    "developer message": _message("developer", _listed(_INPUT_TEXT)),
    "assistant message": _message(
        "assistant",
        _listed(_OUTPUT_TEXT, _REFUSAL),
        phase=st.sampled_from(("commentary", "final_answer")),
        reasoning=_TEXT,
        reasoning_content=_TEXT,
        refusal=_TEXT,
        tool_calls=st.lists(_TOOL_CALL, max_size=2),
    ),
    "function call": _typed(
        "function_call",
        {"call_id": _NAME, "name": _NAME, "arguments": _TEXT},
        id=_NULL_OR_TEXT,
        status=_STATUS,
    ),
    "function call output": _typed(
        "function_call_output",
        {"call_id": _NAME, "output": _listed(_INPUT_TEXT, _IMAGE, _FILE, _VIDEO)},
        id=_NULL_OR_TEXT,
        status=_STATUS,
    ),
    "reasoning": _typed(
        "reasoning",
        {"summary": st.lists(_typed("summary_text", {"text": _TEXT}), max_size=2)},
        content=st.none(),
        encrypted_content=st.one_of(st.none(), _BASE64),
        id=_NULL_OR_TEXT,
    ),
    "provider compaction": _typed("compaction", {"encrypted_content": _BASE64}, id=_NULL_OR_TEXT),
    "item reference": _shape({"id": _NAME}, type=st.sampled_from(("item_reference", None))),
}

_TURN: Final = {"turnId": _NAME}
_PLAIN_EVENTS: Final = (
    "turn.queued",
    "turn.start",
    "turn.input_queued",
    "turn.done",
    "agent.reset",
    "my-plugin.seen",
)
_EVENT: Final = st.one_of(
    _shape({"type": st.sampled_from(_PLAIN_EVENTS), **_TURN}),
    _typed("turn.input_drained", {**_TURN, "count": st.sampled_from((0, 1, 12))}),
    _typed("turn.failed", {**_TURN, "error": json_values(_ANY)}),
    _typed("turn.aborted", _TURN, reason=json_values(_ANY)),
)
_STATE: Final = _shape(
    {},
    agentName=_TEXT,
    agentDescription=_TEXT,
    userName=_TEXT,
    userDescription=_TEXT,
    contextLength=st.sampled_from((0, 16_000, 0.5)),
    **{"my-plugin": json_objects(_ANY)},
)
_TARGET: Final = st.one_of(
    _typed("id", {"id": _NAME}),
    _typed("ref", {"name": st.sampled_from(REFS)}),
    _typed("empty"),
)

#: The data of all other entries, by their types.
OTHERS: Final[Mapping[str, SearchStrategy[Any]]] = {
    "state": _STATE,
    "event": _EVENT,
    "session/ref": _shape({"name": st.sampled_from(REFS)}, targetId=_NAME),
    "session/checkout": _shape({"target": _TARGET}),
    "compact": _shape({"summary": _NAME}, lastEntryId=_NAME),
    "my-plugin/config": json_values(_ANY),
}


def entries(type: str, data: SearchStrategy[Any]) -> SearchStrategy[Entry]:
    """Entries of a type with such data, at a root or attached to another entry."""
    needed = {"id": _NAME, "data": data, "timestamp": st.sampled_from(TIMES)}
    made: SearchStrategy[Entry] = _typed(type, needed, parentId=_NAME)
    return made
