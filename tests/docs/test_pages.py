"""The generated pages: nothing that has a name in the kit is missing from them."""

import inspect
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import storelaw_pages
from storelaw import catalogue
from storelaw.profiles import profile_named
from storelaw.selftest import all_liars
from storelaw.specification import clauses, incidents, laws_of, liars_of
from storelaw.specification.versions import GRADES, frozen
from storelaw_pages import GENERATORS, MARK, filled
from storelaw_schemas import names, schema

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(each.relative_to(DOCS).as_posix() for each in DOCS.rglob("*.md"))
CHAPTERS = ("kit", "transcript", "log", "turns")

#: A heading that can be linked to: its anchor, and what stands under it.
PARTS = re.compile(
    r"^\(([\w-]+)\)=\n#+ [^\n]*\n(.*?)(?=^\([\w-]+\)=\n#|\Z)", re.DOTALL | re.MULTILINE
)


@cache
def made(page: str) -> str:
    """A page as Sphinx reads it."""
    return filled((DOCS / page).read_text(encoding="utf-8"))


def parts(page: str) -> dict[str, str]:
    """What stands under each heading of a page that can be linked to."""
    return {each[1]: each[2] for each in PARTS.finditer(made(page))}


def linked(kind: str, text: str) -> set[str]:
    """The names of one kind that a text links to."""
    return set(re.findall(rf"\[`([^`]+)`\]\(#{kind}-", text))


def dashed(name: str) -> str:
    """A name as it stands in an anchor."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower())


@pytest.mark.parametrize("profile", CHAPTERS)
def test_the_specification_has_every_clause_and_each_its_laws(profile: str) -> None:
    """Under the name of each clause stand its text, the laws that cite it and their liars."""
    found = parts(f"specification/{profile}.md")
    for each in clauses(profile):
        told = found[f"clause-{dashed(each.name)}"]
        assert each.rule in told, each.rule
        assert {one.name for one in laws_of(each)} | set(each.also) == linked("law", told)
        assert {one.name for one in liars_of(each)} == linked("liar", told)
        assert set(each.schemas) == linked("schema", told)
        assert set(each.incidents) == set(re.findall(r"\[(F\d\d)\]\(#incident", told))
    anchors = {name for name in found if name.startswith("clause-")}
    assert anchors == {f"clause-{dashed(each.name)}" for each in clauses(profile)}


def test_the_index_has_every_clause() -> None:
    """Who knows a short id or a name finds the clause from the first page."""
    index = made("specification/index.md")
    for each in clauses():
        assert f"* {each.rule} [`{each.name}`](#clause-{dashed(each.name)})" in index


@pytest.mark.parametrize("profile", CHAPTERS[1:])
def test_the_specification_has_the_doors_and_options_of_a_profile(profile: str) -> None:
    """Each door with what it is, each option with its value."""
    page = made(f"specification/{profile}.md")
    found = profile_named(profile)
    for door in found.doors:
        assert f"`{door.name}`\n: {door.summary}." in page
    for option, value in found.contract.declared().items():
        assert f"`{option}`: `{value}`\n: " in page


def test_every_family_has_a_page_with_its_laws() -> None:
    """Each law stands under its name, with its claim, its clauses and its liars."""
    proofs: dict[str, set[str]] = {}
    for each in all_liars():
        proofs.setdefault(each.breaks, set()).add(each.name)
    for law in catalogue.all_laws():
        told = parts(f"laws/{law.family}.md")[f"law-{dashed(law.name)}"]
        assert law.door in told
        assert all(rule in told for rule in law.source)
        assert linked("liar", told.split("\n## ")[0]) == proofs.get(law.name, set())


def test_every_liar_says_what_it_does_wrong() -> None:
    """It stands among the liars of its law's family, with its sentence and what it breaks."""
    families = {each.name: each.family for each in catalogue.all_laws()}
    for each in all_liars():
        page = made(f"laws/{families[each.breaks]}.md")
        told = page.split(f"\n`{each.name}`\n: ")[1].split("\n\n")[0]
        lesson = (inspect.getdoc(each.medium) or "").split(".")[0].split()[0]
        assert told.startswith(lesson), each.name
        assert {each.breaks, *each.also, *each.perhaps} == linked("law", told), each.name


def test_every_incident_has_a_place() -> None:
    """Each kind of fault with its laws, its liars and its reports."""
    found = parts("incidents.md")
    for kind, each in incidents().items():
        told = found[f"incident-{kind.lower()}"]
        laws = {one.name for one in catalogue.all_laws() if kind in one.incidents}
        assert linked("law", told) == laws
        assert linked("liar", told) == {one.name for one in all_liars() if kind in one.kinds}
        assert told.count("https://github.com/") == len(each.reports)


