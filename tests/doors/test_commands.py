"""The other commands: laws, explain, replay, selftest, schema, and all help texts."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import storelaw_schemas
from storelaw import catalogue, explanation, specification, terminal
from storelaw.clauses import Law
from storelaw.cli import main
from storelaw.liars.registry import Liar
from storelaw.matrix import Row
from storelaw.media.reference import ReferenceMedium
from storelaw.medium import Medium
from storelaw.program import append, load, program
from storelaw.selftest import Selftest, all_liars, conducted

Door = Callable[..., Result]
Snapshot = Callable[[str, str], None]
LAW = "entries_load_in_append_order"


@pytest.mark.parametrize("command", ["", *sorted(each for each in main.commands)])
def test_help_says_what_a_command_does(storelaw: Door, matches: Snapshot, command: str) -> None:
    """Each help text is as it was read and approved."""
    result = storelaw(*([command] if command else []), "--help")
    assert result.exit_code == 0
    matches(f"help-{command or 'storelaw'}", result.output)


def test_the_laws_are_listed_by_family(storelaw: Door) -> None:
    """Every law of a family stands under its name, with its requirement."""
    result = storelaw("laws", "--family", "order")
    lines = result.output.splitlines()
    assert (result.exit_code, lines[0]) == (0, "order")
    assert f"    MUST    {LAW}" in lines
    assert len(lines) == 1 + sum(each.family == "order" for each in catalogue.all_laws())


def test_all_laws_are_listed(storelaw: Door) -> None:
    """Without a family all of them are listed."""
    lines = storelaw("laws").output.splitlines()
    assert len(lines) == len(catalogue.all_laws()) + len(catalogue.all_families())


def test_the_laws_as_json(storelaw: Door) -> None:
    """--json gives each law with its clauses and its evidence, as its schema says."""
    found = json.loads(storelaw("laws", "--json").output)
    assert [each["name"] for each in found] == [each.name for each in catalogue.all_laws()]
    assert storelaw_schemas.problems("harness/laws", found) == ()
    law = next(each for each in found if each["name"] == LAW)
    assert law["clauses"] == ["entries_are_read_in_the_order_of_their_appends"]
    assert law["evidence"] == ["battery", "generated"]


def test_the_clauses_are_listed_by_section(storelaw: Door) -> None:
    """Every clause of a chapter stands under its section, with its requirement and its id."""
    lines = storelaw("clauses", "--profile", "turns").output.splitlines()
    assert lines[0] == "turns: scopes and entries"
    found = specification.clauses("turns")
    sections = {each.section for each in found}
    assert len(lines) == len(found) + len(sections)
    assert f"    MUST    OA-A5               {specification.clause_of('OA-A5').name}" in lines


def test_the_clauses_as_json(storelaw: Door) -> None:
    """--json gives each clause with what carries it, as its schema says."""
    found = json.loads(storelaw("clauses", "--json").output)
    assert [each["rule"] for each in found] == [each.rule for each in specification.clauses()]
    assert storelaw_schemas.problems("harness/clauses", found) == ()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["laws", "--family", "ordre"], "no family is called 'ordre'; there are: "),
        (["laws", "--profile", "turn"], "no profile is called 'turn'"),
        (["explain", "entries_load"], "no law or clause is called 'entries_load'; near it: "),
        (["explain", "zzzzzz"], "called 'zzzzzz'; `storelaw laws` and `storelaw clauses` list"),
        (["clauses", "--profile", "turn"], "no chapter 'turn'; there are: transcript, log, turns"),
        (["replay", "missing.json", "reference"], "can't read a program from missing.json"),
        (["schema"], "give a NAME, --list or --check FILE"),
        (["schema", "harness/reprot"], "no schema is called 'harness/reprot'"),
        (["schema", "--check", "x.json", "--as", "nope"], "no schema is called 'nope'"),
        (["schema", "--check", "x.json"], "can't read x.json"),
        (["frobnicate"], "No such command 'frobnicate'"),
    ],
)
def test_misuse_ends_with_4(
    storelaw: Door, project: Path, arguments: list[str], words: str
) -> None:
    """Each command says what was wrong and ends with 4."""
    result = storelaw(*arguments)
    assert result.exit_code == 4
    assert words in result.stderr


def test_a_law_is_explained(storelaw: Door) -> None:
    """explain takes a name or a title and names the law's liars."""
    result = storelaw("explain", f"order/{LAW}")
    assert result.exit_code == 0
    assert result.output.startswith(
        f"order/{LAW} (MUST, since 0.1, store door of transcript and log)\n"
    )
    assert "SortsById" in result.output


