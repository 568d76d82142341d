"""The tree that parents make of a log, with the entries that should be on it and those that were.

Everything is taken from what the judge compared and from the stored log after the step at
which it did. A leaf stands for the way from there to the root, a parent for the entry that
hangs off it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from storelaw.narrative import Names, Words
from storelaw.program import Program
from storelaw.sides import Leaf, Parent
from storelaw.trace import Event, payload
from storelaw.values import Entry, is_array, is_object, same

from .lists import name_of
from .words import brief_words, said

#: How many entries of a log are drawn, and how many it may have to be looked at.
MOST: Final = 24
LONGEST: Final = 500

#: What an entry's parent is called, profile by profile.
PARENTS: Final = ("parent_id", "parentId")

#: What an entry of the observed side is, by whether it should be there and whether it was.
MARKS: Final = {
    (True, True): "path",
    (True, False): "missing",
    (False, True): "extra",
    (False, False): "off",
}


def log_of(event: Event | None, program: Program) -> list[Entry]:
    """The stored log that an event is about, with the ephemeral entries that it answered."""
    if event is None:
        return []
    key = _keys(program).get(str(event.step.on), event.step.session)
    key = next(iter(event.logs)) if len(event.logs) == 1 else key
    log = [each for each in event.logs.get(key) or () if name_of(each) and not _controls(each)]
    answer = event.value if is_array(event.value) else []
    return _merged(log, [each for each in answer if name_of(each) and is_ephemeral(each)])


def _controls(entry: Mapping[str, Any]) -> bool:
    """Whether an entry moves a ref or the head, and is on no path."""
    return entry.get("type") in ("session/ref", "session/checkout")


def is_ephemeral(entry: Mapping[str, Any]) -> bool:
    """Whether an entry is a message that is not to be stored."""
    body = entry.get("message")
    return is_object(body) and body.get("injected") == "ephemeral"


def _keys(program: Program) -> dict[str, Any]:
    """The session that each label of a program stands for."""
    keys: dict[str, Any] = {}
    for step in program.steps:
        if step.do in ("open_session", "open_door"):
            keys[str(step.on)] = step.session
        elif step.do == "fork_session":
            keys[str(step["as_"])] = step["new"]
    return keys


def tree(
    log: Sequence[Entry], expected: object, observed: object, names: Names
) -> dict[str, Any] | None:
    """The drawing of a log with both sides on it.

    ``None`` where the observed side is no entries, nothing has a parent, or both sides are
    the same entries at the same places.
    """
    was = _located(observed, log)
    if was is None or len(log) > LONGEST:
        return None
    should = _located(expected, log, was)
    if should is None and not isinstance(expected, Words):
        return None
    if not any(map(parent_of, [*log, *was, *(should or ())])) or _alike(should, was):
        return None
    sides = {"observed": _shortened(_distinct(_observed(log, should, was, names)))}
    if should is not None:
        sides = {"expected": _shortened(_distinct(_expected(log, should, names))), **sides}
    return {"kind": "tree", **sides}


def parent_of(entry: Mapping[str, Any]) -> str:
    """The id of an entry's parent, empty at a root."""
    found = (entry[each] for each in PARENTS if isinstance(entry.get(each), str))
    return next(found, "")


def _located(side: object, log: Sequence[Entry], twins: Sequence[Entry] = ()) -> list[Entry] | None:
    """A side of a failure as entries with ids, or ``None`` where it is something else.

    What has no id is found in the log by what it says, or stands where its twin does. A single
    id that isn't said to be a leaf or a parent may be anything.
    """
    if isinstance(side, Leaf):
        return _way(log, side)
    if isinstance(side, Parent):
        return [{**side.of, _parents_name(side.of): str(side)}] if name_of(side.of) else None
    if isinstance(side, str):
        return None
    items = side if is_array(side) else [side]
    if len(items) > LONGEST:
        return None
    padded = [*twins, *[None] * len(items)]
    found = [_entry(item, log, twin) for item, twin in zip(items, padded, strict=False)]
    entries = [each for each in found if each is not None]
    names = {each["id"] for each in entries}
    return entries if len(names) == len(items) else None


