"""What failures are drawn from: trees and lists, as data that keeps to its schema."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

import storelaw_schemas
from storelaw.drawings import drawn
from storelaw.drawings.words import said as told
from storelaw.narrative import Words
from storelaw.program import Program, Step, add, append, load, program, session
from storelaw.samples import ephemeral, user
from storelaw.sides import Leaf, Parent
from storelaw.trace import Event
from storelaw.values import Entry

from .sample import HOSTILE, said

LOG = [said("1"), said("2", "1"), said("3", "2")]
STEPS = program(append("s", *LOG), load("s"))


def happened(log: Sequence[Any] | None = None, value: Any = None, **more: Any) -> Event:
    """An event after which the store holds a log."""
    logs: dict[Any, Any] = {} if log is None else {"s": list(log)}
    return Event(0, Step("load", "s"), value=value, logs=logs, **more)


def drawing(expected: Any, observed: Any, log: Sequence[Any] = (), **more: Any) -> Any:
    """The drawing of two sides over a log, which keeps to its schema where there is one."""
    made = drawn(happened(log, **more), STEPS, expected, observed)
    assert made is None or storelaw_schemas.problems("harness/drawing", made) == ()
    return made


def marks(side: Sequence[Mapping[str, Any]]) -> str:
    """The names of a side's items, each with its mark."""
    return " ".join(f"{each['name']}:{each['mark']}" for each in side)


def of(made: Any) -> tuple[str, str]:
    """Both sides of a drawing in short."""
    return marks(made.get("expected", ())), marks(made["observed"])


# ---------------------------------------------------------------------- trees


def test_a_path_that_ends_early_lacks_its_end() -> None:
    """What should be on the path and was not is missing; the rest of the log is off it."""
    made = drawing(Leaf("2"), Leaf("1"), LOG)
    assert made["kind"] == "tree"
    assert of(made) == ("a:path b:path c:off", "a:path b:missing c:off")


def test_a_path_that_goes_too_far_has_something_extra() -> None:
    """What was on the path and should not be is told."""
    assert of(drawing(Leaf("1"), Leaf("2"), LOG)) == (
        "a:path b:off c:off",
        "a:path b:extra c:off",
    )


def test_a_leaf_at_the_start_has_no_path() -> None:
    """An empty id is the place before the first entry; one that isn't there is no place."""
    assert of(drawing(Leaf(""), Leaf("1"), LOG))[1] == "a:extra b:off c:off"
    assert drawing(Leaf("1"), Leaf("nowhere"), LOG) is None


def test_a_cycle_ends_the_way() -> None:
    """A log whose parents go round is drawn all the same."""
    round_about = [said("1", "2"), said("2", "1")]
    assert of(drawing(Leaf(""), Leaf("2"), round_about))[1] == "1:extra b:extra"


def test_an_entry_under_another_parent_hangs_elsewhere() -> None:
    """The entry is drawn where it should hang, and where it does."""
    made = drawing(Parent("1", LOG[2]), Parent("2", LOG[2]), LOG)
    assert of(made) == ("a:off b:off 3:path", "a:off b:off c:moved")
    assert [each["parent"] for each in made["expected"]] == ["", "1", "1"]
    assert drawing(Parent("1", {"type": "x"}), Parent("2", {"type": "x"}), LOG) is None


def test_entries_of_both_sides_are_found_by_id_or_by_what_they_say() -> None:
    """Ids, whole entries, payloads and messages all stand for the entry of the log."""
    whole, payload = LOG[:2], [{"type": each["type"], "message": each["message"]} for each in LOG]
    apart = [said("1", text="one"), said("2", "1", text="two")]
    messages = [each["message"] for each in apart]
    assert of(drawing(LOG, whole)) == ("a:path b:path c:path", "a:path b:path c:missing")
    assert of(drawing(["1", "2"], ["1"], LOG))[1] == "a:path b:missing c:off"
    assert of(drawing(messages, messages[:1], apart))[1] == "1:path 2:missing"
    assert drawing(payload, payload[:1], LOG)["kind"] == "lists"


def test_parts_of_an_entry_stand_for_it() -> None:
    """A side may name an id and a parent alone, or a type and a parent beside its twin."""
    wanted, got = {"id": "3", "parent_id": "1"}, {"id": "3", "parent_id": "2"}
    assert of(drawing(wanted, got, LOG))[1] == "a:off b:off c:moved"
    compaction: Entry = {"type": "compaction", "id": "4"}
    made = drawing([{"type": "compaction", "parent_id": "3"}], [compaction], LOG)
    assert of(made)[1] == "a:off b:off c:off 4:moved"
    assert drawing([{"type": "custom", "parent_id": "3"}], [compaction], LOG)["kind"] == "lists"
    assert drawing([{"id": "9", "parent_id": "3"}], [], LOG)["kind"] == "tree"


