"""What a person sees of turns, written from the rules OA-V1 to OA-V15: the expected side."""

import json
import re
from base64 import b64decode
from collections.abc import Iterable, Sequence
from typing import Any, Final

from storelaw.values import Entry, is_array, is_object

SPEAKERS: Final = {"user": "user", "inbox": "user", "assistant": "agent"}

#: A tool's output between two lines that name the same nonce, in the two forms.
_ENVELOPE: Final = re.compile(
    r'<(untrusted-tool-output|pt-untrusted) nonce="([^"\n]+)"(?: id="[^"\n]*")?>\n'
    r'(.*)\n</\1 nonce="\2">',
    re.DOTALL,
)

#: What a block of each type can't be without.
_NEEDED: Final[dict[str, tuple[str, dict[str, type]]]] = {
    "tool_use": ("toolUse", {"id": str, "name": str}),
    "tool_result": ("toolResult", {"toolUseId": str, "content": str}),
    "attachment": ("attachment", {"filename": str, "mime": str, "ref": str}),
}


def is_turn(turn: Entry) -> bool:
    """Whether a turn has what its shape can't be without: a reduced program may lack it."""
    blocks = turn.get("content")
    return (
        isinstance(turn.get("index"), int)
        and isinstance(turn.get("role"), str)
        and bool(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", str(turn.get("createdAt"))))
        and (blocks is None or (is_array(blocks) and all(map(_is_block, blocks))))
    )


def _is_block(block: Any) -> bool:
    if not is_object(block) or not isinstance(block.get("type"), str):
        return False
    member, needed = _NEEDED.get(block["type"], ("", {}))
    payload = block.get(member, {})
    if not is_object(payload) or not all(isinstance(payload.get(n), k) for n, k in needed.items()):
        return False
    return member != "toolUse" or ("input" in payload and given(block) is not None)


def given(call: Entry) -> bytes | None:
    """The bytes of a call's arguments, or ``None`` where they are no base64."""
    try:
        return b64decode(call["toolUse"]["input"] or "", validate=True)
    except ValueError:
        return None


def in_order(turns: Iterable[Entry]) -> list[Entry]:
    """Turns by index and then role, bytewise. Rule: OA-V1."""
    return sorted(turns, key=lambda each: (each["index"], each["role"].encode()))


def blocks(turn: Entry, kind: str) -> list[Entry]:
    """The blocks of a kind."""
    content: list[Entry] = turn.get("content") or []
    return [each for each in content if each["type"] == kind]


def texts(turn: Entry) -> list[str]:
    """The words of the text blocks."""
    return [each.get("text", "") for each in blocks(turn, "text")]


def read(text: str | bytes) -> Entry | None:
    """A JSON object, or ``None`` for anything else."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if is_object(value) else None


def unwrapped(text: str) -> str:
    """A tool's output without its outer envelope. Rules: OA-V10, D-OA-4."""
    found = _ENVELOPE.fullmatch(text)
    return found[3] if found else text


def timeline(turns: Sequence[Entry]) -> list[Entry]:
    """The items that a person sees. Rules: OA-V1 to OA-V15."""
    done = {each["index"] for each in turns if each["role"] == "inbox_done"}
    items: list[Entry] = []
    cards: dict[str, Entry] = {}
    for turn in in_order(turns):
        for name, snapshot in noted(turn):
            if name not in cards:
                cards[name] = {"name": name, "createdAt": turn["createdAt"]}
                items.append({"kind": "plan", "plan": cards[name]})
            cards[name]["deleted"] = snapshot is None
            cards[name].update({} if snapshot is None else {"snapshot": snapshot})
        if turn["role"] != "inbox" or turn["index"] not in done:
            items += said(turn)
    return items


def said(turn: Entry) -> list[Entry]:
    """The message of a turn, if it shows one. Rules: OA-V2, OA-V4 to OA-V9, OA-V12."""
    seen = [each for each in blocks(turn, "tool_result") if is_live(each)]
    role = SPEAKERS.get(turn["role"])
    text = "\n\n".join(_live(seen) if seen else _spoken(turn))
    if role is None or not text.strip():
        return []
    via = {"via": turn["via"]} if turn.get("via") else {}
    speaker = "agent" if seen else role
    message = {"role": speaker, "text": text, "createdAt": turn["createdAt"], **via}
    return [{"kind": "message", "message": message}]


def is_live(block: Entry) -> bool:
    """Whether a result is flagged as shown. Rule: OA-V9."""
    return bool(block["toolResult"].get("renderedLive"))


def _live(results: list[Entry]) -> list[str]:
    shown = (unwrapped(each["toolResult"]["content"]) for each in results)
    return [each for each in shown if each.strip()]


def _spoken(turn: Entry) -> list[str]:
    if turn["role"] == "assistant" and (calls := blocks(turn, "tool_use")):
        return replies(calls)
    return [each for each in texts(turn) if each]


def replies(calls: Iterable[Entry]) -> list[str]:
    """What an agent says by tool. Rules: OA-V4, OA-V8."""
    spoken = [each for each in calls if each["toolUse"]["name"] == "respond_to_user"]
    found = [(read(given(each) or b"") or {}).get("text") for each in spoken]
    return [each for each in found if isinstance(each, str) and each.strip()]


def noted(turn: Entry) -> list[tuple[str, Entry | None]]:
    """The plans that a note tells of, a deleted one with ``None``. Rule: OA-V11."""
    found: list[tuple[str, Entry | None]] = []
    for each in texts(turn) if turn["role"] == "system_note" else ():
        note = read(each) or {}
        data = note.get("data")
        if note.get("kind") == "plans" and is_object(data):
            upsert = data.get("op") == "upsert"
            told = data.get("plan") if upsert else data
            name = told.get("name") if is_object(told) else None
            if data.get("op") in ("upsert", "delete") and isinstance(name, str) and name:
                found.append((name, told if upsert else None))
    return found
