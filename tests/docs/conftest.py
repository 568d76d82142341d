"""The reference pages, read back: what they say of each rule, incident and mutant."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"

#: The page that holds the rules of each profile.
RULES = {"transcript": "rules.md", "log": "rules-log.md", "turns": "rules-turns.md"}

#: The first cells of a table that are no mutants.
HEADS = frozenset(["mutant", "---"])

#: What stands under each id: its text, and under a label's name what the label lists.
Page = dict[str, dict[str, tuple[str, ...]]]


def listed(label: str, text: str) -> tuple[str, ...]:
    """What an item lists: names in ticks, reports between commas, or a reason as it is."""
    if label == "reports":
        return tuple(text.split(", "))
    return (text,) if label == "reason" else tuple(re.findall(r"`([^`]+)`", text))


def told(lines: list[str]) -> dict[str, tuple[str, ...]]:
    """The text of a section, and its items."""
    items = [line.removeprefix("* ").split(": ", 1) for line in lines if line.startswith("* ")]
    text = tuple(line for line in lines if line and not line.startswith("* "))
    return {"text": text} | {label: listed(label, rest) for label, rest in items}


def page(name: str, heading: str) -> Page:
    """The sections of a page whose headings match, by the id that the match names."""
    parts = re.split(heading, (DOCS / name).read_text(encoding="utf-8"), flags=re.MULTILINE)
    ends = (re.split(r"^#", part, maxsplit=1, flags=re.MULTILINE)[0] for part in parts[2::2])
    ids = parts[1::2]
    assert len(set(ids)) == len(ids), f"{name} has a heading twice"
    return {each: told(end.splitlines()) for each, end in zip(ids, ends, strict=True)}


@pytest.fixture(scope="session")
def rule_pages() -> dict[str, Page]:
    """The pages of rules, by the profile that each is about."""
    return {profile: page(name, r"^### (.+)$") for profile, name in RULES.items()}


@pytest.fixture(scope="session")
def rules(rule_pages: dict[str, Page]) -> Page:
    """All rules, whichever page they stand on."""
    return {rule: told for each in rule_pages.values() for rule, told in each.items()}


@pytest.fixture(scope="session")
def incidents() -> Page:
    """The page of incidents; the text of each begins with its name."""
    return page("incidents.md", r"^## (F\d\d): ")


@pytest.fixture(scope="session")
def mutants() -> dict[str, tuple[str, ...]]:
    """The liars that the page of mutants gives for each."""
    text = (DOCS / "mutants.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+) \| (.+) \|$", text, re.MULTILINE)
    found = [(name, listed("liars", rest)) for name, rest in rows if name not in HEADS]
    assert len(dict(found)) == len(found), "a mutant stands twice"
    return dict(found)