def test_the_parents_of_the_log_profile_are_known_too() -> None:
    """They have another name; entries that move a ref or the head are on no path."""
    log: list[Entry] = [
        {"type": "session/ref", "id": "r", "data": {}},
        {"type": "input", "id": "1", "data": {}},
        {"type": "input", "id": "2", "parentId": "1", "data": {}},
    ]
    assert of(drawing(Leaf("2"), Leaf("1"), log)) == ("1:path 2:path", "1:path 2:missing")


def test_what_was_observed_is_marked_where_no_entries_were_expected() -> None:
    """Words can't be drawn, so nothing is said to be wrong with the tree."""
    made = drawing(Words("no such entry"), [LOG[1]], LOG)
    assert of(made) == ("", "a:off b:seen c:off")
    assert drawing(Words("a refusal"), Words("a branch"), LOG) is None
    assert drawing(Words("entries"), [], LOG) is None
    assert drawing(7, [LOG[1]], LOG) is None


def test_an_ephemeral_entry_hangs_off_the_chain() -> None:
    """It is not in the log, but the answer shows it."""
    aside = said("r", "1", injected="ephemeral")
    made = drawing(Leaf("1"), Leaf("r"), LOG[:1], value=[LOG[0], aside])
    assert of(made) == ("a:path r:off", "a:path r:extra")
    assert [each.get("ephemeral") for each in made["observed"]] == [None, True]


def test_the_log_is_that_of_the_session_which_the_step_is_about() -> None:
    """Sessions, doors and forks go by labels; where it isn't clear, no log is drawn."""
    steps = program(
        session("s"), add(user("u")), Step("fork_session", on="A", args={"as_": "C", "new": "t"})
    )
    logs: dict[Any, Any] = {"s": LOG, "t": LOG[:2], "u": None}
    for label, expected in (("A", 3), ("C", 2), ("unheard of", 0)):
        event = Event(0, Step("leaf", on=label), logs=logs)
        made = drawn(event, steps, Leaf(""), Leaf("1"))
        assert (0 if made is None else len(made["observed"])) == expected
    assert drawn(None, steps, LOG, LOG[:2]) is not None


def test_the_same_entries_at_the_same_places_are_no_tree() -> None:
    """Where only their order or their values differ, the lists show it."""
    assert drawing(LOG, LOG[::-1])["kind"] == "lists"
    assert drawing(LOG[:1], [], LOG[:1])["kind"] == "lists"


def test_labels_name_what_the_program_names() -> None:
    """An entry of a session has the label of its draft; one that nobody named has its id."""
    steps = program(session("s"), add(user("u"), ephemeral("r")))
    draft = steps.steps[1].drafts()[0].entry
    log = [{**draft, "id": "f00d"}, said("2", "f00d", text="other")]
    made = drawn(happened(log), steps, Leaf("2"), Leaf("f00d"))
    assert made is not None
    assert of(made)[1] == "u:path 2:missing"


def test_two_entries_never_go_by_one_name() -> None:
    """Of several that say the same, the first has the label and the others their ids."""
    steps = program(session("s"), add(user("u")))
    draft = steps.steps[1].drafts()[0].entry
    log = [{**draft, "id": "1"}, {**draft, "id": "2", "parent_id": "1"}]
    made = drawn(happened(log), steps, Leaf("2"), Leaf("1"))
    assert made is not None
    assert of(made) == ("u:path 2:path", "u:path 2:missing")


def test_a_long_log_is_drawn_around_what_is_marked() -> None:
    """What is left out is counted; a log too long to be looked at is not drawn."""
    long = [said("0"), *(said(str(each), str(each - 1)) for each in range(1, 60))]
    made = drawing(Leaf("31"), Leaf("30"), long)
    assert len(made["observed"]) == 24
    assert made["observed"][0]["before"] > 10
    assert "31:missing" in of(made)[1]
    assert len(drawing(Leaf("59"), Leaf("58"), long)["expected"]) == 24
    longer = [*long, *(said(str(each), str(each - 1)) for each in range(60, 600))]
    assert drawing(Leaf("1"), Leaf("2"), longer) is None
    assert drawing(longer, longer[:-1])["kind"] == "lists"


# ---------------------------------------------------------------------- lists

A, B, C, D = (said(each) for each in "abcd")


