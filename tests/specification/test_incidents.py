"""The kinds of fault: each has its words, its reports, its laws and its liars."""

import re

from storelaw import catalogue, specification
from storelaw.selftest import all_liars

KINDS = {f"F{n:02}" for n in range(1, 61)}
REPORT = re.compile(r"[\w.-]+/[\w.-]+#\d+")

INCIDENTS = specification.incidents()
CITED = {kind for each in catalogue.all_laws() for kind in each.incidents}
SHOWN = {kind for each in all_liars() for kind in each.kinds}


def test_every_kind_has_a_place() -> None:
    """There are the sixty kinds and no other, each under its id."""
    assert set(INCIDENTS) == KINDS
    assert all(kind == each.kind for kind, each in INCIDENTS.items())


def test_every_kind_has_a_title_and_a_sentence() -> None:
    """The text ends in a full stop, the title doesn't."""
    for kind, each in INCIDENTS.items():
        assert each.title[-1:] not in ("", "."), kind
        assert each.text.endswith("."), kind
        assert each.reason.endswith(".") or not each.reason, kind


def test_laws_and_liars_name_kinds_that_exist() -> None:
    """Nobody cites a kind that can't be looked up."""
    assert set(INCIDENTS) >= CITED | SHOWN


def test_what_no_law_or_report_carries_says_why() -> None:
    """A kind without laws, liars or reports has a reason."""
    for kind, each in INCIDENTS.items():
        assert (kind in CITED and kind in SHOWN and each.reports) or each.reason, kind


def test_reports_can_be_found() -> None:
    """A report is a repository and a number, and no kind has more than three."""
    for kind, each in INCIDENTS.items():
        assert len(set(each.reports)) == len(each.reports) <= 3, kind
        assert all(REPORT.fullmatch(report) for report in each.reports), kind


def test_a_kind_is_found_by_its_id() -> None:
    """It is the one of the list."""
    assert specification.incident_of("F01") is INCIDENTS["F01"]
