"""What a page says of each run of a report, in the order in which it says it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from storelaw import facts
from storelaw.grades import lacking
from storelaw.summary import CUT, SENTENCES
from storelaw.verdict import BREAKS, CONFORMS, FAULT, NOTHING, OUTCOMES
from storelaw.waivers import complaint

from .breaks import Break, break_of, known
from .openings import opening

#: How each verdict looks in the matrix, beside its colour; the words of its style.
SIGNS: Final[Mapping[str, str]] = {
    "held": "\u2713",
    "broken": "\u2717",
    "waived": "W",
    "not applicable": "\u2013",
    "not evaluated": "?",
}


#: What each exit code is as the name of a style, and as one character.
STATES: Final[Mapping[int, tuple[str, str]]] = {
    CONFORMS: ("good", "\u2713"),
    BREAKS: ("bad", "\u2717"),
    NOTHING: ("unknown", "?"),
    FAULT: ("failed", "!"),
}


@dataclass(frozen=True, slots=True)
class Cell:
    """One law of the matrix, and the place on the page where it is told."""

    name: str
    verdict: str
    anchor: str
    data: Mapping[str, Any]

    @property
    def scored(self) -> bool:
        """Whether the law counts under the version that the medium is held to."""
        return facts.scored(self.data)

    @property
    def words(self) -> str:
        """The law and its verdict in words."""
        return f"{self.name}: {self.verdict}{'' if self.scored else ', not scored'}"

    @property
    def tried(self) -> str:
        """How many programs the verdict rests on, and how long they took."""
        evidence = self.data["evidence"]
        count = evidence["battery"] + evidence["generated"] + evidence["vectors"]
        return f"{count} programs, {self.data['seconds']:.2f} s" if count else ""

    @property
    def sign(self) -> str:
        """The verdict as one character."""
        return SIGNS[self.verdict]

    @property
    def style(self) -> str:
        """The verdict as the name of a style."""
        return self.verdict.replace(" ", "-")

    @property
    def claim(self) -> str:
        """What the law claims, empty where this kit doesn't know it."""
        law = known(self.name)
        return "" if law is None else law.claim

    @property
    def told(self) -> bool:
        """Whether the law has a part of the page of its own."""
        return "failure" in self.data