@pytest.mark.parametrize(
    ("expected", "observed", "left", "right"),
    [
        ([A, B], [B, A], "a:same b:moved", "b:moved a:same"),
        ([A, B], [A], "a:same b:lost", "a:same"),
        ([A], [A, B], "a:same", "a:same b:extra"),
        ([A], [A, A], "a:same", "a:same a:repeated"),
        ([A, B], [A, {**B, "more": 1}], "a:same b:changed", "a:same b:changed"),
        (
            [A, B, C, D],
            [A, D, B, C],
            "a:same b:same c:same d:moved",
            "a:same d:moved b:same c:same",
        ),
        (["x", "y"], ["x"], ":same :lost", ":same"),
        ([1, 2], [1, 3], ":same :changed", ":same :changed"),
        ([A], [B], "a:lost", "b:extra"),
        ([A], [{"type": "x"}], "a:changed", ":changed"),
        ([A, B], [B, 7], "a:lost b:same", "b:same :extra"),
        ([], [A], "", "a:extra"),
    ],
)
def test_items_are_paired(expected: Any, observed: Any, left: str, right: str) -> None:
    """By id, by value, and else by place; what keeps its order is not said to have moved."""
    made = drawing(expected, observed)
    assert made["kind"] == "lists"
    assert of(made) == (left, right)
    assert all(each["to"] < len(observed) for each in made["expected"] if "to" in each)


def test_long_lists_begin_shortly_before_they_differ() -> None:
    """What is left out at either end is counted."""
    long = list(range(100))
    made = drawing(long, [*long[:50], *long[51:]])
    assert (made["before"], len(made["expected"])) == (47, 24)
    assert made["after"] == {"expected": 29, "observed": 28}
    assert marks(made["expected"]).split()[:5] == [":same", ":same", ":same", ":lost", ":same"]


def test_one_value_is_no_list() -> None:
    """A failure of which no side is a list is told in words alone."""
    assert drawing(1, 2) is None
    assert drawing([], None) is None


def test_two_objects_are_told_by_the_places_at_which_they_differ() -> None:
    """Each with both sides; what the store declares to lose is no difference."""
    made = drawing({"id": "1", "n": 1, "t": {"a": None}}, {"id": "1", "n": 1.0, "t": {}})
    assert made == {
        "kind": "members",
        "rows": [
            {"path": "$.n", "expected": "1", "observed": "1.0"},
            {"path": "$.t.a", "expected": "null", "observed": "nothing"},
        ],
        "more": False,
    }
    assert drawn(None, STEPS, {"n": 1}, {"n": 1.0}, frozenset({"numbers"})) is None


def test_of_many_differences_the_first_are_told() -> None:
    """And that there are more; a long path is cut."""
    made = drawing({str(each): each for each in range(20)}, {})
    assert (len(made["rows"]), made["more"]) == (12, True)
    (row,) = drawing({"x" * 200: 1}, {})["rows"]
    assert len(row["path"]) < 100


@pytest.mark.parametrize(
    ("item", "words"),
    [
        (said("1", text="hello"), 'user: "hello"'),
        ({"role": "user", "content": []}, "user"),
        ({"type": "input", "data": {"role": "user", "content": [7]}}, "user: 7"),
        ({"type": "note", "data": [1]}, "note"),
        ({"type": ["odd"], "x": 1}, '{"type": ["odd"], "x": 1}'),
        ({}, "{}"),
        ("text", '"text"'),
        ({"type": "k" * 60}, "k" * 45 + "..."),
        ({"type": "\ud800\u202e"}, "\\ud800\\u202e"),
        ({"message": {"content": [{"type": "text", "text": 5}]}}, ": 5"),
    ],
)
def test_an_item_is_told_in_a_few_words(item: object, words: str) -> None:
    """Who says what, or the type, or the JSON: short, and in ASCII."""
    assert told(item) == words


class Strange:
    """Something that is no JSON and can't be told."""

    def __repr__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize("odd", [*HOSTILE, Strange(), {1: 2}, {"id": 7}, {"id": ["x"]}, b"x", None])
def test_whatever_a_store_answers_can_be_drawn(odd: Any) -> None:
    """A drawing never fails: a failure is worth more than its picture."""
    entry = {"id": "1", "type": odd, "parent_id": odd, "message": odd}
    for observed in ([odd], [entry], odd, [entry, odd, entry]):
        made = drawn(happened([entry, odd]), STEPS, LOG, observed)
        assert made is None or made["kind"] in ("tree", "lists", "members")


def test_a_program_without_steps_has_no_names() -> None:
    """Then entries go by their ids."""
    made = drawn(None, Program(()), [A], [])
    assert made is not None
    assert of(made) == ("a:lost", "")