@pytest.mark.parametrize(
    ("name", "profile"), [("PI-T5", "transcript profile"), ("kit-window", "every store")]
)
def test_a_clause_is_explained(storelaw: Door, name: str, profile: str) -> None:
    """explain takes a clause by its id, and says whose it is."""
    result = storelaw("explain", name)
    clause = specification.clause_of(name)
    assert result.exit_code == 0
    assert result.output.startswith(f"{name} {clause.name} (MUST, since 0.1, {profile}, door ")


def made_up(**more: object) -> Law:
    """A law that is in no registry."""
    fields: dict[str, object] = {
        "name": "entries_stay",
        "claim": "Entries stay.",
        "family": "fidelity",
        "judge": lambda _: None,
        "battery": lambda _: [],
        "doc": "Entries stay.\n\nA store breaks it by a limit that nobody\nknows of.",
        "source": ("PI-A1",),
        **more,
    }
    return Law(**fields)  # type: ignore[arg-type]


def test_an_explanation_reads_well(matches: Snapshot) -> None:
    """The text of a law with everything, and of one with as little as there can be."""
    liar = Liar("Forgets", ReferenceMedium, "entries_stay")
    whole = made_up(
        incidents=("F01", "F07"),
        promises=frozenset({"durable"}),
        powers=frozenset({"crash", "files"}),
        acts=frozenset({"run"}),
        programs=lambda _: None,
    )
    texts = [
        "\n".join(explanation.explained(law, liars))
        for law, liars in ((whole, [liar]), (made_up(door="elsewhere"), []))
    ]
    clauses = map(specification.clause_of, ("PI-A5", "PI-T5", "kit-append-one"))
    texts += ["\n".join(explanation.specified(each)) for each in clauses]
    matches("explain", "\n\n".join(texts) + "\n")


def saved(folder: Path, **more: object) -> Path:
    """A saved program that shows whether a store keeps the order."""
    first, second = ({"type": "custom", "kind": "k", "id": each} for each in "10")
    steps = program(append("s", first), append("s", second), load("s"))
    file = folder / "program.json"
    file.write_text(json.dumps({"law": LAW, **steps.data(), **more}), encoding="ascii")
    return file


@pytest.mark.parametrize(
    ("target", "code", "words"),
    [
        ("shop:Good", 0, f"{LAW}: held\n"),
        ("shop:Backwards", 1, f"backwards broke a law: {LAW}\n"),
        ("shop:Down", 3, "medium: down raised in open()"),
    ],
)
def test_a_saved_program_is_replayed(
    storelaw: Door, project: Path, target: str, code: int, words: str
) -> None:
    """replay judges by the law in the file, and ends as a check would."""
    result = storelaw("replay", saved(project), target)
    assert result.exit_code == code
    assert words in result.output


@pytest.mark.parametrize(("target", "code"), [("shop:Good", 0), ("shop:Backwards", 1)])
def test_a_program_of_the_first_version_still_replays(
    storelaw: Door, project: Path, target: str, code: int
) -> None:
    """A file that was saved in version 1 of the format is read by every later kit."""
    kept = Path(__file__).parent / "kept" / "program-1.json"
    assert storelaw("replay", kept, target).exit_code == code


def test_a_program_of_a_newer_version_is_refused(storelaw: Door, project: Path) -> None:
    """Exit 4, both versions, and the command that upgrades."""
    result = storelaw("replay", saved(project, storelaw=2), "shop:Good")
    assert result.exit_code == 4
    assert "program.json has version 2 of the format program; storelaw " in result.stderr
    assert "up to version 1; upgrade: python -m pip install --upgrade storelaw" in result.stderr


def test_a_program_that_shows_nothing_ends_with_2(storelaw: Door, project: Path) -> None:
    """A program without the operations of its law is no evidence."""
    result = storelaw("replay", saved(project, entries=[], steps=[]), "shop:Good")
    assert result.exit_code == 2
    assert result.output.startswith(f"{LAW}: not evaluated: ")


def test_a_program_must_name_its_law(storelaw: Door, project: Path) -> None:
    """A file without a law can't be judged."""
    result = storelaw("replay", saved(project, law=""), "shop:Good")
    assert result.exit_code == 4
    assert "names no law" in result.stderr