@dataclass(frozen=True, slots=True)
class Group:
    """Laws that share a reason or a note, and what would open them."""

    reason: str
    laws: tuple[Cell, ...]
    opening: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One run: everything that its part of the page shows."""

    prefix: str
    run: Mapping[str, Any]
    families: Mapping[str, tuple[Cell, ...]]
    breaks: tuple[Break, ...]

    @property
    def name(self) -> str:
        """The medium."""
        name: str = self.run["manifest"]["name"]
        return name

    @property
    def sentence(self) -> str:
        """What the run says of the medium."""
        if not self.run.get("ended", True) and self.run["exit_code"] != BREAKS:
            return CUT
        if self.lack and not self.run["totals"]["broken"] and not facts.complaints(self.run):
            return "holds what was judged, but lacks a grade that was required"
        return SENTENCES[self.run["exit_code"]]

    @property
    def lack(self) -> str:
        """What keeps the run from the grade that was required, empty where nothing does."""
        return lacking(self.run, self.run["require"]) if "require" in self.run else ""

    @property
    def untold(self) -> int:
        """How many laws were to be judged and were not, since the run was cut short."""
        planned: Mapping[str, int] = self.run.get("planned", {})
        return max(0, sum(planned.values()) - len(self.cells))

    @property
    def unheld(self) -> list[str]:
        """What is wrong with waivers of laws that the medium is never held to."""
        return [facts.NEVER.format(each) for each in self.run.get("unheld", ())]

    @property
    def reached(self) -> list[str]:
        """The grades that were reached."""
        return [grade for grade, each in self.grades.items() if each["reached"]]

    @property
    def state(self) -> str:
        """The exit code as the name of a style."""
        return STATES[self.run["exit_code"]][0]

    @property
    def seal(self) -> str:
        """The exit code as one character."""
        return STATES[self.run["exit_code"]][1]

    @property
    def profile(self) -> str:
        """The profile of the medium; a manifest leaves out what is the default."""
        profile: str = self.run["manifest"].get("profile", "transcript")
        return profile

    @property
    def parts(self) -> Iterator[tuple[str, str, int | None]]:
        """The anchors, titles and sizes of the parts that the page has of this run."""
        found: tuple[tuple[str, str, int | None, bool], ...] = (
            ("grades", "Grades", None, bool(self.grades)),
            ("faults", "Faults", len(self.faults), bool(self.faults)),
            ("families", "Families by laws", None, True),
            ("broken", "Broken laws", len(self.breaks), bool(self.breaks)),
            ("waivers", "Waivers", len(self.waivers), bool(self.waivers or self.unheld)),
            ("unevaluated", "Not evaluated", _size(self.unevaluated), bool(self.unevaluated)),
            ("inapplicable", "Not applicable", _size(self.inapplicable), bool(self.inapplicable)),
            ("notes", "Seen", len(self.notes), bool(self.notes)),
            ("evidence", "Evidence", None, True),
            ("laws", "All laws", len(self.cells), True),
        )
        return ((anchor, title, count) for anchor, title, count, there in found if there)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All laws, family by family."""
        return tuple(each for cells in self.families.values() for each in cells)

    @property
    def counts(self) -> list[tuple[str, str, int]]:
        """Each verdict with its sign and how many laws have it."""
        return [(each, SIGNS[each], self.run["totals"][each]) for each in OUTCOMES]

    @property
    def grades(self) -> Mapping[str, Mapping[str, Any]]:
        """The grades of the run, none where it was made without."""
        grades: Mapping[str, Mapping[str, Any]] = self.run.get("grades", {})
        return grades

    def of(self, names: Iterable[str]) -> list[Cell]:
        """The laws of these names, as far as they are part of the run."""
        wanted = set(names)
        return [each for each in self.cells if each.name in wanted]

    @property
    def waivers(self) -> list[tuple[Cell, Mapping[str, Any], str]]:
        """The laws that have a waiver, with what is wrong with it."""
        return [
            (each, each.data["waiver"], complaint(each.name, each.data["waiver"]))
            for each in self.cells
            if "waiver" in each.data
        ]

    @property
    def faults(self) -> list[Group]:
        """What the medium or the harness kept from being judged."""
        return list(_grouped((each.data["reason"], each) for each in self.cells if _faulty(each)))

    @property
    def unevaluated(self) -> list[Group]:
        """What was not evaluated, by reason, with what would open it."""
        return list(self._unjudged("not evaluated"))

    @property
    def inapplicable(self) -> list[Group]:
        """What is not applicable, by reason."""
        return list(self._unjudged("not applicable"))

    def _unjudged(self, verdict: str) -> Iterator[Group]:
        return _grouped(
            (each.data["reason"], each)
            for each in self.cells
            if each.verdict == verdict and not _faulty(each)
        )

    @property
    def notes(self) -> list[Group]:
        """What was seen and breaks nothing."""
        return list(_grouped((note, each) for each in self.cells for note in each.data["notes"]))

    @property
    def seen(self) -> list[tuple[str, int]]:
        """How often what some laws are about was seen, over all of them."""
        counts: Counter[str] = Counter()
        for each in self.cells:
            counts.update(each.data["evidence"].get("seen", {}))
        return sorted(counts.items())

    @property
    def programs(self) -> dict[str, int]:
        """How many programs all verdicts rest on, by their kind."""
        kinds = ("battery", "generated", "vectors")
        counts = {kind: sum(e.data["evidence"][kind] for e in self.cells) for kind in kinds}
        return {kind: count for kind, count in counts.items() if count}


def _size(groups: Iterable[Group]) -> int:
    return sum(len(each.laws) for each in groups)


def _faulty(cell: Cell) -> bool:
    return bool(cell.data["fault"])


def _grouped(pairs: Iterable[tuple[str, Cell]]) -> Iterator[Group]:
    groups: dict[str, list[Cell]] = {}
    for reason, cell in pairs:
        groups.setdefault(reason, []).append(cell)
    for reason, cells in sorted(groups.items(), key=lambda each: -len(each[1])):
        yield Group(reason, tuple(cells), opening(reason))


def sheets(report: Mapping[str, Any]) -> list[Sheet]:
    """The sheets of a report; the anchors of each are its own where there are several."""
    runs = report["runs"]
    return [_sheet(run, f"r{n}-" if len(runs) > 1 else "") for n, run in enumerate(runs, 1)]


def _sheet(run: Mapping[str, Any], prefix: str) -> Sheet:
    families: dict[str, list[Cell]] = {}
    for law in run["laws"]:
        cell = Cell(law["name"], law["verdict"], f"{prefix}law-{law['name']}", law)
        families.setdefault(law["family"], []).append(cell)
    return Sheet(
        prefix,
        run,
        {name: tuple(cells) for name, cells in families.items()},
        tuple(
            break_of(cell.data, cell.anchor)
            for cells in families.values()
            for cell in cells
            if "failure" in cell.data
        ),
    )
