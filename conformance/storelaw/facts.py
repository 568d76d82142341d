"""What a run of a report says beside its verdicts, as lines: counts, grades, reasons, notes."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from storelaw.errors import in_ascii
from storelaw.verdict import OUTCOMES
from storelaw.waivers import complaint

Run: TypeAlias = Mapping[str, Any]

#: How many families a table shows before it adds the last ones up.
MOST_FAMILIES: Final = 13

#: What stands under the text of a failure that does not count.
UNSCORED: Final = "not scored  the law is of a later version than the store is held to."

#: What is said of the waiver of a law that the store is never held to.
NEVER: Final = "unused waiver: {} is none of the laws that this store is held to"

#: How the reason begins that a law needs a power of the medium.
_POWER: Final = "the medium has no power "


def table(run: Run) -> Iterator[str]:
    """The counts of the five verdicts, family by family; what is not scored doesn't count."""
    rows = _rows(run)
    width = max([14, *(len(name) for name, _ in rows)])
    if rows:
        yield f"{'':<{width}}  {'  '.join(OUTCOMES)}"
    for name, counts in rows:
        cells = "  ".join(f"{counts[outcome] or '-':>{len(outcome)}}" for outcome in OUTCOMES)
        yield f"{name:<{width}}  {cells}"


def _rows(run: Run) -> list[tuple[str, Counter[str]]]:
    counts: dict[str, Counter[str]] = {}
    for law in filter(scored, run["laws"]):
        counts.setdefault(law["family"], Counter())[law["verdict"]] += 1
    rows = list(counts.items())
    if len(rows) <= MOST_FAMILIES:
        return rows
    shown, added = rows[: MOST_FAMILIES - 1], rows[MOST_FAMILIES - 1 :]
    return [*shown, (f"{len(added)} others", sum((each for _, each in added), Counter[str]()))]


def scored(law: Mapping[str, Any]) -> bool:
    """Whether a law counts: it is of the version of the contract that was asked for."""
    return bool(law.get("scored", True))


def grades(run: Run) -> list[str]:
    """The grades that are reached, then why the others are not, and which laws are in the way."""
    found: Mapping[str, Mapping[str, Any]] = run.get("grades", {})
    reached = [name for name, each in found.items() if each["reached"]]
    missed = [(each["reason"], name) for name, each in found.items() if not each["reached"]]
    lines = [f"{', '.join(reached) or 'none'} reached"] if found else []
    for reason, names in _grouped(missed).items():
        missing = ", ".join(found[names[0]]["missing"])
        lines.append(f"not {', '.join(names)}: {reason}{f' ({missing})' if missing else ''}")
    return lines


def waived(run: Run) -> list[str]:
    """Each waived law with the end and the reason of its waiver."""
    return [
        f"until {law['waiver']['until']}: {law['name']}: {law['reason']}"
        for law in run["laws"]
        if law["verdict"] == "waived"
    ]


def unjudged(run: Run) -> list[str]:
    """Why laws were not evaluated, how many, and what would open them."""
    groups = reasons(run, "not evaluated")
    return [f"{len(names)}: {reason}{opener(reason)}" for reason, names in groups.items()]


def opener(reason: str) -> str:
    """What would open a law that was not evaluated, as a clause, or nothing."""
    if not reason.startswith(_POWER):
        return ""
    names = reason.removeprefix(_POWER).split(", ")
    return f"; define {', '.join(f'{each}()' for each in names)} on the medium"


def inapplicable(run: Run) -> list[str]:
    """The reasons why laws don't apply with their numbers, the most frequent first."""
    often = sorted(reasons(run, "not applicable").items(), key=lambda each: -len(each[1]))
    return [f"{len(names)}: {reason}" for reason, names in often]


def reasons(run: Run, outcome: str) -> dict[str, list[str]]:
    """The laws of an outcome by the reason for it; faults have a place of their own."""
    chosen = [law for law in run["laws"] if law["verdict"] == outcome and not law["fault"]]
    return _grouped((law["reason"], law["name"]) for law in chosen)


def notes(run: Run) -> dict[str, list[str]]:
    """The laws at which something was noted, by the note."""
    return _grouped((note, law["name"]) for law in run["laws"] for note in law["notes"])


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for key, name in pairs:
        groups.setdefault(key, []).append(name)
    return groups


def seen(run: Run) -> list[str]:
    """How often what some laws are about was seen, over all of them."""
    counts: Counter[str] = Counter()
    for law in run["laws"]:
        counts.update(law.get("evidence", {}).get("seen", {}))
    return [f"{count} {word}" for word, count in sorted(counts.items())]


def saved(run: Run) -> list[str]:
    """The files that programs of broken laws were saved in."""
    return [law["failure"]["saved"] for law in run["laws"] if "saved" in law.get("failure", {})]


def folders(files: Sequence[str]) -> list[str]:
    """Files on one line: the only one, or how many there are in which folder."""
    if len(files) < 2:
        return list(files)
    return [f"{len(files)} programs in {Path(files[0]).parent}"]


def basis(report: Mapping[str, Any], run: Run) -> list[str]:
    """The versions, and the saved programs: what a verdict rests on beside the store."""
    versions = (
        f"storelaw {report['kit']}, contract {report['spec']}, "
        f"hypothesis {report['hypothesis']}, python {report['python']}"
    )
    return [versions, *([f"vectors {', '.join(run['vectors'])}"] if run["vectors"] else [])]


def faults(run: Run) -> list[str]:
    """What stopped the judging, each once."""
    return list(dict.fromkeys(in_ascii(law["reason"]) for law in run["laws"] if law["fault"]))


def complaints(run: Run) -> list[str]:
    """Why waivers fail the run."""
    under = [law for law in run["laws"] if "waiver" in law]
    told = [words for law in under if (words := complaint(law["name"], law["waiver"]))]
    return [*told, *(NEVER.format(name) for name in run.get("unheld", ()))]


def broken(run: Run) -> list[Mapping[str, Any]]:
    """The broken laws, those that count first."""
    laws = [law for law in run["laws"] if law["verdict"] == "broken"]
    return sorted(laws, key=lambda each: not scored(each))


def title(law: Mapping[str, Any]) -> str:
    """A broken law by its name, and whether it counts."""
    return f"{law['family']}/{law['name']}{'' if scored(law) else ' (not scored)'}"


def failure(law: Mapping[str, Any]) -> str:
    """The text of a broken law."""
    text: str = law["failure"]["text"]
    return text if scored(law) else f"{text}\n{UNSCORED}"
