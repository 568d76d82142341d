"""The blocks of a message."""

from typing import Any

from storelaw.values import Entry, is_array, is_object


def blocks(message: Any) -> list[Any]:
    """The blocks of a message; none where its content is null."""
    content = message.get("content") if is_object(message) else None
    return content if is_array(content) else []


def of_type(message: Any, kind: str) -> list[Entry]:
    """The blocks of one type."""
    return [each for each in blocks(message) if is_object(each) and each.get("type") == kind]


def has_block(message: Any, kind: str) -> bool:
    """Whether a message has a block of a type."""
    return bool(of_type(message, kind))


def without(message: Any, kind: str) -> Any:
    """The message without its blocks of a type."""
    if not has_block(message, kind):
        return message
    return {**message, "content": [e for e in blocks(message) if e not in of_type(message, kind)]}
