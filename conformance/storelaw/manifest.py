"""What a medium says of itself: profile, promises, options, limits."""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from typing import Any, Final, cast

from storelaw.contract import Contract, unknown
from storelaw.errors import IDENTITIES, Misconfigured
from storelaw.formats import FORMATS, readable
from storelaw.profiles import OWN, STORE, profile_named
from storelaw.values import is_array, is_object, is_tuple

FILTERS: Final = ("last", "first", "after", "before", "since")
LOSSES: Final = ("numbers", "times", "empties")
REFUSALS: Final = ("nul", "surrogates", "big-integers", "big-floats")
FIELDS: Final = ("id", "parent_id", "created_at", "type")

#: The operations of a handle, in the order of the documentation.
OPERATIONS: Final = (
    "append",
    "append_one",
    "load",
    "create",
    "record",
    "list_sessions",
    "delete",
    "clear",
    "pop",
    "replace",
    "delete_entry",
    "fork",
    "headers",
    "refresh",
)

_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "batch": ("prefix", "atomic", "one"),
    "crash": ("none", "prefix-safe", "batch-atomic", "acknowledged"),
    "consistency": ("per-writer", "sequential", "real-time"),
    "isolation": ("deep", "none"),
    "keep_unit": ("entries", "pairs", "turns"),
}
_SETS: Final[Mapping[str, tuple[str, ...]]] = {
    "writers": ("tasks", "threads", "processes"),
    "refuses": REFUSALS,
    "filters": FILTERS,
}


#: Sets whose members depend on the profile.
_NAMED: Final = ("doors", "without")


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """A medium's claims. Every field but ``name`` has a default; an unknown one is refused.

    Raises :class:`~storelaw.errors.Misconfigured` with the field, the offending value and
    the values that exist. ``docs/manifest.md`` lists each field with the laws it opens.
    """

    name: str
    profile: str = "transcript"
    doors: frozenset[str] = frozenset({"store"})
    entry_id: str | None = "id"
    fields: Mapping[str, str] = field(default_factory=dict[str, str])
    durable: bool = False
    batch: str = "prefix"
    crash: str = "none"
    writers: frozenset[str] = frozenset({"tasks"})
    consistency: str = "per-writer"
    isolation: str = "deep"
    closed_is_final: bool = False
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    key_parts: tuple[str, ...] = ()
    optional_parts: int = 0
    filters: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()
    errors: Mapping[str, Any] = field(default_factory=dict[str, Any])
    max_id: int | None = None
    max_entry: int | None = None
    max_depth: int | None = None
    refuses: frozenset[str] = frozenset()
    keep: int | None = None
    keep_unit: str = "entries"
    handles: int | None = None
    equality: str | frozenset[str] = "exact"
    operation_timeout: float = 30.0
    cost: float | None = None
    probe_ids: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check_types(self)
        for name, allowed in _CHOICES.items():
            _check_choice(name, getattr(self, name), allowed)
        for name, allowed in _SETS.items():
            for value in getattr(self, name):
                _check_choice(name, value, allowed)
        _check_doors(self)
        for name in self.errors:
            _check_choice("errors", name, tuple(IDENTITIES))
        for name in self.fields:
            _check_choice("fields", name, FIELDS)
        whole = ("exact", "json") if isinstance(self.equality, str) else ()
        for loss in self.losses:
            _check_choice("equality", loss, (*whole, *LOSSES))
        Contract.of(self.options)

    @property
    def losses(self) -> frozenset[str]:
        """The differences that the store declares: none when ``equality`` is ``exact``."""
        if isinstance(self.equality, str):
            return {"exact": frozenset[str](), "json": frozenset({"numbers"})}.get(
                self.equality, frozenset({self.equality})
            )
        return frozenset(self.equality)

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Manifest":
        """A manifest from plain data (lists become sets and tuples).

        Raises :class:`~storelaw.errors.Misconfigured` also for a newer version of the format.
        """
        data = {k: v for k, v in readable(data, "manifest").items() if k != "storelaw"}
        known = {each.name: each for each in fields(cls)}
        for name in data:
            if name not in known:
                raise Misconfigured(unknown("manifest field", name, known))
        if "name" not in data:
            raise Misconfigured("configuration: manifest field 'name' is missing")
        return cls(**{name: _shaped(name, value) for name, value in data.items()})

    @property
    def contract(self) -> Contract:
        """The options, undeclared ones as ``None``."""
        return _contract_of(tuple(self.options.items()))

    def data(self) -> dict[str, Any]:
        """The fields that differ from their defaults, as JSON (``schemas/harness/manifest``)."""
        return {"storelaw": FORMATS["manifest"]} | {
            each.name: _plain(getattr(self, each.name))
            for each in fields(self)
            if each.name == "name" or getattr(self, each.name) != _default(each)
        }


