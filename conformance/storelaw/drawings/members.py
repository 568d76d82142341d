"""Two values member by member: where they differ."""

from itertools import islice
from typing import Any, Final

from storelaw.values import brief, differences, is_object

#: How many differences are told, and how long a side of one may be.
MOST: Final = 12
WIDTH: Final = 80


def members(expected: object, observed: object, losses: frozenset[str]) -> dict[str, Any] | None:
    """The drawing of two objects, ``None`` where a side is none."""
    if not (is_object(expected) and is_object(observed)):
        return None
    found = list(islice(differences(expected, observed, losses), MOST + 1))
    rows = [
        {
            "path": brief_path(each.path),
            "expected": brief(each.expected, WIDTH),
            "observed": brief(each.observed, WIDTH),
        }
        for each in found[:MOST]
    ]
    return {"kind": "members", "rows": rows, "more": len(found) > MOST} if rows else None


def brief_path(path: str) -> str:
    """A path, cut in its middle."""
    return path if len(path) <= WIDTH else f"{path[: WIDTH // 2]} ... {path[-WIDTH // 2 :]}"