def test_the_schemas_are_listed_and_printed(storelaw: Door) -> None:
    """--list gives the names, and a name the schema."""
    assert "harness/report\n" in storelaw("schema", "--list").output
    printed = json.loads(storelaw("schema", "harness/program").output)
    assert printed["$id"] == "storelaw:harness/program"


def test_a_file_is_checked(storelaw: Door, project: Path) -> None:
    """A valid document ends with 0, another with 1 and the line and path of what is wrong."""
    file = saved(project)
    assert storelaw("schema", "--check", file).output == f"{file}: valid\n"
    file.write_text('{\n "storelaw": 1,\n "entries": [],\n "steps": [\n  {}]}', encoding="ascii")
    result = storelaw("schema", "--check", file)
    assert result.exit_code == 1
    assert result.output == f'{file}: line 5: $.steps[0]: lacks "do"\n'


def test_the_selftest_tells_what_it_found(storelaw: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each problem is told, the last line counts, and any problem ends with 1."""
    row = Row(Liar("Forgets", ReferenceMedium, LAW, mutants=("m1",)), None, ("other",))
    bad = Selftest((row,), 24, ("Forgets isn't caught",))
    monkeypatch.setattr("storelaw.selftest.conducted", lambda *_: bad)
    result = storelaw("selftest", "--family", "order")
    assert result.exit_code == 1
    row_line, problem, ending = result.output.splitlines()
    assert row_line == f"Forgets                           NOT CAUGHT  {LAW}; also: other"
    assert problem == "Forgets isn't caught"
    assert ending == bad.ending()
    assert ending.startswith("0 of 1 liars caught, 0 of 44 published mutants among them; ")
    monkeypatch.setattr("storelaw.selftest.conducted", lambda *_: Selftest((), 24, ()))
    assert storelaw("selftest").exit_code == 0


def test_the_matrix_is_a_table_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a terminal the rows are a table with a head."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    terminal.show([Row(Liar("Forgets", ReferenceMedium, LAW), None, ())])
    printed = capsys.readouterr().out
    assert "also breaks" in printed
    assert "Forgets" in printed


def chosen_liar() -> Liar:
    """The liar about the order of entries."""
    return next(each for each in all_liars() if each.name == "SortsById")


def test_a_caught_liar_is_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """The liars of the laws are tried, others are left, and published mutants are counted."""
    law = catalogue.law_of(LAW)
    mutant = Liar("SortsById", chosen_liar().medium, LAW, mutants=("m2",))
    other = Liar("Other", ReferenceMedium, "entries_load_equal_to_what_was_appended")
    every = (law, catalogue.law_of(other.breaks))
    monkeypatch.setattr("storelaw.selftest.all_liars", lambda: (mutant, other))
    monkeypatch.setattr(catalogue, "all_laws", lambda: every)
    told: list[str] = []
    result = conducted([law], [ReferenceMedium], told.append)
    assert [each.liar.name for each in result.rows] == ["SortsById"]
    assert result.mutants == ("m2",)
    assert result.problems == ()
    assert told == ["SortsById", "honest strangers"]
    assert "1 of 1 liars caught, 1 of 44" in result.ending()


def test_an_accused_stranger_is_a_problem(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A law that breaks on a stranger is told with its text, a fault with its reason."""
    monkeypatch.setattr("storelaw.selftest.all_liars", lambda: ())
    catalogue.importable(project)
    strangers: list[type[Medium]] = [
        catalogue.medium_of("shop:Backwards"),
        catalogue.medium_of("shop:Down"),
    ]
    law = catalogue.law_of(LAW)
    result = conducted([law], strangers, lambda _: None)
    assert result.problems[1].startswith(f"Backwards is accused by {LAW}:\nbackwards broke a law")
    assert result.problems[2].startswith(f"Down is accused by {LAW}:\nmedium: down raised")


@pytest.mark.slow
def test_the_work_is_shared_among_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """With two workers the answer is the same."""
    monkeypatch.setattr("storelaw.selftest.all_liars", lambda: ())
    law = catalogue.law_of(LAW)
    alone = conducted([law], [ReferenceMedium], lambda _: None)
    assert conducted([law], [ReferenceMedium], lambda _: None, workers=2) == alone
    assert alone.problems == (f"{LAW} has no liar",)
