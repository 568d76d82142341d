"""Two reports of the same stores compared: what got better, what got worse, what is new."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, TypeAlias

from storelaw.errors import in_ascii
from storelaw.facts import scored

Report: TypeAlias = Mapping[str, Any]
Run: TypeAlias = Mapping[str, Any]
Pair: TypeAlias = tuple[Run | None, Run | None]

Kind: TypeAlias = Literal[
    "worse",
    "no longer evaluated",
    "no longer waived",
    "grade lost",
    "medium gone",
    "no longer applicable",
    "newly waived",
    "better",
    "newly evaluated",
    "grade gained",
    "new law",
    "gone law",
    "new medium",
]

#: The kinds of change that fail a comparison.
FAILING: Final[tuple[Kind, ...]] = (
    "worse",
    "no longer evaluated",
    "no longer waived",
    "grade lost",
    "medium gone",
)

#: All kinds of change, in the order in which they are told.
KINDS: Final[tuple[Kind, ...]] = (
    *FAILING,
    "no longer applicable",
    "newly waived",
    "better",
    "newly evaluated",
    "grade gained",
    "new law",
    "gone law",
    "new medium",
)

#: The verdicts that say something of a store; the others say why nothing is known.
JUDGED: Final = ("held", "broken", "waived")

#: The kind of a change between two of these.
_JUDGED_KINDS: Final[Mapping[tuple[str, str], Kind]] = {
    ("held", "broken"): "worse",
    ("held", "waived"): "newly waived",
    ("broken", "held"): "better",
    ("broken", "waived"): "newly waived",
    ("waived", "held"): "better",
    ("waived", "broken"): "no longer waived",
}


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is otherwise than before: a law, a grade or a medium, by its name.

    ``before`` and ``after`` are verdicts, or empty; ``why`` is what the newer report says.
    """

    kind: Kind
    medium: str
    name: str
    before: str = ""
    after: str = ""
    why: str = ""

    @property
    def failing(self) -> bool:
        """Whether the store is worse than it was known to be, or less is known of it."""
        return self.kind in FAILING or (self.kind == "newly evaluated" and self.after == "broken")

    def data(self) -> dict[str, Any]:
        """The change as JSON."""
        return {
            "kind": self.kind,
            "medium": self.medium,
            "name": self.name,
            "before": self.before,
            "after": self.after,
            "why": self.why,
            "failing": self.failing,
        }


@dataclass(frozen=True, slots=True)
class Term:
    """Something on which verdicts rest, and which differs between the reports."""

    medium: str
    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is otherwise in a newer report, and on which other terms it was made."""

    changes: tuple[Change, ...]
    terms: tuple[Term, ...]

    @property
    def worse(self) -> bool:
        """Whether anything got worse, or is no longer known."""
        return any(each.failing for each in self.changes)

    def of(self, kind: Kind) -> list[Change]:
        """The changes of one kind."""
        return [each for each in self.changes if each.kind == kind]

    def data(self) -> dict[str, Any]:
        """The comparison as JSON (``schemas/harness/diff.schema.json``)."""
        return {
            "storelaw": 1,
            "worse": self.worse,
            "terms": [asdict(each) for each in self.terms],
            "changes": [each.data() for each in self.changes],
        }


def compared(old: Report, new: Report) -> Comparison:
    """What is otherwise in a newer report than in an older one, medium by medium."""
    changes: list[Change] = []
    terms: list[Term] = []
    for before, after in _paired(old["runs"], new["runs"]):
        if before is None or after is None:
            changes.append(_lone(before, after))
        else:
            changes += (*_laws(before, after), *_grades(before, after))
            terms += _terms(old, new, before, after)
    ordered = sorted(changes, key=lambda each: KINDS.index(each.kind))
    return Comparison(tuple(ordered), tuple(terms))


def _paired(old: list[Run], new: list[Run]) -> Iterator[Pair]:
    """The runs of one medium side by side, by name and target, else by name alone."""
    left = list(new)
    alone: list[Run] = []
    for each in old:
        after = _taken(left, each, "target")
        if after is None:
            alone.append(each)
        else:
            yield each, after
    for each in alone:
        yield each, _taken(left, each)
    yield from ((None, each) for each in left)


def _taken(left: list[Run], run: Run, *names: str) -> Run | None:
    """The first of the runs that is of the same medium, taken out."""
    for each in left:
        same = all(each[name] == run[name] for name in names)
        if same and each["manifest"]["name"] == run["manifest"]["name"]:
            left.remove(each)
            return each
    return None


def _lone(before: Run | None, after: Run | None) -> Change:
    run = before or after or {}
    name = in_ascii(run["manifest"]["name"])
    return Change("medium gone" if before else "new medium", name, name)


def _laws(before: Run, after: Run) -> Iterator[Change]:
    """What became of each law, the old ones first."""
    medium = in_ascii(after["manifest"]["name"])
    olds, news = _records(before), _records(after)
    cut = not after.get("ended", True)
    for name in {**olds, **news}:
        old, new = olds.get(name, {}), news.get(name, {})
        kind = _kind(old.get("verdict", ""), new.get("verdict", ""), cut)
        if kind is not None:
            verdicts = (old.get("verdict", ""), new.get("verdict", ""))
            yield Change(kind, medium, name, *verdicts, _why(new))


def _records(run: Run) -> dict[str, Mapping[str, Any]]:
    """A run's laws that are scored, by title; of one judged twice, the broken one counts."""
    found: dict[str, Mapping[str, Any]] = {}
    for law in filter(scored, run["laws"]):
        title = in_ascii(f"{law['family']}/{law['name']}")
        if found.get(title, {}).get("verdict") != "broken":
            found[title] = law
    return found


