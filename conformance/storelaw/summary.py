"""What a check prints: a summary that fits on a screen, then the first failure, then the counts.

Each part is a section that comes through the hook for report sections, as others' do.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from textwrap import wrap
from typing import Any, Final

from storelaw import extensions, facts
from storelaw.errors import in_ascii
from storelaw.facts import Run
from storelaw.grades import lacking
from storelaw.sections import (
    BROKEN,
    ENDING,
    FACTS,
    FAILURES,
    FAMILIES,
    FAULTS,
    OTHERS,
    Section,
    listed,
)
from storelaw.verdict import BREAKS, CONFORMS, FAULT, NOTHING, OUTCOMES

WIDTH: Final = 100
LABEL: Final = 16

#: How many lines some parts may fill on a screen.
MOST_BROKEN: Final = 6
MOST_GRADES: Final = 3
MOST_LINES: Final = 2

#: What each exit code says of a store.
SENTENCES: Final = {
    CONFORMS: "conforms",
    BREAKS: "does not conform",
    NOTHING: "nothing is known: no MUST was evaluated",
    FAULT: "was not judged to the end: the medium or the harness failed",
}
CUT: Final = "was not judged to the end: the run was cut short"


def paragraphs(report: Mapping[str, Any], verbose: bool = False) -> Iterator[str]:
    """The whole output of a check, paragraph by paragraph; the last says what it came to.

    ``verbose`` tells every failure and every reason, else what fits on a screen.
    """
    answers = extensions.called("storelaw_report_section", report=report)
    for place, sections in groupby(listed(answers), key=lambda each: each.place):
        told = [each.told(verbose) for each in sections]
        if place == OTHERS:
            yield from told
        else:
            yield "\n".join(told)


def own(report: Mapping[str, Any]) -> Iterator[Section]:
    """The kit's own sections of the runs of a report; none is empty."""
    for run in report["runs"]:
        for each in _sections(report, run):
            if each.text:
                yield each


def _sections(report: Mapping[str, Any], run: Run) -> Iterator[Section]:
    yield Section("families", "\n".join(facts.table(run)), place=FAMILIES)
    yield from _facts(run)
    basis = _labelled("rests on", facts.basis(report, run))
    yield Section("rests on", basis, place=FACTS)
    for title, lines in (
        ("faults", facts.faults(run)),
        ("failing waivers", facts.complaints(run)),
    ):
        yield Section(title, "\n".join(_most(lines)), "\n".join(lines), FAULTS)
    yield from _broken(facts.broken(run))
    yield Section("verdict", f"{counted(run)}\n{sentence(run)}", place=ENDING)


def _facts(run: Run) -> Iterator[Section]:
    """What else is known, each under a label of its own."""
    notes, files = facts.notes(run), facts.saved(run)
    for label, lines, whole in (
        ("grades", _most(facts.grades(run), MOST_GRADES), facts.grades(run)),
        ("waived", _most(facts.waived(run)), facts.waived(run)),
        ("not evaluated", _most(facts.unjudged(run)), _named(facts.reasons(run, "not evaluated"))),
        (
            "not applicable",
            _joined(facts.inapplicable(run)),
            _named(facts.reasons(run, "not applicable")),
        ),
        ("noted", _joined(notes), _named(notes)),
        ("seen", _joined(facts.seen(run), ", "), facts.seen(run)),
        ("saved", facts.folders(files), files),
    ):
        yield Section(label, _labelled(label, lines), _labelled(label, whole, cut=False), FACTS)


def _broken(laws: Sequence[Mapping[str, Any]]) -> Iterator[Section]:
    """Each of several broken laws on a line, then the failure of the first, or all of them."""
    if len(laws) > 1:
        titles = [facts.title(each) for each in laws]
        text = _labelled("broken", _most(titles, MOST_BROKEN))
        yield Section("broken laws", text, _labelled("broken", titles, cut=False), BROKEN)
    texts = [facts.failure(each) for each in laws]
    yield Section("failures", "".join(texts[:1]), "\n\n".join(reversed(texts)), FAILURES)


def counted(run: Run) -> str:
    """The name, the counts of all five verdicts, and the terms, on one line."""
    totals = ", ".join(f"{run['totals'][each]} {each}" for each in OUTCOMES)
    unscored = sum(not facts.scored(each) for each in run["laws"])
    totals += f"; {unscored} not scored" if unscored else ""
    return f"{run['manifest']['name']}: {totals} (effort {run['effort']}, seed {run['seed']})"


def sentence(run: Run) -> str:
    """What the run says of the store, and which grade it lacks that was required."""
    return in_ascii(f"{run['manifest']['name']} {_said(run)}")


def _said(run: Run) -> str:
    if not run.get("ended", True) and run["exit_code"] != BREAKS:
        return CUT
    words = lacking(run, run["require"]) if "require" in run else ""
    if not words:
        return SENTENCES[run["exit_code"]]
    if run["exit_code"] == BREAKS and not run["totals"]["broken"] and not facts.complaints(run):
        return f"holds what was judged, but {words}"
    return f"{SENTENCES[run['exit_code']]}, and {words}"


def _most(lines: Sequence[str], most: int = MOST_LINES) -> list[str]:
    """The first of the lines, and how many more there are."""
    if len(lines) <= most:
        return list(lines)
    return [*lines[: most - 1], f"and {len(lines) - most + 1} more; -v or --json has them all"]


def _joined(lines: Iterable[str], by: str = "; ") -> list[str]:
    told = by.join(lines)
    return [told] if told else []


def _named(groups: Mapping[str, list[str]]) -> list[str]:
    """Every reason or note, each with the names of its laws."""
    lines: list[str] = []
    for reason, names in groups.items():
        lines.append(f"{len(names)}: {reason}{facts.opener(reason)}")
        lines += wrap(
            ", ".join(names), WIDTH - LABEL, initial_indent="    ", subsequent_indent="    "
        )
    return lines


def _labelled(label: str, lines: Sequence[str], cut: bool = True) -> str:
    """Lines in ASCII behind a label, each cut to the width of a screen."""
    told = [in_ascii(each) for each in lines]
    if cut:
        told = [_shortened(each, WIDTH - LABEL) for each in told]
    heads = [label, *[""] * len(told)]
    return "\n".join(f"{head:<{LABEL}}{each}" for head, each in zip(heads, told, strict=False))


def _shortened(line: str, width: int) -> str:
    return line if len(line) <= width else f"{line[: width - 4]} ..."
