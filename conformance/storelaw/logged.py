"""The log profile: typed entries with caller-made ids, control entries, refs and a head."""

from importlib import import_module
from typing import Any, Final

from storelaw.contract import Contract
from storelaw.profiles import Door, Opening, Profile
from storelaw.program import Program, append, call, load
from storelaw.transcripts import whole_log
from storelaw.values import Entry

SMOKE: Final[Entry] = {"id": "smoke-1", "type": "state", "data": {}, "timestamp": 1767225600000}


def _smoke(operations: frozenset[str]) -> Program:
    steps = [append("smoke", SMOKE), load("smoke")]
    if "create" in operations:
        steps.insert(0, call("create", "smoke"))
    return Program(tuple(steps))


def _agent(opening: Opening) -> Any:
    return import_module("storelaw.engine_agent").opened(opening)


def _refs(opening: Opening) -> Any:
    return import_module("storelaw.engine_refs").opened(opening)


PROFILE: Final = Profile(
    name="log",
    summary="{id, type, data, timestamp, parentId?}: inputs, states, events, refs, checkouts",
    contract=Contract(create="implicit", head="persisted", missing_parent="raise"),
    doors=(
        Door("store", "the flat log of entries"),
        Door("agent", "an agent's life over a log: initial input, state, turns, reset", _agent),
        Door("refs", "a session over a log: head, refs, checkout, fork, rebase, clone", _refs),
        Door("replay", "the projections", methods=("to_agent_input", "projected")),
    ),
    operations=frozenset({"append", "load"}),
    smoke=_smoke,
    raw=whole_log,
)