def _entry(item: object, log: Sequence[Entry], twin: Entry | None) -> Entry | None:
    if isinstance(item, str):
        return next((each for each in log if each["id"] == item), None)
    if not is_object(item):
        return None
    if name_of(item):
        held = [] if "type" in item else [e for e in log if e["id"] == item["id"]]
        return {**held[0], **item} if held else item
    if any(each in item for each in PARENTS):
        return {**twin, **item} if twin and twin.get("type") == item.get("type") else None
    return next((each for each in log if _says(each, item)), None)


def _parents_name(entry: Entry) -> str:
    return next((each for each in PARENTS if each in entry), PARENTS[0])


def _way(log: Sequence[Entry], name: str) -> list[Entry] | None:
    """The entries from the root to one of a log, ``None`` for one that isn't there."""
    index, way = {each["id"]: each for each in log}, dict[str, Entry]()
    while name in index and name not in way:
        way[name] = index[name]
        name = parent_of(index[name])
    return list(way.values())[::-1] if way or not name else None


def _says(entry: Entry, item: Entry) -> bool:
    """Whether an entry has this payload, or this message."""
    return same(payload(entry), item) or same(entry.get("message"), item)


def _alike(should: Sequence[Entry] | None, was: Sequence[Entry]) -> bool:
    """Whether both sides are the same entries at the same places of the tree."""
    return not was if should is None else _places(should) == _places(was)


def _places(entries: Iterable[Entry]) -> dict[str, str]:
    return {each["id"]: parent_of(each) for each in entries}


def _expected(
    log: Sequence[Entry], should: Sequence[Entry], names: Names
) -> Iterator[dict[str, Any]]:
    on = _places(should)
    for each in _merged(log, should):
        yield _node(each, "path" if each["id"] in on else "off", names)


def _observed(
    log: Sequence[Entry], should: Sequence[Entry] | None, was: Sequence[Entry], names: Names
) -> Iterator[dict[str, Any]]:
    wanted, got = _places(should or ()), _places(was)
    for each in _merged(log, [*(should or ()), *was]):
        name: str = each["id"]
        mark = MARKS[name in wanted, name in got]
        mark = "seen" if mark == "extra" and should is None else mark
        moved = mark == "path" and wanted[name] != got[name]
        yield _node(each, "moved" if moved else mark, names)


def _merged(log: Sequence[Entry], side: Sequence[Entry]) -> list[Entry]:
    """The entries of a log and of a side, which says how they are, in their order."""
    found = {each["id"]: each for each in log}
    found.update({each["id"]: each for each in side})
    return list(found.values())


def _node(entry: Entry, mark: str, names: Names) -> dict[str, Any]:
    return {
        "id": entry["id"],
        "parent": parent_of(entry),
        "name": names.name(entry) or names.name(payload(entry)) or brief_words(entry["id"]),
        "says": said(entry),
        "mark": mark,
        **({"ephemeral": True} if is_ephemeral(entry) else {}),
    }


def _distinct(nodes: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Nodes of which no two go by one name: further ones of it go by their ids."""
    found, taken = list[dict[str, Any]](), set[str]()
    for each in nodes:
        name = brief_words(each["id"]) if each["name"] in taken else each["name"]
        taken.add(name)
        found.append({**each, "name": name})
    return found


def _shortened(nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """As many nodes as can be drawn: those nearest to what is marked."""
    told = [index for index, each in enumerate(nodes) if each["mark"] not in ("path", "off")]
    middle = told or [len(nodes) - 1]
    near = sorted(range(len(nodes)), key=lambda each: min(abs(each - one) for one in middle))
    kept = sorted(near[:MOST])
    befores = [-1, *kept]
    return [
        {**nodes[each], **({"before": each - last - 1} if each - last > 1 else {})}
        for each, last in zip(kept, befores, strict=False)
    ]
