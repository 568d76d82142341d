"""The page of incidents: each kind of fault, its reports, its laws and its liars."""

import re

from storelaw import catalogue
from storelaw.selftest import all_liars

Page = dict[str, dict[str, tuple[str, ...]]]

KINDS = {f"F{n:02}" for n in range(1, 61)}
REPORT = re.compile(r"[\w.-]+/[\w.-]+#\d+")


def test_every_kind_has_a_place(incidents: Page) -> None:
    """The page holds the sixty kinds and no other."""
    assert set(incidents) == KINDS


def test_every_kind_has_a_name_and_a_sentence(incidents: Page) -> None:
    """After the heading comes one line that ends in a full stop."""
    for kind, told in incidents.items():
        name, sentence = told["text"]
        assert name[-1:] not in ("", "."), kind
        assert sentence.endswith("."), kind
        assert set(told) <= {"text", "reports", "laws", "liars", "reason"}, kind


def test_a_kind_stands_over_the_laws_that_cite_it(incidents: Page) -> None:
    """The laws under a kind are those that name it."""
    for kind, told in incidents.items():
        laws = [each.name for each in catalogue.all_laws() if kind in each.incidents]
        assert sorted(told.get("laws", ())) == sorted(laws), kind


def test_a_kind_stands_over_the_liars_that_stand_for_it(incidents: Page) -> None:
    """The liars under a kind are those of the registry."""
    for kind, told in incidents.items():
        liars = [each.name for each in all_liars() if kind in each.kinds]
        assert sorted(told.get("liars", ())) == sorted(liars), kind


def test_laws_and_liars_name_kinds_that_exist(incidents: Page) -> None:
    """Nobody cites a kind that can't be looked up."""
    cited = {kind for law in catalogue.all_laws() for kind in law.incidents}
    cited |= {kind for liar in all_liars() for kind in liar.kinds}
    assert cited <= set(incidents)


def test_what_no_law_or_report_carries_says_why(incidents: Page) -> None:
    """A kind without laws or without reports has a reason."""
    for kind, told in incidents.items():
        whole = "laws" in told and "liars" in told and "reports" in told
        assert whole or "reason" in told, kind


def test_reports_can_be_found(incidents: Page) -> None:
    """A report is a repository and a number, and no kind has more than three."""
    for kind, told in incidents.items():
        reports = told.get("reports", ())
        assert len(set(reports)) == len(reports) <= 3, kind
        assert all(REPORT.fullmatch(each) for each in reports), kind
