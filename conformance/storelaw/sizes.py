"""How large and how deep an entry is, measured so that no way of counting can differ.

A limit doesn't say whether its store counts blanks, the entry itself, or its leaves. What a
law calls *inside* is inside by the largest measure, what it calls *outside* is outside by
the smallest.
"""

import json
from typing import Any, Final

from storelaw.aspects import is_list
from storelaw.samples import said
from storelaw.values import Entry, is_object

#: The bytes that an entry may have where nothing is declared: 1 MiB of JSON.
LEGAL_SIZE: Final = 1024 * 1024


def largest(entry: Entry) -> int:
    """The size of an entry in bytes of JSON, with blanks and escapes."""
    return len(json.dumps(entry))


def smallest(entry: Entry) -> int:
    """The size of an entry in bytes of JSON, without blanks and escapes."""
    text = json.dumps(entry, ensure_ascii=False, separators=(",", ":"))
    return len(text.encode("utf-8", "surrogatepass"))


def said_of_size(id: str, size: int) -> Entry:
    """A message whose largest measure is ``size`` bytes; at least an empty one."""
    bare = largest(said(id, "x"))
    return said(id, "x" * max(size - bare + 1, 1))


def said_beyond(id: str, size: int) -> Entry:
    """A message whose smallest measure is one byte more than ``size``."""
    bare = smallest(said(id, "x"))
    return said(id, "x" * max(size - bare + 2, 1))


def depth(value: Any) -> int:
    """How many lists and objects lie inside each other, the value itself among them."""
    deepest = 0
    stack: list[tuple[Any, int]] = [(value, 1)]
    while stack:
        each, level = stack.pop()
        if is_object(each):
            inner = list(each.values())
        elif is_list(each):
            inner = each
        else:
            continue
        deepest = max(deepest, level)
        stack.extend((one, level + 1) for one in inner)
    return deepest