@cache
def _contract_of(options: tuple[tuple[str, str], ...]) -> Contract:
    return Contract.of(dict(options))


def _default(each: Any) -> object:
    return each.default if each.default is not MISSING else each.default_factory()


def _shaped(name: str, value: Any) -> Any:
    if name == "errors" and is_object(value):
        return {key: tuple(each) if is_array(each) else each for key, each in value.items()}
    if not is_array(value):
        return value
    return frozenset(value) if name in (*_SETS, *_NAMED, "equality") else tuple(value)


def _plain(value: Any) -> Any:
    if isinstance(value, frozenset | set):
        return sorted(cast("frozenset[str]", value))
    if is_tuple(value):
        return list(value)
    if is_object(value):
        return {
            key: each if isinstance(each, str) else _dotted(each) for key, each in value.items()
        }
    return value


def _dotted(each: Any) -> Any:
    if isinstance(each, tuple | list):
        return [_dotted(one) for one in cast("list[Any]", each)]
    return each if isinstance(each, str) else f"{each.__module__}:{each.__qualname__}"


_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "name": (str,),
    "profile": (str,),
    "entry_id": (str, type(None)),
    "fields": (Mapping,),
    "durable": (bool,),
    "closed_is_final": (bool,),
    "options": (Mapping,),
    "key_parts": (tuple,),
    "optional_parts": (int,),
    "errors": (Mapping,),
    "equality": (str, frozenset, set),
    "operation_timeout": (int, float),
    "cost": (int, float, type(None)),
    "probe_ids": (tuple,),
    **dict.fromkeys(_CHOICES, (str,)),
    **dict.fromkeys((*_SETS, *_NAMED), (frozenset, set)),
    **{name: (int, type(None)) for name in ("max_id", "max_entry", "max_depth", "keep", "handles")},
}


def _check_types(manifest: Manifest) -> None:
    for name, types in _TYPES.items():
        value = getattr(manifest, name)
        wrong_bool = isinstance(value, bool) and bool not in types
        if wrong_bool or not isinstance(value, types):
            wanted = " or ".join("None" if t is type(None) else t.__name__ for t in types)
            raise Misconfigured(
                f"configuration: manifest field {name!r} is {value!r}, "
                f"a {type(value).__name__}; it takes {wanted}"
            )
    if not manifest.name:
        raise Misconfigured("configuration: manifest field 'name' is empty; give the store a name")


def _check_doors(manifest: Manifest) -> None:
    """The doors and left-out operations are those of the profile, which must be known.

    The kit's own profiles are looked at only where a manifest names more than the store.
    """
    if manifest.profile in OWN and manifest.doors <= {STORE} and manifest.without <= {*OPERATIONS}:
        return
    profile = profile_named(manifest.profile)
    for door in manifest.doors:
        _check_choice("doors", door, (STORE, *(n for n in profile.door_names if n != STORE)))
    for operation in manifest.without:
        _check_choice("without", operation, (*OPERATIONS, *profile.offers))


def _check_choice(name: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise Misconfigured(
            f"configuration: manifest field {name!r} has {value!r}; allowed: {', '.join(allowed)}"
        )
