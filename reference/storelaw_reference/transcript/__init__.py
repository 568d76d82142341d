"""The transcript profile, in memory: the specification for people who read code.

Session entries are messages, compactions and custom records, chained by parent ids.
The rules that the docstrings cite (PI-…, D-PI-…) are those of the durable-session seed.
"""

from storelaw_reference.transcript.blocks import (
    Block,
    File,
    Image,
    Reminder,
    ServerOutput,
    Text,
    Thinking,
    ToolCall,
)
from storelaw_reference.transcript.chains import Chain
from storelaw_reference.transcript.codec import (
    CODEC,
    Codec,
    decode,
    decode_draft,
    encode,
    register_custom,
    written,
)
from storelaw_reference.transcript.constructors import ephemeral, file, image, meta, text
from storelaw_reference.transcript.entries import (
    DRAFT,
    CompactionEntry,
    CustomEntry,
    Entry,
    Header,
    MessageEntry,
    is_ephemeral,
    is_injected,
    is_turn,
)
from storelaw_reference.transcript.errors import (
    DecodeError,
    EntryConflict,
    Rejected,
    SessionExists,
    SessionNotFound,
    Stale,
)
from storelaw_reference.transcript.events import Event, Publish, Receipt
from storelaw_reference.transcript.ids import random_id
from storelaw_reference.transcript.messages import Cost, Injected, Message, Usage, user_message
from storelaw_reference.transcript.paths import path
from storelaw_reference.transcript.repair import INTERRUPTED, repaired
from storelaw_reference.transcript.sessions import INSTRUCTION, Model, Session, Summarize
from storelaw_reference.transcript.stores import MemoryData, MemoryStore, Reappend, Store
from storelaw_reference.transcript.times import stamp, utc_now
from storelaw_reference.transcript.trees import Tree, tree
from storelaw_reference.transcript.values import frozen, thawed
from storelaw_reference.transcript.views import model_view, transcript_view
from storelaw_reference.transcript.wire import (
    decode_block,
    decode_message,
    encode_block,
    encode_message,
)
from storelaw_reference.transcript.words import text_of

__all__ = [
    "CODEC",
    "DRAFT",
    "INSTRUCTION",
    "INTERRUPTED",
    "Block",
    "Chain",
    "Codec",
    "CompactionEntry",
    "Cost",
    "CustomEntry",
    "DecodeError",
    "Entry",
    "EntryConflict",
    "Event",
    "File",
    "Header",
    "Image",
    "Injected",
    "MemoryData",
    "MemoryStore",
    "Message",
    "MessageEntry",
    "Model",
    "Publish",
    "Reappend",
    "Receipt",
    "Rejected",
    "Reminder",
    "ServerOutput",
    "Session",
    "SessionExists",
    "SessionNotFound",
    "Stale",
    "Store",
    "Summarize",
    "Text",
    "Thinking",
    "ToolCall",
    "Tree",
    "Usage",
    "decode",
    "decode_block",
    "decode_draft",
    "decode_message",
    "encode",
    "encode_block",
    "encode_message",
    "ephemeral",
    "file",
    "frozen",
    "image",
    "is_ephemeral",
    "is_injected",
    "is_turn",
    "meta",
    "model_view",
    "path",
    "random_id",
    "register_custom",
    "repaired",
    "stamp",
    "text",
    "text_of",
    "thawed",
    "transcript_view",
    "tree",
    "user_message",
    "utc_now",
    "written",
]
