"""Checking the files that this kit reads and writes: JSON and TOML documents, JSONL logs."""

import json
import tomllib
from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any, Final

import storelaw_schemas
from storelaw.errors import Misconfigured
from storelaw.formats import newer
from storelaw.places import lines_of

#: A key by which a document is recognised, and the schema that it has then.
MARKS: Final = (
    ("steps", "harness/program"),
    ("runs", "harness/report"),
    ("acts", "harness/history"),
    ("waivers", "harness/waivers"),
    ("recorded", "harness/fixture"),
    ("event", "harness/event"),
    ("changes", "harness/diff"),
    ("schemaVersion", "harness/badge"),
    ("grades", "harness/frozen"),
    ("never_alone", "harness/score"),
    ("created_at", "transcript/entry"),
    ("role", "transcript/message"),
    ("name", "harness/manifest"),
)


def problems_of(file: Path, kind: str | None = None) -> Iterator[str]:
    """What is wrong with a file, each problem with its line (in TOML without) and path.

    A ``.jsonl`` file is a session log, or with ``kind`` a value of that schema on each line;
    an ``.ndjson`` file has an event of a check on each line where nothing is said.
    Raises :class:`~storelaw.errors.Misconfigured` when it can't be read, or when it isn't
    clear which schema is meant.
    """
    text = _text(file)
    if file.suffix == ".toml":
        return _table(text, kind, file)
    if file.suffix == ".ndjson":
        return _each_line(text.split("\n"), kind or "harness/event")
    if file.suffix != ".jsonl":
        return _whole(text, kind or _guessed(_value(text), file))
    if kind is None:
        return map(str, storelaw_schemas.check_log(StringIO(text, newline="\n")))
    return _each_line(text.split("\n"), kind)


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Misconfigured(f"configuration: can't read {file}: {error}") from error


def _guessed(value: Any, file: Path) -> str:
    for key, kind in MARKS:
        if isinstance(value, dict) and key in value:
            return kind
    raise Misconfigured(
        f"configuration: it isn't clear what {file} is meant to be; say so by --as, with one of "
        f"{', '.join(storelaw_schemas.names())}"
    )


def _value(text: str) -> Any:
    """The value of a text, or an object without members where it is no JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return {MARKS[0][0]: None}


def _table(text: str, kind: str | None, file: Path) -> Iterator[str]:
    """The problems of a TOML document, which has no places to tell lines by."""
    try:
        value = of_toml(text)
    except ValueError as error:
        return iter((f"is not TOML: {error}",))
    return map(str, storelaw_schemas.problems(kind or _guessed(value, file), value))


def _each_line(lines: Iterable[str], kind: str) -> Iterator[str]:
    for number, line in enumerate(lines, start=1):
        if line:
            yield from _whole(line, kind, number - 1)


def _whole(text: str, kind: str, above: int = 0) -> Iterator[str]:
    """The problems of one value that has so many lines above it."""
    try:
        value: Any = json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno + above}"
        yield f"{where}: $: is not JSON: {error.msg} at column {error.colno}"
        return
    except RecursionError:
        yield f"line {1 + above}: $: is nested too deep to be read"
        return
    words = newer(value, kind.removeprefix("harness/"))
    if words:
        yield f"line {1 + above}: $.storelaw: {words}"
        return
    lines = lines_of(text)
    for each in storelaw_schemas.problems(kind, value):
        yield f"line {lines[each.path] + above}: {each}"


def of_toml(text: str) -> Any:
    """A TOML text as JSON; dates and times become text. Raises ``ValueError``."""
    return json.loads(json.dumps(tomllib.loads(text), default=str))
