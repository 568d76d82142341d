"""What is read equals what was accepted: the members of entries, and their names."""

from collections.abc import Callable
from typing import Any, Final

from storelaw.aspects import Path, at, demanded, judge_accepted, judge_there, leaves, objects
from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.manifest import Manifest
from storelaw.model.logs import Reading
from storelaw.program import Many, Program
from storelaw.samples import custom, said
from storelaw.strategies.logs import each_holding, guarded, holding, logs_of
from storelaw.strategies.values import NAMES, full_shapes, json_objects, noted
from storelaw.trace import HEADER, Trace
from storelaw.values import Entry, absent, is_object


def _filled(value: Any) -> bool:
    return value not in ("", [], {}) and value is not None


def judge_members(trace: Trace, about: Callable[[Entry, Path], bool], because: str) -> None:
    """Each filled member of an object that the law is about is in the object that came back."""
    for reading, match in demanded(trace):
        for path, members in objects(match.expected):
            found = at(match.observed, path) if match.place is not None else absent
            if not is_object(found):
                continue
            names = {name for name, each in members.items() if _filled(each)}
            lost = names - found.keys()
            if any(about(match.expected, (*path, each)) for each in lost):
                broken(
                    reading.event,
                    expected=match.expected,
                    observed=match.observed,
                    because=because,
                    kind="lost",
                )


#: The names that no ordinary field has; ``id`` and ``created_at`` are ordinary.
_ODD: Final = frozenset(NAMES) - {"a", "A", "id", "created_at"}
_COLUMNS: Final = ("seq", "session_id", "_id", "rowid", "payload", "version", "index")


def _plainly_named(entry: Entry, path: Path) -> bool:
    return path[-1] not in _ODD and not _is_unregistered(entry)


def _is_unregistered(entry: Entry) -> bool:
    return entry.get("type") == "custom" and entry.get("kind") != "note"


@law(
    family="fidelity",
    source=["PI-R1", "kit-values"],
    incidents=["F22", "F44"],
    battery=holding(*full_shapes()),
)
def every_field_of_every_shape_is_kept(trace: Trace) -> None:
    """Each optional field of each entry shape comes back.

    Serialising by a list of fields written by hand, or by the base type, loses what was
    added later: usage, signatures, stop reasons, the output of a server's tool call.
    """
    judge_members(trace, _plainly_named, "every field that was appended comes back.")


@law(
    family="fidelity",
    source=["PI-R3"],
    incidents=["F22", "F49"],
    battery=each_holding(
        {**custom("a"), "kind": "acme/plan", "title": "x", "steps": [{"do": "y"}]},
        {**custom("b"), "kind": "unheard-of", "body": {"in": {"side": "x"}}},
    ),
)
def fields_of_unregistered_kinds_are_kept(trace: Trace) -> None:
    """A custom entry of a kind that nobody registered keeps all its fields in the store.

    A store that decodes entries into the types it knows loses the fields of the rest, and
    writes them back without.
    """
    because = "a custom entry keeps its fields, also when its kind is unknown."
    judge_there(trace, _is_unregistered, because)
    judge_members(trace, lambda entry, path: _is_unregistered(entry), because)


def _named(manifest: Manifest) -> list[Program]:
    taken = {*manifest.fields.values(), *manifest.fields, manifest.entry_id, *HEADER, "type"}
    top = {name: f"my {name}" for name in _COLUMNS if name not in taken}
    nested = [custom(f"n{i}", data={"named": {name: "x"}}) for i, name in enumerate(NAMES)]
    twins = custom("twins", data={"a": "1", "A": "2", "a.b": "3", "\u00e9": "4", "e\u0301": "5"})
    return [guarded(manifest, *nested, twins), guarded(manifest, custom("top", **top))]


def _oddly_named(entry: Entry, path: Path) -> bool:
    return not _plainly_named(entry, path) and not _is_unregistered(entry)


def _has_odd_names(entry: Entry) -> bool:
    return any(name in _ODD or name in _COLUMNS for _, each in objects(entry) for name in each)


def _under_odd_name(path: Path, value: Any) -> bool:
    return bool(path) and path[0] in ("data", *_COLUMNS)


@law(
    family="fidelity",
    source=["kit-values"],
    incidents=["F43", "F45"],
    battery=_named,
    programs=lambda manifest: logs_of(noted(json_objects(manifest)), manifest),
    weight=1,
)
def member_names_are_kept(trace: Trace) -> None:
    """Members keep their names and values, whatever the names mean to the engine.

    Document stores split names at dots and refuse dollars, JavaScript swallows
    ``__proto__``, an empty name vanishes, and a column of the table hides a member of the
    same name.
    """
    because = "a member keeps its name and its value, whatever the name is."
    judge_accepted(trace, _has_odd_names, because)
    judge_members(trace, _oddly_named, because)
    for reading, match in demanded(trace):
        if match.expected.get("id") == "twins" or "seq" in match.expected:
            _judge_named_values(trace, reading, match.expected, match.observed, because)


def _judge_named_values(
    trace: Trace, reading: Reading, expected: Entry, observed: Any, because: str
) -> None:
    for path, value in leaves(expected):
        found = at(observed, path)
        if _under_odd_name(path, value) and found is not absent and not trace.same(value, found):
            broken(reading.event, expected=expected, observed=observed, because=because)


def _bare(manifest: Manifest) -> list[Program]:
    return [
        guarded(manifest, said("a"), custom("b"), custom("c", data={"x": {"y": "z"}})),
        guarded(manifest, Many(said("many"), 120)),
    ]


@law(
    family="fidelity",
    source=["kit-entries"],
    incidents=["F45"],
    battery=_bare,
)
def nothing_is_added_to_an_entry(trace: Trace) -> None:
    """An entry comes back with no member that it didn't have.

    Row numbers, session ids and defaults of the store's own type leak into entries, often
    on one path only, such as that of the long logs. An id may be added where there was none.
    """
    for reading, match in demanded(trace):
        for path, members in objects(match.expected):
            found = at(match.observed, path) if match.place is not None else absent
            more = _added(trace, path, members, found)
            if more:
                broken(
                    reading.event,
                    expected=match.expected,
                    observed=match.observed,
                    because="an entry comes back with no member that it didn't have.",
                )


def _added(trace: Trace, path: Path, members: Entry, found: Any) -> list[str]:
    if not is_object(found):
        return []
    given = {"id"} if path == () else set[str]()
    return [
        name
        for name, value in found.items()
        if name not in members and name not in given and not trace.same({}, {name: value})
    ]
