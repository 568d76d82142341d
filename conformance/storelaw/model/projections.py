"""What the two views of a path are: the laws' own model, written from the rules.

Everything speaks JSON entries. Rules: PI-V1, PI-V2, PI-C2, PI-C3, PI-C5, PI-C6, PI-C7,
PI-G1 of the durable-session seed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from storelaw.model.blocks import of_type
from storelaw.samples import injected
from storelaw.values import Entry


@dataclass(frozen=True, slots=True)
class Parts:
    """A path cut by its latest compaction: ``summary`` is ``None`` where there is none.

    ``gone`` are the messages that the summary stands for, ``kept`` those from the anchor to
    the compaction, ``later`` those after it. ``found`` says whether the anchor lies before.
    """

    summary: str | None
    gone: list[Entry]
    kept: list[Entry]
    later: list[Entry]
    found: bool = True


def messages_of(entries: Sequence[Entry]) -> list[Entry]:
    """The messages of the message entries, in order."""
    return [each["message"] for each in entries if each.get("type") == "message"]


def compactions(path: Sequence[Entry]) -> list[int]:
    """The places of the compaction entries."""
    return [place for place, each in enumerate(path) if each.get("type") == "compaction"]


def parts(path: Sequence[Entry]) -> Parts:
    """The path as its latest compaction cuts it."""
    places = compactions(path)
    if not places:
        return Parts(None, [], [], messages_of(path))
    last = places[-1]
    before, anchor = path[:last], path[last].get("first_kept_id")
    start = next((i for i, each in enumerate(before) if each.get("id") == anchor), last)
    return Parts(
        path[last].get("summary", ""),
        messages_of(before[:start]),
        messages_of(before[start:]),
        messages_of(path[last + 1 :]),
        start < last,
    )


def spoken(summary: str) -> Entry:
    """The user message that carries a summary."""
    block = {"type": "text", "text": summary} if summary else {"type": "text"}
    return {"role": "user", "content": [block]}


def model_view(path: Sequence[Entry]) -> list[Entry]:
    """The messages for the model: the summary first, then what it doesn't stand for."""
    cut = parts(path)
    first = [] if cut.summary is None else [spoken(cut.summary)]
    return [*first, *cut.kept, *cut.later]


def transcript_view(path: Sequence[Entry]) -> list[Entry]:
    """The entries for a reader: the path without injected messages."""
    return [each for each in path if injected(each) is None]


def text_of(message: Any) -> str:
    """The words of a message: its text blocks, joined; a reminder is no text (PI-V6)."""
    return "".join(str(each.get("text", "")) for each in of_type(message, "text"))


def carries(message: Any, summary: str) -> bool:
    """Whether a message speaks a summary to the model, in whatever frame."""
    return summary in text_of(message)


def turns(path: Sequence[Entry]) -> list[int]:
    """The places where a turn begins: the ordinary user messages."""
    return [
        place
        for place, each in enumerate(path)
        if each.get("type") == "message"
        and each["message"].get("role") == "user"
        and injected(each) is None
    ]


def cut_for(path: Sequence[Entry], keep: int) -> int | None:
    """Where a compaction that keeps so many turns cuts; ``None`` where there is nothing to do.

    Rules: PI-C2, PI-C3, PI-C4.
    """
    begins = turns(path)
    if len(begins) <= keep:
        return None
    return begins[-keep] if keep else len(path)


def answered(messages: Sequence[Entry]) -> bool:
    """Whether each client call has exactly one result, directly behind its message.

    Where it is not so, the view is a matter of repair, and none of these laws speaks.
    """
    open_calls: set[Any] = set()
    for each in messages:
        if each.get("role") == "tool_result":
            if each.get("tool_call_id") not in open_calls:
                return False
            open_calls.discard(each.get("tool_call_id"))
        elif open_calls:
            return False
        else:
            open_calls = set(client_calls(each))
    return not open_calls


def client_calls(message: Entry) -> list[Any]:
    """The ids of the calls that a tool result must answer."""
    return [each.get("id") for each in of_type(message, "tool_call") if not each.get("server")]
