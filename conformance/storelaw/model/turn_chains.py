"""What a signed entry's digest is, and how a publisher's chain must look (OA-P2)."""

import json
from collections.abc import Iterable
from datetime import UTC
from hashlib import sha256
from typing import Any

from storelaw.model.turns import moment
from storelaw.values import Entry, is_array, is_object


def canonical(value: Any) -> str:
    """JSON text with sorted keys and no white space; a whole float is written as a whole number."""
    return json.dumps(_whole(value), sort_keys=True, separators=(",", ":"))


def _whole(value: Any) -> Any:
    if is_object(value):
        return {name: _whole(each) for name, each in value.items()}
    if is_array(value):
        return [_whole(each) for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def digest(entry: Entry) -> str:
    """The SHA-256 that is signed, and that the next entry of the chain names."""
    held = entry["provenance"]
    members: Entry = {
        "scopeKind": entry["scope"]["kind"],
        "scopeId": entry["scope"]["id"],
        "kind": entry["kind"],
        "id": entry["id"],
        "createdAt": _time(entry),
        "tags": sorted(set(entry.get("tags") or ())),
        "links": entry.get("links"),
        "content": entry.get("content"),
        "publisher": held["publisher"],
        "keyId": held["keyId"],
        "seq": held["seq"],
        "prevHash": held.get("prevHash"),
    }
    parts = (f'"{name}":{canonical(each)}' for name, each in members.items() if each)
    return sha256(("{" + ",".join(parts) + "}").encode()).hexdigest()


def _time(entry: Entry) -> str:
    """A time in UTC, with as many digits below a second as it needs, at most six."""
    text = moment(entry).astimezone(UTC).isoformat(timespec="microseconds")
    return text.removesuffix("+00:00").rstrip("0").rstrip(".") + "Z" if "." in text else text


def chains(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """The signed entries of a scope by publisher, in the order of their positions."""
    found: dict[str, list[Entry]] = {}
    for each in entries:
        held = each.get("provenance")
        if is_object(held) and isinstance(held.get("seq"), int):
            found.setdefault(str(held.get("publisher")), []).append(each)
    for links in found.values():
        links.sort(key=lambda each: each["provenance"]["seq"])
    return found


def positions(links: Iterable[Entry]) -> list[int]:
    """The positions of a chain."""
    return [each["provenance"]["seq"] for each in links]
