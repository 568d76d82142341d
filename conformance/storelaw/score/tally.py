"""The score as a document (``schemas/harness/score.schema.json``), counted from a selftest."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from storelaw import release
from storelaw.clauses import Law
from storelaw.formats import FORMATS
from storelaw.liars.mutants import MUTANTS
from storelaw.matrix import Row
from storelaw.score.searches import TRIED, Search
from storelaw.selftest import Accusation, Selftest

#: The parts of a document that a release doesn't record: a command rebuilds them.
ROWS: Final = ("liars", "laws", "strangers")


def document(
    result: Selftest,
    laws: Sequence[Law],
    strangers: Sequence[str],
    found: Iterable[Search] = (),
    family: str | None = None,
    kits: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """The score of a selftest.

    ``laws`` are those that it was about, ``strangers`` the names of the media on which they
    were held, ``found`` what generated programs alone came to, ``kits`` the scores of other
    kits, as a release recorded them.
    """
    by_liar = {each.liar: each for each in found}
    rows = [_row_data(each, by_liar.get(each.liar.name)) for each in result.rows]
    about = [_law_data(each, result.rows) for each in laws]
    mutants = _mutants(result.rows, whole=family is None)
    return {
        "storelaw": FORMATS["score"],
        **release.versions(),
        "family": family,
        "totals": _totals(result, len(laws), rows, mutants),
        "programs_alone": _alone_data(by_liar.values()),
        "only_by_programs": [e["name"] for e in rows if e["caught_by"] == "programs"],
        "never_alone": [e["name"] for e in about if e["liars"] and not e["alone"]],
        "mutants": mutants,
        "kits": [dict(each) for each in kits],
        "liars": rows,
        "laws": about,
        "strangers": [_stranger_data(each, result.accused) for each in strangers],
    }


def release_of(score: Mapping[str, Any]) -> dict[str, Any]:
    """What a release records of its score: everything but the rows."""
    return {name: value for name, value in score.items() if name not in ROWS}


def _row_data(row: Row, found: Search | None) -> dict[str, Any]:
    evidence = row.own.evidence if row.own else None
    data: dict[str, Any] = {
        "name": row.liar.name,
        "law": row.liar.breaks,
        "family": row.own.family if row.own else "",
        "caught": row.caught,
        "caught_by": _evidence(row),
        "examples": evidence.programs if evidence else 0,
        "seconds": round(row.own.seconds, 3) if row.own else 0.0,
        "steps": row.steps,
        "lines": row.lines,
        "others": [each for each in row.others if each not in row.liar.perhaps],
        "at_times": [each for each in row.others if each in row.liar.perhaps],
        "kinds": list(row.liar.kinds),
        "mutants": list(row.liar.mutants),
    }
    return data if found is None else {**data, "programs_alone": _search_data(found)}


def _evidence(row: Row) -> str:
    """What caught a liar: a program of the battery, or a generated one, or nothing."""
    if row.own is None or not row.caught:
        return ""
    return "programs" if row.own.evidence.generated else "battery"


def _search_data(found: Search) -> dict[str, Any]:
    return {
        "effort": found.effort,
        "programs": found.programs,
        "seconds": round(found.seconds, 3),
    }


def _alone_data(found: Iterable[Search]) -> dict[str, Any]:
    """How many liars generated programs alone were tried on, and caught first at which effort."""
    listed = list(found)
    return {
        "liars": len(listed),
        **{effort: sum(each.effort == effort for each in listed) for effort in TRIED},
        "missed": [each.liar for each in listed if not each.effort],
    }


def _law_data(law: Law, rows: Iterable[Row]) -> dict[str, Any]:
    """A law, its liars, how many of them break nothing else, and what breaks beside it always."""
    own = [each for each in rows if each.liar.breaks == law.name]
    beside = set(own[0].others).intersection(*(each.others for each in own)) if own else set[str]()
    return {
        "name": law.name,
        "family": law.family,
        "requirement": law.requirement,
        "programs": law.programs is not None,
        "liars": [each.liar.name for each in own],
        "alone": sum(_alone(each) for each in own),
        "beside": sorted(beside),
    }


def _alone(row: Row) -> bool:
    """Whether a liar breaks its own law only, but for what takes workers to meet."""
    return set(row.others) <= set(row.liar.perhaps)


def _mutants(rows: Iterable[Row], whole: bool) -> list[dict[str, Any]]:
    """The published mutants; those that no row stands for only where all of them were tried."""
    listed = list(rows)
    found = [(name, [each for each in listed if name in each.liar.mutants]) for name in MUTANTS]
    return [
        {
            "name": name,
            "liars": [each.liar.name for each in standing],
            "caught": any(each.caught for each in standing),
        }
        for name, standing in found
        if standing or whole
    ]


def _stranger_data(name: str, accused: Iterable[Accusation]) -> dict[str, Any]:
    against = [each for each in accused if each.stranger == name]
    return {"name": name, "against": [{"law": e.law, "words": e.words} for e in against]}


def _totals(
    result: Selftest, laws: int, rows: list[dict[str, Any]], mutants: list[dict[str, Any]]
) -> dict[str, int]:
    return {
        "laws": laws,
        "liars": len(rows),
        "caught": sum(each["caught"] for each in rows),
        "strangers": result.strangers,
        "accusations": len(result.accused),
        "mutants": len(mutants),
        "mutants_caught": sum(each["caught"] for each in mutants),
        "problems": len(result.problems),
    }
