"""On which line of a JSON text each value stands, by its path."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from storelaw.values import step

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+')


def lines_of(text: str) -> dict[str, int]:
    """The line (from 1) on which the value at each path (``$.a[0]``) begins.

    The text has to be valid JSON.
    """
    return dict(_placed(text))


def _placed(text: str) -> Iterator[tuple[str, int]]:
    stack: list[list[Any]] = []
    line, end, named = 1, 0, False
    for found in _TOKEN.finditer(text):
        line += text.count("\n", end, found.start())
        end, token = found.start(), found.group()
        if token == ":":
            named = True
        elif token in "]}":
            stack.pop()
        elif token == ",":
            named = False
            _advance(stack)
        elif stack and isinstance(stack[-1][1], str) and not named:
            stack[-1][1] = json.loads(token)
        else:
            path = step(*stack[-1]) if stack else "$"
            yield path, line
            named = False
            if token in "[{":
                stack.append([path, 0 if token == "[" else ""])


def _advance(stack: list[list[Any]]) -> None:
    if isinstance(stack[-1][1], int):
        stack[-1][1] += 1
