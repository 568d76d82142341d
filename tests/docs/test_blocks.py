"""The blocks of the pages that explain: each runs, and says what its page says it does."""

import re
from pathlib import Path

import pytest

from storelaw import clauses, config
from storelaw.liars import registry
from storelaw.trial import hold

from .test_beyond_one_machine import COMMANDS
from .test_concurrency import loaded
from .test_walkthroughs import LONG, SHORT
from .walkthrough import blocks

DOCS = Path(__file__).parents[2] / "docs"

#: Languages of blocks that do something.
RUN = frozenset({"console", "diff", "python", "toml", "yaml"})

#: Pages whose blocks are run by tests about their subject.
ELSEWHERE = frozenset(
    {
        "beyond-one-machine.md",
        "concurrency.md",
        "gate.md",
        "grades.md",
        "html-report.md",
        "media.md",
        "reports.md",
        "score.md",
        "shapes.md",
        "writing-a-law.md",
    }
)


def test_no_page_is_left_out() -> None:
    """A page with a block that does something is walked through, or run by a test of its own."""
    found = {
        each.name for each in DOCS.rglob("*.md") if RUN & {language for language, _ in blocks(each)}
    }
    assert found - ELSEWHERE == {*SHORT, *LONG}
    assert COMMANDS


def test_the_example_of_the_shapes_prints_what_it_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The comment behind the call is what the call prints."""
    (code,) = (text for language, text in blocks(DOCS / "shapes.md") if language == "python")
    loaded(code, tmp_path)
    assert capsys.readouterr().out.strip() == re.findall(r"# (.+)$", code, re.MULTILINE)[0]


def test_the_law_of_the_page_on_laws_is_broken_by_its_liar(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page's liar breaks the page's law, in as many steps as it says."""
    monkeypatch.setattr(clauses, "_REGISTRY", {})
    monkeypatch.setattr(registry, "_LIARS", {})
    law, _, liar = (text for _, text in blocks(DOCS / "writing-a-law.md"))
    loaded(law + liar, tmp_path)
    (made,) = registry.liars()
    (broken,) = clauses.registered()
    verdict = hold(broken, made.medium, "quick")
    assert verdict.outcome == "broken"
    assert verdict.failure is not None
    assert len(verdict.failure.program.steps) <= made.most


def test_the_settings_of_the_page_on_grades_are_settings(tmp_path: Path) -> None:
    """A project may say just that."""
    (text,) = (text for language, text in blocks(DOCS / "grades.md") if language == "toml")
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    found = config.found(tmp_path)
    assert (found.target, found.require, found.spec) == (
        "acme.testing:AcmeMedium",
        "durable",
        "0.1",
    )
