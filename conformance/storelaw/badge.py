"""A badge for a store's own pages: an endpoint file for shields.io, or a plain SVG.

It says which grades are reached, under which version of the contract, and how many laws
stand behind that: a measurement, which a reader can repeat.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import escape

from storelaw import sinks
from storelaw.errors import Misconfigured, in_ascii
from storelaw.verdict import BREAKS, CONFORMS, NOTHING

LABEL: Final = "storelaw"

#: The colours of the exit codes; white letters can be read on each. A fault has the last one.
COLOURS: Final = {CONFORMS: "#1a7f37", BREAKS: "#b42318", NOTHING: "#5b6470"}
FAULTY: Final = "#9a5b00"
GREY: Final = "#3d434a"

#: About how wide a letter of the badge's font is, and the room beside a text.
LETTER: Final = 6.1
ROOM: Final = 12

SVG: Final = """\
<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" aria-label="{title}">
<title>{title}</title>
<clipPath id="r"><rect width="{width}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)">
<rect width="{left}" height="20" fill="{grey}"/>
<rect x="{left}" width="{right}" height="20" fill="{colour}"/>
</g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11" \
text-anchor="middle">
<text x="{label_at}" y="14" textLength="{label_length}">{label}</text>
<text x="{message_at}" y="14" textLength="{message_length}">{message}</text>
</g>
</svg>
"""


@dataclass(frozen=True, slots=True)
class Badge:
    """What a badge says, in ASCII, and its colour as ``#rrggbb``."""

    message: str
    colour: str

    def endpoint(self) -> dict[str, Any]:
        """The badge as shields.io reads it (``schemas/harness/badge.schema.json``)."""
        colour = self.colour.removeprefix("#")
        return {"schemaVersion": 1, "label": LABEL, "message": self.message, "color": colour}

    def svg(self) -> str:
        """The badge as a picture that needs nothing else."""
        left, right = _width(LABEL), _width(self.message)
        return SVG.format(
            width=left + right,
            left=left,
            right=right,
            grey=GREY,
            colour=self.colour,
            title=escape(f"{LABEL}: {self.message}", {'"': "&quot;"}),
            label=LABEL,
            message=escape(self.message),
            label_at=left / 2,
            message_at=left + right / 2,
            label_length=left - ROOM,
            message_length=right - ROOM,
        )


def _width(text: str) -> int:
    return round(len(text) * LETTER) + ROOM


def of(report: Mapping[str, Any], run: Mapping[str, Any]) -> Badge:
    """The badge of one run of a report."""
    parts = [_verdict(run), f"spec {run.get('spec', report['spec'])}", _counts(run["totals"])]
    colour = COLOURS.get(run["exit_code"], FAULTY)
    return Badge(in_ascii(" | ".join(each for each in parts if each)), colour)


def _verdict(run: Mapping[str, Any]) -> str:
    """The grades that are reached, or what else can be said in a word or two."""
    reached = [name for name, each in run.get("grades", {}).items() if each["reached"]]
    if run["exit_code"] == BREAKS:
        return f"{run['totals']['broken']} broken" if run["totals"]["broken"] else "fails"
    if run["exit_code"] != CONFORMS:
        return "nothing is known" if run["exit_code"] == NOTHING else "not judged to the end"
    return ", ".join(reached) or ("no grade" if run.get("grades") else "conforms")


def _counts(totals: Mapping[str, int]) -> str:
    waived = f", {totals['waived']} waived" if totals["waived"] else ""
    return f"{totals['held']} held{waived}"


def write(report: Mapping[str, Any], file: str | Path, medium: str | None = None) -> None:
    """Write the badge of a report's medium: ``.svg`` as a picture, ``.json`` as an endpoint.

    Raises :class:`~storelaw.errors.Misconfigured` for another suffix, where it isn't clear
    which medium is meant, and where the file can't be written.
    """
    check(file)
    made = of(report, _run(report, medium))
    as_json = json.dumps(made.endpoint(), ensure_ascii=True) + "\n"
    sinks.written(made.svg() if Path(file).suffix == ".svg" else as_json, file)


def check(file: str | Path) -> None:
    """Raise :class:`~storelaw.errors.Misconfigured` for a name that is no badge's."""
    if Path(file).suffix not in (".json", ".svg"):
        raise Misconfigured(
            f"configuration: the badge {str(file)!r} has to end in .json (an endpoint) or .svg"
        )


def _run(report: Mapping[str, Any], medium: str | None) -> Mapping[str, Any]:
    runs: list[Mapping[str, Any]] = report["runs"]
    names = [each["manifest"]["name"] for each in runs]
    found = [each for each, name in zip(runs, names, strict=True) if medium in (None, name)]
    if len(found) == 1:
        return found[0]
    asked = f"for --medium {medium}" if medium else "without --medium"
    raise Misconfigured(
        f"configuration: {len(found)} runs of the report come into question {asked}; "
        f"it has: {', '.join(names) or 'none'}"
    )
