"""What is recorded of a store: sessions that hold every entry shape of a profile, and values
and names of the kinds that stores have lost when they changed their format.

The shapes are the examples of the schemas, so a new shape is recorded without a change here.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import storelaw_schemas
from storelaw.manifest import Manifest
from storelaw.program import Key, Step, append, ask, call, door
from storelaw.samples import custom, message, said
from storelaw.turned import scope_of
from storelaw.values import Entry, copied

#: The schemas whose examples are entries, by profile.
SHAPES: Final[Mapping[str, tuple[str, ...]]] = {
    "transcript": ("transcript/stored-entry", "transcript/entry"),
    "log": ("log/entry", "log/custom-entry"),
    "turns": ("turns/entry",),
}

#: The schemas whose examples stand inside an entry, by profile.
PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "transcript": ("transcript/block", "transcript/message"),
    "log": ("log/input", "log/event"),
    "turns": ("turns/block",),
}

#: Values that engines are known to trip over; the manifest's ``refuses`` leaves some out.
VALUES: Final[Mapping[str, tuple[Any, ...]]] = {
    "": (
        *("", " ", "\u00e9", "e\u0301", "\u6f22\u5b57", "\U0001f600", "a\r\n\u2028b", '"\\'),
        *(0, -1, 2**53, 0.1, 1.0, True, False, None, [], {}, [[], {"": [None]}]),
    ),
    "nul": ("a\0b",),
    "surrogates": ("\ud800",),
    "big-integers": (2**53 + 1, -(2**63)),
    "big-floats": (1.7e308, 5e-324),
}

#: Names of sessions: related ones, and those in which an engine may see a meaning.
NAMES: Final = (
    "Plan",
    "plan",
    "plan 2",
    "plan/2",
    "plan%_2",
    "r\u00e9sum\u00e9",
    "\U0001f600",
    "7",
)

#: How many entries the long session has, and how many are appended at once.
LONG: Final = 120
BATCH: Final = 40


@dataclass(frozen=True, slots=True)
class Specimen:
    """A session that is recorded, and the batches that are written to it."""

    session: str
    batches: tuple[tuple[Entry, ...], ...]


def specimens(manifest: Manifest) -> tuple[Specimen, ...]:
    """What is recorded of a store with this manifest; batches have one entry where it says so."""
    profile = manifest.profile
    made = [
        Specimen("shapes", _each(_numbered(examples(profile, SHAPES)))),
        Specimen("parts", _each(_numbered(map(_holding(profile), examples(profile, PARTS))))),
        Specimen("values", _each(_numbered(map(_noting(profile), _values(manifest))))),
        Specimen("batch", (tuple(_numbered(examples(profile, SHAPES))),)),
        Specimen("long", _long(profile)),
        *(Specimen(each, _each([_plain(profile, "1")])) for each in NAMES),
    ]
    return tuple(made) if manifest.batch != "one" else tuple(map(_singly, made))


def _each(entries: Iterable[Entry]) -> tuple[tuple[Entry, ...], ...]:
    return tuple((each,) for each in entries)


def _singly(specimen: Specimen) -> Specimen:
    return Specimen(specimen.session, _each(e for batch in specimen.batches for e in batch))


def examples(profile: str, schemas: Mapping[str, tuple[str, ...]]) -> Iterator[Any]:
    """The examples of a profile's schemas; a plain message for a profile of an extension."""
    for name in schemas.get(profile, ()):
        yield from storelaw_schemas.schema(name)["examples"]
    if schemas is SHAPES and profile not in schemas:
        yield said("1")


def _numbered(entries: Iterable[Entry]) -> list[Entry]:
    """The entries with ids of their own, each the child of the one before it."""
    made: list[Entry] = []
    for each in entries:
        entry: Entry = copied(each)
        if "scope" not in entry:
            entry["id"] = f"e{len(made) + 1}"
        for name in {"parent_id", "parentId"} & entry.keys():
            entry[name] = f"e{len(made)}"
        made.append(entry)
    return made


def _plain(profile: str, id: str) -> Entry:
    if profile == "turns":
        return _row(id, [{"type": "text", "text": id}])
    entry: Entry = _noting(profile)(id) | {"id": id}
    return entry


def _row(id: str, content: Any) -> Entry:
    head: Entry = {"scope": {}, "kind": "turn", "id": f"turn-{int(id):06d}-user"}
    return {**head, "createdAt": "2026-01-01T00:00:00Z", "content": {"content": content}}


def _noting(profile: str) -> Callable[[Any], Entry]:
    """A function that gives an entry which holds any value."""
    count = iter(range(1, 1_000))

    def noted(value: Any) -> Entry:
        if profile == "log":
            return {"type": "kit/note", "id": "", "data": {"value": value}, "timestamp": 0}
        if profile == "turns":
            return {**_row(str(next(count)), None), "kind": "note", "content": {"value": value}}
        return custom("", value=value)

    return noted


def _holding(profile: str) -> Callable[[Any], Entry]:
    """A function that gives an entry which holds a part."""
    count = iter(range(1, 1_000))

    def held(part: Any) -> Entry:
        if profile == "log":
            kind = "event" if "turnId" in part else "input"
            return {"type": kind, "id": "", "data": part, "timestamp": 0}
        if profile == "turns":
            return _row(str(next(count)), [part])
        whole = part if "role" in part else message("assistant", part)
        return {**said(""), "message": whole}

    return held


def _values(manifest: Manifest) -> Iterator[Any]:
    for name, values in VALUES.items():
        if name not in manifest.refuses:
            yield from values


def _long(profile: str) -> tuple[tuple[Entry, ...], ...]:
    entries = [_plain(profile, str(index)) for index in range(1, LONG + 1)]
    return tuple(tuple(entries[at : at + BATCH]) for at in range(0, LONG, BATCH))


# ----------------------------------------------------------------------- steps


def writes(manifest: Manifest, operations: frozenset[str]) -> tuple[list[Step], list[Key]]:
    """The steps that write all specimens, and the sessions that there then are."""
    found = specimens(manifest)
    if manifest.profile == "turns":
        scopes: list[Key] = [scope_of(each.session)["id"] for each in found]
        return [step for each in found for step in _puts(each)], scopes
    sessions: list[Key] = [each.session for each in found]
    steps = [append(each.session, *batch) for each in found for batch in each.batches]
    if "fork" in operations and "fork" not in manifest.without:
        steps.append(call("fork", "shapes", new="forked"))
        sessions.append("forked")
    return steps, sessions


def _puts(specimen: Specimen) -> Iterator[Step]:
    scope = scope_of(specimen.session)
    yield door("backend", "B", specimen.session)
    for each in (entry for batch in specimen.batches for entry in batch):
        yield ask("B", "put", entries=({**each, "scope": scope},), one=True)
