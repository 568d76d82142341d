"""The expected side of the refs door: replaying a raw log, and what each question found."""

from typing import Any

from storelaw.liars.log_honest import LogHonest
from storelaw.model.refs import Asked, Reading, answered, asked, fresh, ids, members, objects
from storelaw.model.refs_entries import (
    attached,
    checkout,
    compact,
    custom,
    detached,
    entry,
    happened,
    on_main,
    over,
    put,
    ref,
    said,
    state,
)
from storelaw.player import play
from storelaw.program import Program, append, ask, program
from storelaw.values import Entry
from storelaw_schemas import problems

A, B = said("a"), said("b", "a")


def questions(made: Program) -> list[Asked]:
    """The questions of a program on the honest medium."""
    return list(asked(play(made, LogHonest)))


def test_the_entries_of_programs_are_valid() -> None:
    """Each small entry that programs are made of fits the schema of the profile."""
    small = [
        *(said("a"), said("b", "a"), state("s"), custom("n"), compact("k", "a"), happened("e")),
        *(ref("r", "main"), ref("r", "main", "a"), checkout("c"), checkout("c", id="a")),
        *on_main(A, B),
    ]

    assert [found for each in small for found in problems("log/entry", each)] == []


def test_a_ref_is_at_its_last_target_and_an_attached_head_follows_it() -> None:
    """The last of each name counts, and an attached head has no target of its own."""
    log = [*on_main(A), B, ref("r-2", "main", "b"), ref("r-3", "f", "a")]

    now = Reading.of(log)

    assert now.refs == {"main": "b", "f": "a"}
    assert now.head == {"type": "ref", "name": "main"}
    assert now.target == "b"


def test_a_detached_head_stands_on_its_entry_or_on_nothing() -> None:
    """The last checkout is of an entry, or of nothing."""
    log = [*on_main(A), checkout("c-1", id="a")]

    assert Reading.of(log).target == "a"
    assert Reading.of([*log, checkout("c-2")]).head == {"type": "detached"}


def test_a_log_that_has_not_begun_stands_on_its_default_ref() -> None:
    """Empty, or cut behind the ref, a log is read as its default ref would begin it."""
    for log in ([], [ref("r", "main")]):
        now = Reading.of(log, "main")
        assert (now.head, now.refs, now.target) == (
            {"type": "ref", "name": "main"},
            {"main": None},
            None,
        )
    assert Reading.of([A], "main").head == {"type": "detached"}


def test_a_path_ends_at_a_root_or_not_at_all() -> None:
    """A missing parent and a circle have no path; nothing has an empty one."""
    log = [A, B, said("c", "ghost"), said("d", "e"), said("e", "d")]
    now = Reading.of(log)

    assert ids(now.path("b")) == ["a", "b"]
    assert now.path(None) == []
    assert [now.path(each) for each in ("c", "d", "ghost")] == [None, None, None]


def test_a_branch_has_its_events_in_raw_order() -> None:
    """Events count where they hang off the path; views are made of the branch."""
    log = [*on_main(A), happened("e", "a"), happened("x", "z"), state("s", "a"), happened("f")]
    now = Reading.of([*log, ref("r-2", "main", "s")])

    assert ids(now.branch("main")) == ["a", "e", "s"]
    assert now.inputs("main") == [A["data"]]
    assert now.state("main") == {"mark": "s"}
    assert now.state("a") == {}
    assert (now.branch("nowhere"), now.inputs("nowhere"), now.state("x")) == (None, None, None)


def test_a_turn_is_open_until_its_own_end() -> None:
    """Starts without an end of the same turn are open, malformed events are none."""
    log = [
        happened("1", type="turn.start", turn="t1"),
        happened("2", type="turn.start", turn="t2"),
        happened("3", type="turn.failed", turn="t1"),
        entry("4", "event", None),
        entry("5", "event", {"type": "turn.start", "turnId": 7}),
    ]

    assert Reading.of(log).open_turns == ["t2"]


def test_the_beginning_of_a_log_is_no_news() -> None:
    """What a default ref writes first is not counted among what an operation adds."""
    begun: list[Entry] = [ref("r", "main"), checkout("c", name="main")]

    assert fresh([], [*begun, A], "main") == [A]
    assert fresh(begun[:1], [*begun, A], "main") == [A]
    assert fresh([], [A], "main") == [A]
    assert fresh([], begun, None) == begun
    assert fresh(begun, [*begun, *begun], "main") == begun


def test_a_question_knows_the_log_before_and_after() -> None:
    """Each question comes with what lay before it, since the door was opened."""
    first, second = questions(attached(put(A), put(said("c"))))

    assert (first.before, ids(first.fresh)[0]) == ([], "a")
    assert second.before == first.after
    assert second.then.target == "a"
    assert second.now.target == "c"


def test_a_log_that_was_written_past_the_door_is_unknown() -> None:
    """After a raw append the next question doesn't know what lay before it."""
    made = program(*attached(put(A)).steps, append("s", said("z")), ask("A", "head"))

    assert [each.before is None for each in questions(made)] == [False, True]
    assert [each.method for each in answered(play(made, LogHonest))] == ["append"]


def test_a_clone_is_asked_under_its_own_key() -> None:
    """Questions to a clone are about the clone's log; labels that nobody opened ask nothing."""
    made = attached(
        put(A),
        ask("A", "clone", "t", becomes="B", at="t"),
        ask("B", "head"),
        ask("C", "head"),
        ask("A", "nothing of the kind"),
    )

    assert [(each.method, each.key) for each in questions(made)] == [
        ("append", "s"),
        ("clone", "s"),
        ("head", "t"),
    ]


def test_arguments_are_found_by_place_and_by_name() -> None:
    """An argument may be given either way, or not at all."""
    made = attached(put(A), ask("A", "fork", "f", checkout=False), ask("A", "head"))
    fork, head = questions(made)[1:]

    assert (fork.argument(0), fork.argument(2, "checkout"), fork.argument(1, "at")) == (
        "f",
        False,
        None,
    )
    assert head.target is None


def test_what_is_no_json_of_the_right_shape_is_nothing() -> None:
    """Answers of another shape are read as empty ones."""
    odd: list[Any] = [A, 7, None]

    assert members([1]) == {}
    assert objects(odd) == [A]
    assert ids("text") == []
    assert [each.default for each in questions(detached(put(A)))] == [None]
    assert len(questions(over(A, steps=(ask("A", "read"),)))) == 1
