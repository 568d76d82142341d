"""The transcript profile: messages, compactions and custom entries in a tree of parents."""

from typing import Any, Final

from storelaw.contract import TRANSCRIPT
from storelaw.profiles import Door, Profile
from storelaw.program import Program, append, call, load
from storelaw.values import Entry

SMOKE: Final[Entry] = {
    "type": "custom",
    "id": "smoke-1",
    "created_at": "2026-01-01T00:00:00Z",
    "kind": "smoke",
}


def logged(operations: frozenset[str]) -> Program:
    """The smoke of a flat log: one plain entry is appended and loaded."""
    steps = [append("smoke", SMOKE), load("smoke")]
    if "create" in operations:
        steps.insert(0, call("create", "smoke"))
    return Program(tuple(steps))


def whole_log(driver: Any, handle: Any, key: Any) -> Any:
    """All that a flat log holds."""
    return driver.call(handle, "load", driver.key(key))


PROFILE: Final = Profile(
    name="transcript",
    summary="messages, compactions and custom entries; parent ids; meta and ephemeral lifetimes",
    contract=TRANSCRIPT,
    doors=(
        Door("store", "the flat log of entries"),
        Door("session", "an engine that gives ids and parents, branches, forks and compacts"),
        Door("views", "the projections of a path", methods=("model_view", "transcript_view")),
    ),
    operations=frozenset({"append", "load"}),
    smoke=logged,
    raw=whole_log,
)
