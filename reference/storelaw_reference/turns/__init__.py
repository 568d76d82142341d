"""The turns profile, in memory: the specification for people who read code.

A transcript is a set of keyed entries in a scope, each one turn, written once.
The rules that the docstrings cite (OA-…, D-OA-…) are those of the turn-memory seed.
"""

from storelaw_reference.turns.appender import Appender, Reading, Skipped, has_opening_turn, read_all
from storelaw_reference.turns.backends import (
    Adding,
    Backend,
    MemoryBackend,
    MemoryRows,
    Order,
    Position,
    Query,
    Status,
    position,
)
from storelaw_reference.turns.blocks import Attachment, Block, Text, ToolResult, ToolUse, Unknown
from storelaw_reference.turns.codec import decode_block, encode_block, entry_to_turn, turn_to_entry
from storelaw_reference.turns.copies import COPIED_FROM, Copied, Prefix, copy_prefix
from storelaw_reference.turns.entries import Json, Key, Scope, checked, key_of, scope_of
from storelaw_reference.turns.envelopes import unwrap, wrap
from storelaw_reference.turns.equality import canonical, equivalent
from storelaw_reference.turns.errors import (
    AppendOnlyConflict,
    AppendOnlyKind,
    BadProvenance,
    IndexConflict,
    InvalidEntry,
    InvalidQuery,
    ProvenanceRequired,
    Refusal,
    WriteDenied,
)
from storelaw_reference.turns.findings import Anchor, Finding, audit
from storelaw_reference.turns.ids import entry_id, parsed_id
from storelaw_reference.turns.inbox import Drained, Inbox, drain_inbox, record_inbox
from storelaw_reference.turns.kinds import TURN, Kind, Kinds, ScopeHooks, WriteAuthority
from storelaw_reference.turns.memory import Memory, Page
from storelaw_reference.turns.notes import PlanNote, delivered_calls, plan_notes
from storelaw_reference.turns.provenance import (
    HashKey,
    HashKeys,
    Signer,
    Verifier,
    entry_digest,
    fault_of,
    signed,
)
from storelaw_reference.turns.records import Turn, Usage, turn_order
from storelaw_reference.turns.replay import (
    ADVISORY,
    DELIVERED,
    EMPTY,
    INTERRUPTED,
    Message,
    Replay,
    Replayer,
    replayed,
)
from storelaw_reference.turns.signing import SigningMemory
from storelaw_reference.turns.subjects import Subject
from storelaw_reference.turns.surfaces import Surface
from storelaw_reference.turns.timeline import (
    RESPOND,
    PlanCard,
    Timeline,
    TimelineItem,
    VisibleMessage,
    visible_messages,
    visible_timeline,
)

__all__ = [
    "ADVISORY",
    "COPIED_FROM",
    "DELIVERED",
    "EMPTY",
    "INTERRUPTED",
    "RESPOND",
    "TURN",
    "Adding",
    "Anchor",
    "AppendOnlyConflict",
    "AppendOnlyKind",
    "Appender",
    "Attachment",
    "Backend",
    "BadProvenance",
    "Block",
    "Copied",
    "Drained",
    "Finding",
    "HashKey",
    "HashKeys",
    "Inbox",
    "IndexConflict",
    "InvalidEntry",
    "InvalidQuery",
    "Json",
    "Key",
    "Kind",
    "Kinds",
    "Memory",
    "MemoryBackend",
    "MemoryRows",
    "Message",
    "Order",
    "Page",
    "PlanCard",
    "PlanNote",
    "Position",
    "Prefix",
    "ProvenanceRequired",
    "Query",
    "Reading",
    "Refusal",
    "Replay",
    "Replayer",
    "Scope",
    "ScopeHooks",
    "Signer",
    "SigningMemory",
    "Skipped",
    "Status",
    "Subject",
    "Surface",
    "Text",
    "Timeline",
    "TimelineItem",
    "ToolResult",
    "ToolUse",
    "Turn",
    "Unknown",
    "Usage",
    "Verifier",
    "VisibleMessage",
    "WriteAuthority",
    "WriteDenied",
    "audit",
    "canonical",
    "checked",
    "copy_prefix",
    "decode_block",
    "delivered_calls",
    "drain_inbox",
    "encode_block",
    "entry_digest",
    "entry_id",
    "entry_to_turn",
    "equivalent",
    "fault_of",
    "has_opening_turn",
    "key_of",
    "parsed_id",
    "plan_notes",
    "position",
    "read_all",
    "record_inbox",
    "replayed",
    "scope_of",
    "signed",
    "turn_order",
    "turn_to_entry",
    "unwrap",
    "visible_messages",
    "visible_timeline",
    "wrap",
]