def _kind(before: str, after: str, cut: bool) -> Kind | None:
    """What a change of verdict is, or ``None``; an empty verdict is that of a law not there.

    Where the newer run was cut short, a law that isn't there was not judged.
    """
    if before in JUDGED and after in JUDGED:
        return _JUDGED_KINDS.get((before, after))
    if before in JUDGED and (after or cut):
        return "no longer applicable" if after == "not applicable" else "no longer evaluated"
    if not after:
        return None if cut else "gone law"
    if not before:
        return "new law"
    return _newly(after) if after in JUDGED else None


def _newly(after: str) -> Kind:
    return "newly waived" if after == "waived" else "newly evaluated"


def _why(law: Mapping[str, Any]) -> str:
    """Why a law has its verdict: its failure's reason, or its own."""
    return in_ascii(law.get("failure", {}).get("because", "") or law.get("reason", ""))


def _grades(before: Run, after: Run) -> Iterator[Change]:
    """The grades that only one of two runs reaches, of those that both know."""
    olds, news = before.get("grades", {}), after.get("grades", {})
    medium = in_ascii(after["manifest"]["name"])
    for name in [each for each in olds if each in news]:
        was, is_now = olds[name]["reached"], news[name]["reached"]
        if was != is_now:
            missing = ", ".join(news[name]["missing"])
            told = f"missing: {missing}" if missing else news[name]["reason"]
            why = "" if is_now else in_ascii(told)
            yield Change("grade gained" if is_now else "grade lost", medium, name, why=why)


def _terms(old: Report, new: Report, before: Run, after: Run) -> Iterator[Term]:
    """Each version and term that differs."""
    medium = in_ascii(after["manifest"]["name"])
    for name in ("kit", "spec", "hypothesis", "python"):
        if old[name] != new[name]:
            yield Term(medium, name, in_ascii(old[name]), in_ascii(new[name]))
    for name in ("target", "effort", "seed"):
        if before[name] != after[name]:
            yield Term(medium, name, in_ascii(str(before[name])), in_ascii(str(after[name])))


def told(comparison: Comparison) -> Iterator[str]:
    """The lines of a comparison: the terms, each kind of change, and what it comes to."""
    for term in comparison.terms:
        yield f"{term.medium}: {term.name} {term.before} -> {term.after}"
    if comparison.terms:
        yield ""
    for kind in KINDS:
        changes = comparison.of(kind)
        if changes:
            yield f"{kind} ({len(changes)})"
            yield from map(_line, changes)
            yield ""
    yield _ending(comparison)


def _line(change: Change) -> str:
    name = change.name if change.name == change.medium else f"{change.medium}: {change.name}"
    verdicts = ""
    if change.before or change.after:
        verdicts = f": {change.before or 'not there'} -> {change.after or 'not there'}"
    return f"    {name}{verdicts}{f' ({change.why})' if change.why else ''}"


def _ending(comparison: Comparison) -> str:
    counts = [f"{len(comparison.of(kind))} {kind}" for kind in KINDS if comparison.of(kind)]
    sentence = "something got worse" if comparison.worse else "nothing got worse"
    return f"{', '.join(counts) or 'no change'}: {sentence}"
