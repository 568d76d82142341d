"""Laws: one checkable sentence each, with its clause, in one registry.

A law is a plain function with the :func:`law` decorator. The function judges a trace: it
returns nothing (or a note on what it saw, or counts of it) where the law held, and calls
:func:`~storelaw.failures.broken` where it didn't. Registering is enough: the plugin, the
command line, the reference page and the report all read :func:`registered`.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from storelaw.errors import Misconfigured
from storelaw.manifest import Manifest
from storelaw.program import Program
from storelaw.trace import Trace

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Requirement: TypeAlias = Literal["MUST", "SHOULD", "MAY"]
#: The name of a door of some profile: store, session, views, ...
Door: TypeAlias = str
#: How often a judge saw what its law is about, by a word for it.
Seen: TypeAlias = Mapping[str, int]
Judge: TypeAlias = Callable[[Trace], "str | Seen | None"]
Battery: TypeAlias = Callable[[Manifest], Iterable[Program]]
Programs: TypeAlias = Callable[[Manifest], "SearchStrategy[Program]"]
Applies: TypeAlias = Callable[[Manifest], str | None]

FAMILIES: Final = (
    "fidelity",
    "order",
    "isolation",
    "lifecycle",
    "window",
    "idempotency",
    "atomicity",
    "concurrency",
    "crash",
    "upgrade",
    "chain",
    "resume",
    "views",
    "log_agent",
    "log_refs",
    "log_views",
    "turn_memory",
    "turn_appender",
    "turn_timeline",
)


@dataclass(frozen=True, slots=True)
class Law:
    """One law: its sentence, its clause, and how it is judged.

    ``operations`` are the handle's, ``acts`` the session's calls without which the law says
    nothing: each must have succeeded at least once, or the verdict is *not evaluated*.
    ``creates`` says that the programs speak of creation themselves; elsewhere a ``create``
    is put before the first write to a session of a store that has it.
    ``applies`` gives the reason why a manifest is outside the law, or ``None``.
    ``weight`` is the law's share of an effort's generated programs.
    """

    name: str
    claim: str
    family: str
    judge: Judge
    battery: Battery
    requirement: Requirement = "MUST"
    since: str = "0.1"
    door: Door = "store"
    operations: frozenset[str] = frozenset({"append", "load"})
    acts: frozenset[str] = frozenset()
    creates: bool = False
    promises: frozenset[str] = frozenset()
    powers: frozenset[str] = frozenset()
    applies: Applies | None = None
    source: tuple[str, ...] = ()
    incidents: tuple[str, ...] = ()
    programs: Programs | None = None
    weight: int = 0
    doc: str = field(default="", compare=False)

    @property
    def title(self) -> str:
        """``family/name``: the stable id of the law in pytest and in reports."""
        return f"{self.family}/{self.name}"

    def __call__(self, trace: Trace) -> str | Seen | None:
        return self.judge(trace)


_REGISTRY: Final[dict[str, Law]] = {}


def law(
    *,
    family: str,
    battery: Battery | Sequence[Program],
    source: Sequence[str],
    requirement: Requirement = "MUST",
    since: str = "0.1",
    door: Door = "store",
    operations: Iterable[str] = ("append", "load"),
    acts: Iterable[str] = (),
    creates: bool = False,
    promises: Iterable[str] = (),
    powers: Iterable[str] = (),
    applies: Applies | None = None,
    incidents: Sequence[str] = (),
    programs: Programs | None = None,
    weight: int = 1,
) -> Callable[[Judge], Law]:
    """Make a law of a judging function; its name is the law's, its docstring the claim.

    ``battery`` are fixed programs (or a function of the manifest that gives them),
    ``programs`` a function of the manifest that gives a Hypothesis strategy of programs,
    ``promises`` manifest fields that must be true, ``powers`` methods of the medium,
    ``source`` the rules (``PI-A1``, ``design``) and ``incidents`` the fault kinds (``F01``).
    """

    def decorate(judge: Judge) -> Law:
        doc = inspect.getdoc(judge) or ""
        made = Law(
            name=getattr(judge, "__name__", ""),
            claim=" ".join(doc.split("\n\n")[0].split()),
            family=family,
            judge=judge,
            battery=battery if callable(battery) else _fixed(tuple(battery)),
            requirement=requirement,
            since=since,
            door=door,
            operations=frozenset(operations),
            acts=frozenset(acts),
            creates=creates,
            promises=frozenset(promises),
            powers=frozenset(powers),
            applies=applies,
            source=tuple(source),
            incidents=tuple(incidents),
            programs=programs,
            weight=weight if programs else 0,
            doc=doc,
        )
        return register(made)

    return decorate


def _fixed(programs: tuple[Program, ...]) -> Battery:
    return lambda _: programs


def register(made: Law) -> Law:
    """Add a law to the registry; a name can stand for one law only."""
    if not made.claim:
        raise Misconfigured(f"configuration: law {made.name!r} has no docstring, so no claim")
    if not re.fullmatch(r"\d+(\.\d+)*", made.since):
        raise Misconfigured(
            f"configuration: law {made.name!r} has since={made.since!r}, which is no version; "
            "write one such as '0.1'"
        )
    known = _REGISTRY.get(made.name)
    if known is not None and known.judge.__module__ != made.judge.__module__:
        raise Misconfigured(f"configuration: two laws are called {made.name!r}")
    _REGISTRY[made.name] = made
    return made


def registered() -> tuple[Law, ...]:
    """All laws that were imported so far, by family and in the order of their modules."""
    order = {name: index for index, name in enumerate(FAMILIES)}
    return tuple(sorted(_REGISTRY.values(), key=lambda each: order.get(each.family, len(order))))


def requires_option(name: str, *values: str) -> Applies:
    """Outside the law unless the manifest declares one of these values of an option."""

    def applies(manifest: Manifest) -> str | None:
        declared: Any = getattr(manifest.contract, name)
        if declared in values:
            return None
        return f"option {name} is {declared or 'undeclared'}, not {' or '.join(values)}"

    return applies


def requires_field(name: str, *values: object) -> Applies:
    """Outside the law unless a manifest field has one of these values."""

    def applies(manifest: Manifest) -> str | None:
        value = getattr(manifest, name)
        return None if value in values else f"manifest field {name} is {value!r}"

    return applies


def requires_filter(*names: str) -> Applies:
    """Outside the law unless the manifest's ``filters`` names all of these."""

    def applies(manifest: Manifest) -> str | None:
        missing = sorted(set(names) - manifest.filters)
        return f"no filter {', '.join(missing)}" if missing else None

    return applies


def all_of(*conditions: Applies) -> Applies:
    """Outside the law where any of the conditions is."""

    def applies(manifest: Manifest) -> str | None:
        return next((reason for each in conditions if (reason := each(manifest))), None)

    return applies
