"""The recorded score of a release as a bar: a later run must not fall below it.

Times are never compared.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from storelaw.documents import problems_of
from storelaw.errors import Misconfigured

KIND = "harness/score"


def recorded(file: Path, family: str | None) -> dict[str, Any]:
    """The score in a file.

    Raises :class:`~storelaw.errors.Misconfigured` for a file that can't be read, that holds
    no score, or the score of another choice of laws than ``family``.
    """
    problem = next(problems_of(file, KIND), None)
    if problem is not None:
        raise Misconfigured(f"configuration: {file} is no score: {problem}")
    score: dict[str, Any] = json.loads(file.read_bytes())
    if score["family"] != family:
        raise Misconfigured(
            f"configuration: {file} is the score of {_choice(score['family'])}, and this run "
            f"is about {_choice(family)}; give the same --family to both"
        )
    return score


def _choice(family: str | None) -> str:
    return "all families" if family is None else f"the family {family!r}"


def shortfalls(score: Mapping[str, Any], bar: Mapping[str, Any]) -> Iterator[str]:
    """Where a score falls below a recorded one, one sentence each."""
    for name, what in (("laws", "laws are tried"), ("caught", "liars are caught")):
        now, then = score["totals"][name], bar["totals"][name]
        if now < then:
            yield f"{now} {what}, fewer than the {then} recorded for {bar['kit']}"
    caught = {each["name"] for each in score["mutants"] if each["caught"]}
    for each in bar["mutants"]:
        if each["caught"] and each["name"] not in caught:
            yield f"the mutant {each['name']!r} is no longer caught"
