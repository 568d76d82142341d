"""Entries of the log profile for programs, small and valid, and the doors to put them through."""

from typing import Any, Final

from storelaw.program import Item, Program, Step, append, ask, door, program
from storelaw.values import Entry

TIME: Final = 1_767_225_600_000
MAIN: Final = "main"


def entry(id: str, type: str, data: Any, parent: str | None = None) -> Entry:
    """An entry with a fixed time, under a parent if one is named."""
    made = {"id": id, "type": type, "data": data, "timestamp": TIME}
    return made if parent is None else {**made, "parentId": parent}


def said(id: str, parent: str | None = None) -> Entry:
    """A user's input whose text is its id."""
    part = {"type": "input_text", "text": id}
    return entry(id, "input", {"type": "message", "role": "user", "content": [part]}, parent)


def state(id: str, parent: str | None = None) -> Entry:
    """A state snapshot that holds its id."""
    return entry(id, "state", {"mark": id}, parent)


def custom(id: str, parent: str | None = None) -> Entry:
    """An entry of a type that nobody has registered."""
    return entry(id, "kit/note", {"note": id}, parent)


def compact(id: str, last: str, parent: str | None = None) -> Entry:
    """A compaction that covers everything up to an entry."""
    return entry(id, "compact", {"summary": id, "lastEntryId": last}, parent)


def happened(id: str, parent: str | None = None, type: str = "note", turn: str = "t") -> Entry:
    """An event."""
    return entry(id, "event", {"type": type, "turnId": turn}, parent)


def ref(id: str, name: str, target: str | None = None) -> Entry:
    """A control entry that moves a ref."""
    return entry(id, "session/ref", {"name": name, **({"targetId": target} if target else {})})


def checkout(place: str, /, **target: str) -> Entry:
    """A control entry that moves the head, to ``name`` or ``id``, or to nothing."""
    kind = {"name": "ref", "id": "id"}.get(next(iter(target), ""), "empty")
    return entry(place, "session/checkout", {"target": {"type": kind, **target}})


def opened(label: str = "A", default: str | None = MAIN) -> Step:
    """Open the refs door on the session ``s``."""
    if default is None:
        return door("refs", label, "s")
    return door("refs", label, "s", default_ref=default)


def put(*entries: Item, on: str = "A") -> Step:
    """``append(entries)`` at the door."""
    return ask(on, "append", entries=entries)


def attached(*steps: Step) -> Program:
    """A program whose session ``A`` starts on the default ref."""
    return program(opened(), *steps)


def detached(*steps: Step) -> Program:
    """A program whose session ``A`` has no default ref."""
    return program(opened(default=None), *steps)


def over(*raw: Entry, steps: tuple[Step, ...], default: str | None = MAIN) -> Program:
    """A program whose session ``A`` finds a raw log that was there before."""
    return program(append("s", *raw), opened(default=default), *steps)


def on_main(*entries: Entry) -> tuple[Entry, ...]:
    """A raw log whose ref ``main`` is checked out and stands on the last of some entries."""
    begins = (ref("r-0", MAIN), checkout("c-0", name=MAIN))
    return (*begins, *entries, *([ref("r-1", MAIN, entries[-1]["id"])] if entries else []))
