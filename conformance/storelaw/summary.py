"""What a check prints: each broken law's text, what was not judged and why, the counts."""

from collections import Counter
from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Any, Final

from storelaw.errors import in_ascii
from storelaw.grades import lacking
from storelaw.verdict import BREAKS, CONFORMS, FAULT, NOTHING, OUTCOMES
from storelaw.waivers import complaint

WIDTH: Final = 100

#: What each exit code says of a store.
SENTENCES: Final = {
    CONFORMS: "conforms",
    BREAKS: "does not conform",
    NOTHING: "nothing is known: no MUST was evaluated",
    FAULT: "was not judged to the end: the medium or the harness failed",
}

#: What stands under the text of a failure that does not count.
UNSCORED: Final = "not scored  the law is of a later version than the store is held to."


def counted(run: Mapping[str, Any]) -> str:
    """The name, the counts of all five verdicts, and the terms, on one line."""
    totals = ", ".join(f"{run['totals'][each]} {each}" for each in OUTCOMES)
    unscored = sum(not law.get("scored", True) for law in run["laws"])
    totals += f"; {unscored} not scored" if unscored else ""
    return f"{run['manifest']['name']}: {totals} (effort {run['effort']}, seed {run['seed']})"


def paragraphs(report: Mapping[str, Any], run: Mapping[str, Any]) -> Iterator[str]:
    """The whole output of a check, paragraph by paragraph; the last says what it came to."""
    for law in run["laws"]:
        if law["verdict"] == "broken":
            yield law["failure"]["text"] + ("" if law.get("scored", True) else f"\n{UNSCORED}")
    for group in (_faults, _complaints, _waived, _unjudged, _noted, _seen):
        lines = list(group(run))
        if lines:
            yield "\n".join(lines)
    yield "\n".join(_ending(report, run))


def _faults(run: Mapping[str, Any]) -> Iterator[str]:
    yield from dict.fromkeys(law["reason"] for law in run["laws"] if law["fault"])


def _complaints(run: Mapping[str, Any]) -> Iterator[str]:
    for law in run["laws"]:
        words = complaint(law["name"], law["waiver"]) if "waiver" in law else ""
        if words:
            yield words
    for name in run.get("unheld", ()):
        yield f"unused waiver: {name} is none of the laws that this store is held to"


def _waived(run: Mapping[str, Any]) -> Iterator[str]:
    for law in run["laws"]:
        if law["verdict"] == "waived":
            until = law["waiver"]["until"]
            yield f"waived until {until}: {law['name']}: {law['reason']}"


def _unjudged(run: Mapping[str, Any]) -> Iterator[str]:
    """What was not judged and why: laws that don't apply by number, the others by name."""
    for reason, names in _grouped(run, "not applicable").items():
        yield f"not applicable: {in_ascii(reason)} ({len(names)})"
    for reason, names in _grouped(run, "not evaluated").items():
        yield f"not evaluated: {in_ascii(reason)}"
        yield from _listed(names)


def _grouped(run: Mapping[str, Any], outcome: str) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for law in run["laws"]:
        if law["verdict"] == outcome and not law["fault"]:
            groups.setdefault(law["reason"], []).append(law["name"])
    return groups


def _noted(run: Mapping[str, Any]) -> Iterator[str]:
    groups: dict[str, list[str]] = {}
    for law in run["laws"]:
        for note in law["notes"]:
            groups.setdefault(note, []).append(law["name"])
    for note, names in groups.items():
        yield f"noted: {in_ascii(note)}"
        yield from _listed(names)


def _seen(run: Mapping[str, Any]) -> Iterator[str]:
    """How often what some laws are about was seen, over all of them."""
    counts: Counter[str] = Counter()
    for law in run["laws"]:
        counts.update(law.get("evidence", {}).get("seen", {}))
    if counts:
        yield f"seen: {', '.join(f'{count} {word}' for word, count in sorted(counts.items()))}"


def _listed(names: list[str]) -> list[str]:
    return wrap(", ".join(names), WIDTH, initial_indent="    ", subsequent_indent="    ")


def _ending(report: Mapping[str, Any], run: Mapping[str, Any]) -> Iterator[str]:
    saved = [law["failure"]["saved"] for law in run["laws"] if "saved" in law.get("failure", {})]
    for each in saved:
        yield f"saved {each}"
    if run["vectors"]:
        yield f"vectors: {', '.join(run['vectors'])}"
    yield (
        f"storelaw {report['kit']}, contract {report['spec']}, "
        f"hypothesis {report['hypothesis']}, python {report['python']}"
    )
    yield from _grades(run)
    yield counted(run)
    yield f"{run['manifest']['name']} {_sentence(run)}"


def _grades(run: Mapping[str, Any]) -> Iterator[str]:
    """The grades that were reached, and why the others were not."""
    found: Mapping[str, Any] = run.get("grades", {})
    reached = [grade for grade, each in found.items() if each["reached"]]
    reasons: dict[str, list[str]] = {}
    for grade, each in found.items():
        if not each["reached"]:
            reasons.setdefault(each["reason"], []).append(grade)
    missed = [f"not {', '.join(names)}: {in_ascii(why)}" for why, names in reasons.items()]
    if found:
        yield f"grades: {'; '.join([', '.join(reached) or 'none', *missed])}"


def _sentence(run: Mapping[str, Any]) -> str:
    """What the run says of the store, and which grade it lacks that was required."""
    words = lacking(run, run["require"]) if "require" in run else ""
    complaints = [*_complaints(run)]
    if words and run["exit_code"] == BREAKS and not run["totals"]["broken"] and not complaints:
        return in_ascii(f"holds what was judged, but {words}")
    return in_ascii(f"{SENTENCES[run['exit_code']]}{words and f', and {words}'}")
