"""Reading back what a check has written: a report, or the events that come to one."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

import storelaw_schemas
from storelaw.errors import Misconfigured
from storelaw.events import Fold
from storelaw.formats import newer


def read(file: Path) -> dict[str, Any]:
    """The report in a file, or that of the events in it.

    Raises :class:`~storelaw.errors.Misconfigured` for what can't be read, is neither of the
    two, or is of a newer format than this kit knows.
    """
    try:
        text = file.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Misconfigured(f"configuration: can't read {file}: {error}") from error
    if is_stream(text):
        return folded(text.splitlines(keepends=True), str(file))
    return _checked("harness/report", _value(text, str(file)), str(file))


def is_stream(text: str) -> bool:
    """Whether a text looks like events: its first line is an object that names its event."""
    try:
        first: object = json.loads(text.lstrip().split("\n", 1)[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(first, dict) and "event" in first


def folded(lines: Iterable[str], name: str = "the stream") -> dict[str, Any]:
    """The report that the lines of a stream come to; a last line that was cut doesn't count.

    A run that has no end is told as one that was cut short: ``ended`` is false, and its exit
    code is 1 where a law is broken, else 3. Raises as :func:`read` does.
    """
    fold = Fold()
    for number, line in enumerate(lines, start=1):
        if line.strip() and not _cut(line):
            where = f"{name}, line {number}"
            try:
                fold.told(_checked("harness/event", _value(line, where), where))
            except LookupError:
                raise Misconfigured(f"configuration: {where}: its run has not begun") from None
    return fold.report()


def _cut(line: str) -> bool:
    """Whether a line has no end and is no JSON: whoever wrote it was stopped."""
    try:
        return not line.endswith("\n") and json.loads(line) is None
    except ValueError:
        return True


def _value(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Misconfigured(f"configuration: {where} is no JSON: {error}") from None


def _checked(kind: str, value: Any, where: str) -> dict[str, Any]:
    """A value that its schema describes; raises with the first problem."""
    name = kind.removeprefix("harness/")
    words = newer(value, name)
    if words:
        raise Misconfigured(f"configuration: {where} {words}")
    for problem in storelaw_schemas.problems(kind, value):
        raise Misconfigured(f"configuration: {where} is no {name}: {problem}")
    return cast("dict[str, Any]", value)
