"""The log profile: the specification for people who read code.

A log is a list of JSON entries in a storage; an agent lives over a storage,
and a session makes refs and branches of one. Entries are plain dicts, copied
wherever they change hands. The rules that the docstrings cite (AP-…, D-AP-…)
are those of the Apeira seed.
"""

from storelaw_reference.log.agents import BOUNDARY, Agent, Transform
from storelaw_reference.log.branches import Branches
from storelaw_reference.log.chains import Chain
from storelaw_reference.log.compactions import OMITTED, Compactor, Summarize, projected
from storelaw_reference.log.entries import (
    CONTROLS,
    Entry,
    checked,
    checked_control,
    checked_log,
    clock_ms,
    entry,
    is_semantic,
    last_of,
    random_id,
)
from storelaw_reference.log.errors import Aborted, Code, Damaged, Rejected, SessionError
from storelaw_reference.log.files import JsonFile, JsonLines
from storelaw_reference.log.inputs import (
    Input,
    assistant,
    developer,
    system,
    to_agent_input,
    user,
)
from storelaw_reference.log.queues import Queue, queue_of
from storelaw_reference.log.ref_names import checked_name
from storelaw_reference.log.runs import Answer, Run, Runner
from storelaw_reference.log.segments import Backend, KeyValue
from storelaw_reference.log.sessions import Session
from storelaw_reference.log.snapshots import Snapshot
from storelaw_reference.log.storages import Log, Mem, Nothing, Storage, place_of
from storelaw_reference.log.turn_ids import open_turns, turn_event
from storelaw_reference.log.values import copied, line_of, normal, parsed, text

__all__ = [
    "BOUNDARY",
    "CONTROLS",
    "OMITTED",
    "Aborted",
    "Agent",
    "Answer",
    "Backend",
    "Branches",
    "Chain",
    "Code",
    "Compactor",
    "Damaged",
    "Entry",
    "Input",
    "JsonFile",
    "JsonLines",
    "KeyValue",
    "Log",
    "Mem",
    "Nothing",
    "Queue",
    "Rejected",
    "Run",
    "Runner",
    "Session",
    "SessionError",
    "Snapshot",
    "Storage",
    "Summarize",
    "Transform",
    "assistant",
    "checked",
    "checked_control",
    "checked_log",
    "checked_name",
    "clock_ms",
    "copied",
    "developer",
    "entry",
    "is_semantic",
    "last_of",
    "line_of",
    "normal",
    "open_turns",
    "parsed",
    "place_of",
    "projected",
    "queue_of",
    "random_id",
    "system",
    "text",
    "to_agent_input",
    "turn_event",
    "user",
]
