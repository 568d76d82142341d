"""What a failure is drawn from, as data: the tree of a log with two paths, two lists, two objects.

A judge that knows more than its two sides gives a drawing of its own (``lanes``, ``bytes``,
``aftermath``); for all others one is made here. ``schemas/harness/drawing.schema.json`` says
what is in each.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

from storelaw.narrative import Names
from storelaw.program import Program
from storelaw.trace import Event
from storelaw.values import EXACT

from .lists import lists
from .members import members
from .trees import log_of, tree

__all__ = ["Drawing", "drawn"]

Drawing: TypeAlias = Mapping[str, Any]


def drawn(
    event: Event | None,
    program: Program,
    expected: object,
    observed: object,
    losses: frozenset[str] = EXACT,
) -> Drawing | None:
    """The drawing of a failure at an event, ``None`` where nothing can be drawn.

    A tree is drawn where the sides are entries of a log with parents and differ in which
    they are or where they hang; two lists in any other case of two lists, and the members of
    two objects that differ by more than the losses which the store declares.
    """
    names = Names(program)
    log = log_of(event, program)
    return (
        tree(log, expected, observed, names)
        or lists(expected, observed, names)
        or members(expected, observed, losses)
    )
