"""Programs as data."""

import json
from typing import Any

import pytest

from storelaw.errors import Misconfigured
from storelaw.program import (
    Draft,
    Many,
    Program,
    Step,
    act,
    add,
    append,
    at_once,
    bad,
    call,
    closed,
    entries_of,
    failing,
    hangs_on_timing,
    list_sessions,
    load,
    meddle,
    nested,
    opened,
    program,
    reopened,
    run,
    session,
    view,
    with_creation,
    workers_of,
)
from storelaw.samples import assistant, custom, said, user
from storelaw_schemas import problems

ONE = said("1")
EVERY = program(
    append("s", ONE, ONE, said("2"), on=1),
    append(("p", "s"), Many(said("m"), 101), Many({"type": "custom"}, 2)),
    load("s", last=2, after="1"),
    call("create", "t", parent="s"),
    call("fork", "s", new=("p", "t"), at=None),
    call("delete_entry", "s", which=0),
    list_sessions(),
    list_sessions(prefix=("p",), on=2),
    opened(1),
    closed(),
    reopened(1),
    meddle("loaded"),
    append("s", bad(ONE, "nan")),
    session("s"),
    session("s", "B", on=1),
    add(user("q"), on="B"),
    run(
        user("r"),
        answer=(assistant("a"), assistant("b")),
        during=(add(user("n")), act("compact", during=(act("leaf"),))),
        fails=True,
    ),
    run(answer=()),
    act("branch", target="q"),
    act("fork_session", new="f", as_="F"),
    failing("item", 2),
    failing("before-commit", door="store"),
    view("model_view", [ONE, said("2", parent="1")]),
    at_once("s", "tasks", A=(append("s", ONE), load("s")), B=()),
    at_once("s", "threads", pauses=(5, 1), strides=(2,), A=(append("s", said("3")),)),
)


def test_every_kind_of_step_goes_through_json_and_back() -> None:
    """A saved program is the same program: steps within steps, drafts, tuples, repetitions."""
    again = Program.of(json.loads(json.dumps(EVERY.data())))
    assert again == EVERY
    assert again.data() == EVERY.data()


def test_a_saved_program_names_each_entry_once() -> None:
    """Entries stand in one table; the same object is the same ordinal."""
    data = program(append("s", ONE, ONE), append("s", ONE)).data()
    assert data == {
        "storelaw": 1,
        "entries": [ONE],
        "steps": [
            {"do": "append", "session": "s", "entries": [0, 0]},
            {"do": "append", "session": "s", "entries": [0]},
        ],
    }


@pytest.mark.parametrize("version", [2, None])
def test_another_version_is_refused(version: Any) -> None:
    """A program of a newer format, or of none, is refused."""
    with pytest.raises(Misconfigured, match=f"version.* {version}.* reads "):
        Program.of({"storelaw": version, "entries": [], "steps": []})


def test_bulk_is_written_out_with_numbered_ids() -> None:
    """``Many`` numbers the ids of its copies, and copies what has no id as it is."""
    step = append("s", Many({"id": "x", "n": [1]}, 2), Many({"n": 2}, 2), said("y"))
    expanded = step.expanded()
    assert [each.get("id") for each in expanded] == ["x-0", "x-1", None, None, "y"]
    expanded[0]["n"].append(2)
    assert expanded[1]["n"] == [1]


def test_drafts_are_expanded_to_their_entries() -> None:
    """A step gives its drafts' entries as copies, and the drafts themselves."""
    draft = user("q")
    step = add(draft)
    assert step.expanded() == [draft.entry]
    assert step.expanded()[0] is not draft.entry
    assert step.drafts() == [draft]
    assert append("s", ONE).drafts() == []


def test_a_program_has_a_length_and_can_get_other_steps() -> None:
    """Programs are values."""
    assert len(EVERY) == len(EVERY.steps)
    assert EVERY.with_steps(iter([load("s")])) == program(load("s"))
    assert nested(("a", "b")) == ("a", "b")
    assert nested("a") == ("a",)


def test_entries_are_found_wherever_they_stand() -> None:
    """Nested steps and answers count, each object once, in order of first appearance."""
    q, a, n = user("q"), assistant("a"), user("n")
    steps = (
        append("s", ONE, Many(ONE, 2)),
        run(q, answer=(a,), during=(add(n), add(q))),
        act("compact", keep=1),
    )
    assert list(entries_of(steps)) == [ONE, q.entry, a.entry, n.entry]


def test_creation_is_put_before_the_first_write() -> None:
    """Each session is created once, by the handle that writes first."""
    written = program(load("s"), append("s", ONE, on=1), append("s", ONE), call("replace", "t"))
    full = with_creation(written, frozenset({"create"}))
    assert [(each.do, each.session, each.on) for each in full.steps] == [
        ("load", "s", 0),
        ("create", "s", 1),
        ("append", "s", 1),
        ("append", "s", 0),
        ("create", "t", 0),
        ("replace", "t", 0),
    ]


def test_creation_follows_the_life_of_a_session() -> None:
    """A created or forked session isn't created again, a deleted one is."""
    lived = program(
        call("create", "s"),
        append("s", ONE),
        call("fork", "s", new="f"),
        append("f", ONE),
        call("delete", "s"),
        append("s", ONE),
    )
    full = with_creation(lived, frozenset({"create"}))
    assert [each.do for each in full.steps] == [
        "create",
        "append",
        "fork",
        "append",
        "delete",
        "create",
        "append",
    ]


def test_without_create_a_program_stays_as_it_is() -> None:
    """A store that creates implicitly gets the program unchanged."""
    assert with_creation(EVERY, frozenset({"append", "load"})) is EVERY


def test_a_step_answers_for_any_argument() -> None:
    """An argument that isn't there is None."""
    assert Step("load")["last"] is None
    assert Draft("a", ONE).label == "a"


def test_a_bad_entry_marks_what_is_no_json() -> None:
    """The marker is JSON, so that the program can be saved."""
    assert bad(custom("1"))["bad"] == {"$storelaw": "object"}


def test_a_saved_program_fits_its_schema() -> None:
    """The published schema describes what is saved."""
    assert problems("harness/program", json.loads(json.dumps(EVERY.data()))) == ()


def test_workers_are_told_apart_from_how_they_work() -> None:
    """By their capital letters, each with its steps."""
    steps = (append("s", ONE), load("s"))
    crowd = at_once("s", "threads", pauses=(5, 1), strides=(2,), A=steps, B=())
    assert workers_of(crowd) == {"A": steps, "B": ()}
    assert (crowd["way"], crowd["pauses"], crowd["strides"]) == ("threads", [5, 1], [2])
    assert dict(at_once("s", "tasks", A=steps).args) == {"way": "tasks", "A": steps}


@pytest.mark.parametrize(("way", "hangs"), [("tasks", False), ("threads", True)])
def test_threads_and_processes_hang_on_timing(way: str, hangs: bool) -> None:
    """Tasks take the same turns each time, and so does one client alone."""
    assert hangs_on_timing(program(load("s"), at_once("s", way, A=(load("s"),)))) is hangs
    assert not hangs_on_timing(program(load("s")))


def test_creation_is_put_before_a_crowd() -> None:
    """Its workers write, so that the session must be there."""
    crowd = at_once("s", "tasks", A=(append("s", ONE),))
    steps = with_creation(program(crowd, append("s", ONE)), frozenset({"create"}))
    assert [each.do for each in steps.steps] == ["create", "at_once", "append"]