def members(of: Any) -> set[str]:
    """The names of the members that a schema describes, however deep."""
    if isinstance(of, list):
        return {name for each in of for name in members(each)}
    if not isinstance(of, dict):
        return set()
    inner = {name for key, each in of.items() if key != "examples" for name in members(each)}
    own = of.get("properties")
    return inner | (set(own) if isinstance(own, dict) else set())


@pytest.mark.parametrize("name", names())
def test_every_schema_is_described(name: str) -> None:
    """Each member is named in the words of the reference, or where it is defined beside it."""
    whole = schema(name)
    told = parts(f"schemas/{name.split('/')[0]}.md")[f"schema-{dashed(name)}"]
    described = told.split("<summary>The schema as JSON</summary>")[0]
    definitions = members(whole.pop("$defs", {}))
    conditional = members(whole.get("if", {}))
    for each in members(whole) - definitions - conditional:
        assert f"`{each}`" in described or f'"{each}"' in described, each


def test_every_grade_has_its_laws() -> None:
    """Each law of the frozen sets stands in the page of grades."""
    found = linked("law", made("grades.md"))
    sets = frozen("0.1").grades.values()
    assert found == {name for each in sets for grade in GRADES for name in each[grade]}


def test_every_release_has_its_score() -> None:
    """Each recorded score has a section, and what it names is linked."""
    page = made("score.md")
    for file in (DOCS / "score").glob("*.json"):
        recorded = json.loads(file.read_bytes())
        told = page.split(f"\n## The mutation score of storelaw {file.stem}\n")[1]
        assert set(recorded["never_alone"]) <= linked("law", told)
        assert set(recorded["programs_alone"]["missed"]) <= linked("liar", told)


@pytest.mark.parametrize("page", PAGES)
def test_every_mark_is_filled(page: str) -> None:
    """No page has a mark that nothing is made for."""
    source = (DOCS / page).read_text(encoding="utf-8")
    assert {each[1] for each in MARK.finditer(source)} <= set(GENERATORS)
    assert MARK.search(made(page)) is None


def test_every_generator_is_asked_for() -> None:
    """Nothing is made that no page shows."""
    sources = [(DOCS / page).read_text(encoding="utf-8") for page in PAGES]
    assert {found[1] for each in sources for found in MARK.finditer(each)} == set(GENERATORS)


@pytest.mark.parametrize("mark", ["clauses nowhere", "laws nothing", "nothing"])
def test_a_mark_for_what_does_not_exist_stops_the_build(mark: str) -> None:
    """A misspelt chapter, family or generator is no empty page."""
    with pytest.raises(LookupError):
        filled(f"<!-- storelaw: {mark} -->")


class Builder:
    """As much of Sphinx as an extension sees."""

    def __init__(self) -> None:
        self.env = self
        self.lexers: list[str] = []
        self.called: dict[str, Any] = {}

    def doc2path(self, name: str) -> str:
        """Where a page lies."""
        return str(DOCS / f"{name}.md")

    def add_lexer(self, alias: str, _lexer: object) -> None:
        """Take a lexer."""
        self.lexers.append(alias)

    def connect(self, event: str, callback: object) -> None:
        """Take a listener."""
        self.called[event] = callback


def test_sphinx_reads_filled_pages() -> None:
    """As a page is read, its marks are filled and its drawings taken in."""
    app: Any = Builder()
    assert storelaw_pages.setup(app).get("parallel_read_safe")
    source = ["![words](../_static/tree.svg)\n\n<!-- storelaw: options log -->\n"]
    app.called["source-read"](app, "specification/log", source)
    assert "`head`: `persisted`" in source[0]
    assert "<svg " in source[0]
    assert app.lexers == ["jsonl"]


@pytest.mark.parametrize(
    ("context", "made"),
    [
        ({"body": "<p>a</p><pre>b</pre>"}, {"body": '<p>a</p><pre tabindex="0">b</pre>'}),
        ({"title": "a page without a text"}, {"title": "a page without a text"}),
    ],
)
def test_the_keyboard_reaches_blocks_of_code(context: Any, made: Any) -> None:
    """A block that is wider than the screen can be scrolled without a mouse."""
    app: Any = Builder()
    storelaw_pages.setup(app)
    app.called["html-page-context"](app, "index", "page.html", context, None)
    assert context == made
