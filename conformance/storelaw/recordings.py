"""Recordings: logs that a version of a store wrote once, kept for the versions that come later.

A recording is a folder with ``fixture.json`` (what was recorded, and what was read back then:
schema ``harness/fixture``) and ``files``, the medium's directory as its handles left it.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import storelaw_schemas
from storelaw.errors import Misconfigured
from storelaw.formats import FORMATS, readable
from storelaw.program import Item, Key, Step, append, ask, door, load, reopened
from storelaw.samples import said
from storelaw.turn_samples import turn
from storelaw.turned import scope_of
from storelaw.values import Entry, is_array

FIXTURE: Final = "fixture.json"
FILES: Final = "files"

#: The laws that hold a recording, by the door at which they read it.
LAWS: Final = {
    "store": ("recorded_sessions_are_still_read", "recorded_sessions_take_further_appends"),
    "backend": ("recorded_rows_are_still_read", "recorded_scopes_take_further_rows"),
}

#: What is appended to a recorded session.
NEXT: Final = said("storelaw-next", "what a later version appends")

#: The index of the row that is put into a recorded scope; no recorded one has it.
FURTHER: Final = 999_999


@dataclass(frozen=True, slots=True)
class Kept:
    """What lies on a medium that an earlier version wrote: entries by session, as they were read.

    ``medium`` is the name of the medium that wrote it.
    """

    medium: str
    sessions: Mapping[Key, list[Entry]]


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording in a folder: who made it, and what has to be read back."""

    folder: Path
    profile: str
    kept: Kept


# ---------------------------------------------------------------------- steps


def restored(session: Key = "", *entries: Item, folder: str = "") -> Step:
    """Put in place of the medium one on what an earlier version wrote.

    That is the recording in a folder; without a folder the medium's power ``former`` gives
    the earlier version, which writes these entries to a session.
    """
    return Step("restore", session, entries, 0, {"folder": folder} if folder else {})


def kept(folder: Path, sessions: Iterable[Key]) -> Step:
    """Read sessions by a fresh handle, and copy the medium's directory into a folder."""
    return Step("keep", "", (), 0, {"folder": str(folder), "sessions": tuple(sessions)})


# ----------------------------------------------------------------------- files


def written(recording: Recording, head: Mapping[str, Any]) -> None:
    """Write a recording's ``fixture.json``; ``head`` says by whom and from what it was made."""
    sessions = recording.kept.sessions.items()
    data = {
        "storelaw": FORMATS["fixture"],
        **head,
        "medium": recording.kept.medium,
        "recorded": [{"session": key, "entries": entries} for key, entries in sessions],
    }
    text = json.dumps(data, ensure_ascii=True, indent=1) + "\n"
    (recording.folder / FIXTURE).write_text(text, encoding="ascii")


def read(folder: Path) -> Recording:
    """The recording in a folder; raises :class:`~storelaw.errors.Misconfigured`."""
    file = folder / FIXTURE
    try:
        data: Any = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise Misconfigured(
            f"configuration: can't read a recording from {file}: {error}"
        ) from error
    readable(data, "fixture", str(file))
    for problem in storelaw_schemas.problems("harness/fixture", data):
        raise Misconfigured(f"configuration: {file} is no recording: {problem}")
    if not (folder / FILES).is_dir():
        raise Misconfigured(f"configuration: the recording {folder} has lost its folder {FILES}")
    sessions = {_key(each["session"]): each["entries"] for each in data["recorded"]}
    profile = data["manifest"].get("profile", "transcript")
    return Recording(folder, profile, Kept(data["medium"], sessions))


def _key(session: Any) -> Key:
    return tuple(session) if is_array(session) else session


# -------------------------------------------------------------------- programs


def read_back(sessions: Sequence[Key], name: str) -> list[Step]:
    """Steps that read sessions at a door."""
    return [*opening(sessions, name), *(reading(each, name) for each in sessions)]


def appended(sessions: Sequence[Key], name: str) -> list[Step]:
    """Steps that read each session, append to it, and read it again, also after a reopen."""
    reads = [reading(each, name) for each in sessions]
    writes = [_writing(each, name) for each in sessions]
    again = [*opening(sessions, name), *reads]
    return [*again, *writes, *reads, reopened(), *again]


def opening(sessions: Sequence[Key], name: str) -> list[Step]:
    """The steps that open a door; the flat log needs none."""
    return [] if name == "store" else [door(name, "B", each) for each in sessions[:1]]


def reading(session: Key, name: str) -> Step:
    """The step that reads a session at a door."""
    if name == "store":
        return load(session)
    return ask("B", "query", {"scope": scope_of(session)})


def _writing(session: Key, name: str) -> Step:
    return append(session, NEXT) if name == "store" else row(session, FURTHER)


def row(session: Key, index: int) -> Step:
    """The step that puts a further row into a scope."""
    made = turn(index, "user", f"row {index}")
    entry: Entry = {
        "scope": scope_of(session),
        "kind": "turn",
        "id": f"turn-{index:06d}-user",
        "createdAt": made["createdAt"],
        "content": {"content": made["content"]},
    }
    return ask("B", "put", entries=(entry,), one=True)
