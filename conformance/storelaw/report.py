"""The report of a run as JSON (``schemas/harness/report.schema.json``).

One record for each law travels from the process that judged it, as ASCII JSON; a report
groups the records by medium. Values that are no JSON are described, never dropped.
"""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeGuard, cast

from storelaw import grades, release, sinks, specification
from storelaw.clauses import Law
from storelaw.failures import Failure
from storelaw.formats import FORMATS
from storelaw.narrative import text
from storelaw.specification.versions import scored
from storelaw.values import brief
from storelaw.verdict import (
    BREAKS,
    CONFORMS,
    FAULT,
    OFFENCES,
    OUTCOMES,
    Evidence,
    Verdict,
    counts,
    exit_code,
)

VERSION: Final = FORMATS["report"]

#: How deep a value may be nested to be written as it is.
DEEPEST: Final = 200


def plain(value: object, depth: int = 0) -> Any:
    """A value as JSON; what JSON can't hold becomes ``{"$storelaw": description}``."""
    if depth < DEEPEST and _is_list(value):
        return [plain(each, depth + 1) for each in value]
    if depth < DEEPEST and _is_object(value):
        return {key: plain(each, depth + 1) for key, each in value.items()}
    if value is None or isinstance(value, bool | str) or _writable(value):
        return value
    return {"$storelaw": brief(value, 200)}


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)


def _is_object(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict) and all(isinstance(key, str) for key in cast(Any, value))


def _writable(value: object) -> bool:
    if isinstance(value, int):
        return value.bit_length() < 10_000
    return isinstance(value, float) and math.isfinite(value)


def ascii_json(value: object) -> str:
    """A value as JSON text in ASCII, as it may cross a process border."""
    return json.dumps(value, ensure_ascii=True)


def law_data(
    law: Law,
    verdict: Verdict,
    waiver: Mapping[str, Any] | None = None,
    spec: str = release.SPEC,
) -> dict[str, Any]:
    """What a law came to, as JSON; ``spec`` is the version that the store is held to."""
    evidence = verdict.evidence
    data: dict[str, Any] = {
        "name": law.name,
        "family": law.family,
        "requirement": law.requirement,
        "door": law.door,
        "source": list(law.source),
        "clauses": [each.name for each in specification.cited_by(law)],
        "scored": scored(law.since, spec),
        "verdict": verdict.outcome,
        "reason": verdict.reason,
        "fault": verdict.fault,
        "evidence": {
            "battery": evidence.battery,
            "generated": evidence.generated,
            "vectors": evidence.vectors,
            "seen": dict(evidence.seen),
        },
        "seconds": round(verdict.seconds, 6),
        "notes": list(verdict.notes),
    }
    if waiver is not None:
        data["waiver"] = dict(waiver)
    if verdict.failure is not None:
        data["failure"] = _failure_data(verdict.failure)
    return data


def _failure_data(failure: Failure) -> dict[str, Any]:
    failed, of = failure.replays
    picture = {"picture": failure.picture} if failure.picture else {}
    drawing = {} if failure.drawing is None else {"drawing": plain(dict(failure.drawing))}
    return {
        "claim": failure.claim,
        "program": plain(failure.program.data()),
        "expected": plain(failure.expected),
        "observed": plain(failure.observed),
        "differs": failure.differs,
        "because": failure.because,
        **picture,
        **drawing,
        "replays": {"failed": failed, "of": of},
        "text": text(failure),
    }


def verdict_of(data: Mapping[str, Any]) -> Verdict:
    """The verdict in a law's data, without its failure."""
    return Verdict(
        data["name"],
        data["family"],
        data["requirement"],
        data["verdict"],
        data["reason"],
        Evidence(**data["evidence"]),
        data["seconds"],
        notes=tuple(data["notes"]),
        fault=data["fault"],
    )


def totals(run: Mapping[str, Any]) -> dict[str, Any]:
    """What the laws of a run come to; those that are not scored count for nothing."""
    laws = [each for each in run["laws"] if each.get("scored", True)]
    verdicts = [verdict_of(each) for each in laws]
    counted = counts(verdicts)
    found = {
        "totals": {outcome: counted[outcome] for outcome in OUTCOMES},
        "grades": grades.graded(run),
    }
    return {**found, "exit_code": _code(verdicts, {**run, **found})}


def cut(run: Mapping[str, Any]) -> dict[str, Any]:
    """The same of a run that was cut short: broken, or not judged to the end."""
    asked = {name: value for name, value in run.items() if name != "require"}
    found = totals(asked)
    return {**found, "exit_code": BREAKS if found["exit_code"] == BREAKS else FAULT}


def _code(verdicts: list[Verdict], run: Mapping[str, Any]) -> int:
    """The exit code of the verdicts.

    A waiver that had nothing to waive fails the run too, and so does a grade that was
    required and is not reached.
    """
    waived = (each.get("waiver", {}).get("state") for each in run["laws"])
    code = BREAKS if OFFENCES & {*waived} or run.get("unheld") else exit_code(verdicts)
    if code == CONFORMS and "require" in run and grades.lacking(run, run["require"]):
        return BREAKS
    return code


def write(report: Mapping[str, Any], file: str | Path) -> None:
    """Write a report, in ASCII; ``-`` is standard output, a file's parents are made.

    Raises :class:`~storelaw.errors.Misconfigured` where the file can't be written.
    """
    sinks.written(json.dumps(report, ensure_ascii=True, indent=1) + "\n", file)
