"""The turns profile: write-once turns under derived ids, in a scope of a memory."""

from importlib import import_module
from typing import Any, Final

from storelaw.contract import Contract
from storelaw.profiles import Door, Opening, Profile
from storelaw.program import Program, ask, door
from storelaw.values import Entry

#: What stands before the name of a session where a program gives none.
NAMESPACE: Final = "storelaw"

SCOPE: Final = "smoke/one"
SMOKE: Final[Entry] = {
    "scope": {"kind": "session", "id": SCOPE},
    "kind": "turn",
    "id": "turn-000000-user",
    "createdAt": "2026-01-01T00:00:00Z",
    "content": {"content": [{"type": "text", "text": "hello"}]},
}


def _smoke(_: frozenset[str]) -> Program:
    return Program(
        (
            door("backend", "B", SCOPE),
            ask("B", "put", entries=(SMOKE,), one=True),
            ask("B", "query", {"scope": SMOKE["scope"]}),
        )
    )


def scope_of(key: Any) -> dict[str, str]:
    """The scope of a session key; one without a namespace gets the kit's own."""
    return {"kind": "session", "id": key if "/" in key else f"{NAMESPACE}/{key}"}


def _whole_scope(driver: Any, handle: Any, key: Any) -> Any:
    return driver.call(handle, "query", {"scope": scope_of(key)})


def _backend(opening: Opening) -> Any:
    return opening.handle


def _memory(opening: Opening) -> Any:
    return import_module("storelaw.engine_memory").opened(opening)


def _appender(opening: Opening) -> Any:
    return import_module("storelaw.engine_appender").opened(opening)


PROFILE: Final = Profile(
    name="turns",
    summary="keyed turn-<index>-<role> entries in a scope, written once",
    contract=Contract(reappend="idempotent-or-conflict", create="implicit"),
    doors=(
        Door("backend", "the rows of a memory: put, get, query, delete", _backend),
        Door("memory", "write-once rules over the rows", _memory),
        Door("appender", "the transcript of one scope", _appender),
        Door(
            "timeline",
            "what a person sees of the turns",
            methods=("visible_timeline", "visible_messages"),
        ),
    ),
    operations=frozenset({"put", "get", "query"}),
    smoke=_smoke,
    raw=_whole_scope,
    offers=("put", "get", "query", "delete_scope", "status", "add"),
)
