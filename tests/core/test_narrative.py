"""The texts of failures, whole, as a reader sees them."""

import json
from typing import Any

import pytest

from storelaw.failures import Failure
from storelaw.narrative import Names, Words, gist, program_lines, saved, text
from storelaw.program import (
    Draft,
    Many,
    Program,
    act,
    add,
    append,
    at_once,
    call,
    closed,
    failing,
    list_sessions,
    load,
    meddle,
    opened,
    program,
    reopened,
    run,
    session,
    view,
)
from storelaw.recordings import restored
from storelaw.samples import assistant, calls, custom, ephemeral, note, result, user
from storelaw.values import Entry, absent

A: Entry = {"id": "1", "type": "custom", "kind": "n"}
B: Entry = {"id": "0", "type": "custom", "kind": "n"}

ODD = Draft(
    "t",
    {
        "type": "message",
        "message": {
            "role": "user",
            "content": ["odd", {"type": "reminder", "text": "rem"}, {"type": "thinking"}],
        },
    },
)


def failure(steps: Program, expected: Any, observed: Any, **more: Any) -> Failure:
    """A failure of a law with short words."""
    words: dict[str, Any] = {
        "law": "entries_load_in_append_order",
        "claim": "Entries come back in the order they were appended.",
        "because": "the order was lost.",
        **more,
    }
    return Failure(
        medium="acme", program=steps, expected=expected, observed=observed, index=None, **words
    )


def test_the_text_of_a_failure_at_the_store_door() -> None:
    """The program, both sides by name, the first difference, the reason, the way to run it again."""
    found = failure(
        program(append("s", A), append("s", B), load("s")),
        [A, B],
        [B, A],
        target="acme.testing:AcmeMedium",
        seed=7,
    )
    assert text(found).split("\n") == [
        "acme broke a law: entries_load_in_append_order",
        "",
        "    store = medium.open()",
        '    store.append("s", [a])  # a = {"id": "1", "type": "custom", "kind": "n"}',
        '    store.append("s", [b])  # b = {"id": "0", "type": "custom", "kind": "n"}',
        '    store.load("s")',
        "",
        "expected  [a, b]",
        "observed  [b, a]",
        'differs   $[0].id: "1" became "0"',
        "",
        "because   the order was lost.",
        "law       Entries come back in the order they were appended.",
        "rerun     storelaw check acme.testing:AcmeMedium --law entries_load_in_append_order --seed 7",
    ]


def test_the_text_tells_every_operation_of_the_store_door() -> None:
    """Handles have numbers, keys their parts, and what isn't a call is a comment."""
    found = failure(
        program(
            opened(1),
            call("create", ("p", "t"), parent="r"),
            append(("p", "t"), A, B, on=1),
            call("append_one", "s", A),
            meddle("appended"),
            reopened(1),
            closed(1),
            list_sessions(prefix=("p",)),
            call("delete_entry", "s", which=0),
            load(("p", "t"), last=1),
        ),
        Words("a list"),
        absent,
        text_of_error="ValueError: no",
    )
    assert text(found).split("\n") == [
        "acme broke a law: entries_load_in_append_order",
        "",
        "    store = medium.open()",
        "    store1 = medium.open()",
        '    store.create(["p", "t"], parent="r")',
        '    store1.append(["p", "t"], [a, b])  # a = {"id": "1", "type": "custom", "kind": "n"}; b = {"id": "0", "type": "custom", "kind": "n"}',
        '    store.append_one("s", a)',
        "    # the caller changes what it appended, in place",
        "    medium.close(store1); store1 = medium.open()",
        "    medium.close(store1)",
        '    store.list_sessions(prefix=["p"])',
        '    store.delete_entry("s", which=0)',
        '    store.load(["p", "t"], last=1)',
        "",
        "expected  a list",
        "observed  nothing",
        'raised    "ValueError: no"',
        "",
        "because   the order was lost.",
        "law       Entries come back in the order they were appended.",
    ]


def test_the_text_of_a_failure_at_the_session_door() -> None:
    """Drafts go by their labels and are told once; a run says what its model does meanwhile."""
    found = failure(
        program(
            session("s"),
            opened(1),
            session(("u", "s"), "B", on=1),
            add(user("q"), ephemeral("e"), note("n")),
            run(
                user("x"),
                answer=(calls("c", "t1"), assistant("an", "hello")),
                during=(add(result("r", "t1"), on="B"), act("leaf")),
            ),
            run(user("z"), fails=True),
            run(ODD),
            act("branch", target="q"),
            act("fork_session", new="f", as_="F"),
            act("compact", keep=1, summary="S", during=(add(user("m")),)),
            failing("load"),
            failing("item", 1),
            failing("before-commit"),
            act("messages", on="F"),
        ),
        [{"role": "user"}],
        [],
    )
    assert text(found).split("\n") == [
        "acme broke a law: entries_load_in_append_order",
        "",
        "    store = medium.open()",
        '    A = open_session(store, "s")',
        "    store1 = medium.open()",
        '    B = open_session(store1, ["u", "s"])',
        '    A.append([q, e, n])  # q = user: "q"; e = ephemeral user: "e"; n = {"type": "custom", "kind": "note", "title": "n"}',
        '    A.run([x], model: meanwhile B.append([r]), then meanwhile A.leaf(), then answer [c, an])  # x = user: "x"; c = assistant: tool_call "t1"; an = assistant: "hello"; ...',
        '    A.run([z], model: fail)  # z = user: "z"',
        '    A.run([t], model: silent)  # t = user: "odd", reminder "rem", thinking ""',
        "    A.branch(target=q)",
        '    F = A.fork("f")',
        '    A.compact(keep=1, summary="S", meanwhile A.append([m]))  # m = user: "m"',
        "    # the store's next load fails",
        "    # the store's next append fails at item 1",
        "    # the store's next append fails before-commit",
        "    F.messages()",
        "",
        'expected  [{"role": "user"}]',
        "observed  []",
        'differs   $[0]: {"role": "user"} became nothing',
        "",
        "because   the order was lost.",
        "law       Entries come back in the order they were appended.",
    ]


def test_the_text_of_a_failure_at_the_views_door() -> None:
    """The path stands in the call."""
    found = failure(
        program(view("model_view", [A, B]), view("transcript_view", [])), ["one"], ["two"]
    )
    assert text(found).split("\n") == [
        "acme broke a law: entries_load_in_append_order",
        "",
        "    store = medium.open()",
        f"    medium.model_view([a, b])  # a = {json.dumps(A)}; b = {json.dumps(B)}",
        "    medium.transcript_view([])",
        "",
        'expected  ["one"]',
        'observed  ["two"]',
        'differs   $[0]: "one" became "two"',
        "",
        "because   the order was lost.",
        "law       Entries come back in the order they were appended.",
    ]


def test_the_text_of_a_flaky_failure() -> None:
    """It says in how many replays the law broke."""
    found = failure(program(load("s")), [], [A], replays=(1, 3))
    assert text(found).split("\n") == [
        "acme broke a law: entries_load_in_append_order",
        "",
        "    store = medium.open()",
        '    store.load("s")',
        "",
        "expected  []",
        'observed  [{"id": "1", "type": "custom", "kind": "n"}]',
        'differs   $[0]: nothing became {"id": "1", "type": "custom", "kind": "n"}',
        "",
        "because   the order was lost.",
        "law       Entries come back in the order they were appended.",
        "flaky     it failed 1 of 3 replays",
    ]


def test_the_text_of_a_failure_with_bulk() -> None:
    """Repetition stays a repetition, and long lists are cut."""
    found = failure(
        program(append("s", Many(A, 101)), load("s")),
        Many(A, 101).expanded(),
        Many(A, 100).expanded(),
    )
    assert text(found).split("\n") == [
        "acme broke a law: entries_load_in_append_order",
        "",
        "    store = medium.open()",
        '    store.append("s", [*many(a, 101)])  # a = {"id": "1", "type": "custom", "kind": "n"}',
        '    store.load("s")',
        "",
        'expected  [{"id": "1-0", "type": "custom", "kind": "n"}, {"id": "1-1", "type": "custom", "kind": "n"}, {"id": "1-2", "type": "custom", "kind": "n"}, {"id": " ... "n"}, {"id": "1-98", "type": "custom", "kind": "n"}, {"id": "1-99", "type": "custom", "kind": "n"}, {"id": "1-100", "type": "custom", "kind": "n"}]',
        'observed  [{"id": "1-0", "type": "custom", "kind": "n"}, {"id": "1-1", "type": "custom", "kind": "n"}, {"id": "1-2", "type": "custom", "kind": "n"}, {"id": " ...  "n"}, {"id": "1-97", "type": "custom", "kind": "n"}, {"id": "1-98", "type": "custom", "kind": "n"}, {"id": "1-99", "type": "custom", "kind": "n"}]',
        'differs   $[100]: {"id": "1-100", "type": "custom", "kind": "n"} became nothing',
        "",
        "because   the order was lost.",
        "law       Entries come back in the order they were appended.",
    ]


def test_the_text_of_a_failure_with_surrogates_is_ascii() -> None:
    """A lone surrogate would end the process that reads it."""
    found = failure(
        program(append("s", custom("\ud800", v="\u00e9")), load("s")),
        [custom("\ud800", v="\u00e9")],
        [custom("\ud800", v="?")],
        because="an \u00e9 \ud800 was changed.",
    )
    assert text(found).split("\n") == [
        "acme broke a law: entries_load_in_append_order",
        "",
        "    store = medium.open()",
        r'    store.append("s", [a])  # a = {"type": "custom", "id": "\ud800", "creat ... 0:00:00Z", "kind": "note", "v": "\u00e9"}',
        '    store.load("s")',
        "",
        "expected  [a]",
        r'observed  [{"type": "custom", "id": "\ud800", "created_at": "2026-01-01T00:00:00Z", "kind": "note", "v": "?"}]',
        r'differs   $[0].v: "\u00e9" became "?"',
        "",
        r"because   an \xe9 \ud800 was changed.",
        "law       Entries come back in the order they were appended.",
    ]


def test_the_text_of_a_long_program_is_cut_in_the_middle() -> None:
    """Beginning and end are told, with the number of lines between, in 40 lines at most."""
    found = failure(
        program(*(append("s", {"id": str(each)}) for each in range(30)), load("s")),
        {"a": 1},
        {"a": 1.0},
        target="acme:Medium",
        replays=(2, 3),
        text_of_error="x" * 300,
    )
    assert text(found).split("\n") == [
        "acme broke a law: entries_load_in_append_order",
        "",
        "    store = medium.open()",
        '    store.append("s", [a])  # a = {"id": "0"}',
        '    store.append("s", [b])  # b = {"id": "1"}',
        '    store.append("s", [c])  # c = {"id": "2"}',
        '    store.append("s", [d])  # d = {"id": "3"}',
        '    store.append("s", [e])  # e = {"id": "4"}',
        '    store.append("s", [f])  # f = {"id": "5"}',
        '    store.append("s", [g])  # g = {"id": "6"}',
        '    store.append("s", [h])  # h = {"id": "7"}',
        '    store.append("s", [i])  # i = {"id": "8"}',
        '    store.append("s", [j])  # j = {"id": "9"}',
        '    store.append("s", [k])  # k = {"id": "10"}',
        "    ...  # 8 more lines",
        '    store.append("s", [t])  # t = {"id": "19"}',
        '    store.append("s", [u])  # u = {"id": "20"}',
        '    store.append("s", [v])  # v = {"id": "21"}',
        '    store.append("s", [w])  # w = {"id": "22"}',
        '    store.append("s", [x])  # x = {"id": "23"}',
        '    store.append("s", [y])  # y = {"id": "24"}',
        '    store.append("s", [z])  # z = {"id": "25"}',
        '    store.append("s", [a1])  # a1 = {"id": "26"}',
        '    store.append("s", [b1])  # b1 = {"id": "27"}',
        '    store.append("s", [c1])  # c1 = {"id": "28"}',
        '    store.append("s", [d1])  # d1 = {"id": "29"}',
        '    store.load("s")',
        "",
        'expected  {"a": 1}',
        'observed  {"a": 1.0}',
        'raised    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx ... xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"',
        "differs   $.a: 1 became 1.0",
        "",
        "because   the order was lost.",
        "law       Entries come back in the order they were appended.",
        "flaky     it failed 2 of 3 replays",
        "rerun     storelaw check acme:Medium --law entries_load_in_append_order --seed 0",
    ]


def test_the_text_of_a_crowd() -> None:
    """Each worker's calls have its name ahead, how they met stands above, and a picture below."""
    crowd = at_once(
        "s",
        "threads",
        pauses=(5, 1),
        strides=(3, 8),
        X=(append("s", A), load("s")),
        Y=(append("s", B), call("fork", "s", new="f")),
    )
    steps = program(call("create", "s"), crowd, at_once("s", "tasks", X=(load("s"),)), load("s"))
    picture = "ticket  X       \n1       append a\n2       ok        <-- not there"
    told = text(failure(steps, Words("all of it"), Words("less"), picture=picture))
    assert told.splitlines() == [
        "acme broke a law: entries_load_in_append_order",
        "",
        "    store = medium.open()",
        '    store.create("s")',
        "    # at once, as threads, pauses [5, 1], strides [3, 8]",
        '    X: store.append("s", [a])  # a = {"id": "1", "type": "custom", "kind": "n"}',
        '    X: store.load("s")',
        '    Y: store.append("s", [b])  # b = {"id": "0", "type": "custom", "kind": "n"}',
        '    Y: store.fork("s", new="f")',
        "    # at once, as tasks",
        '    X: store.load("s")',
        '    store.load("s")',
        "",
        "expected  all of it",
        "observed  less",
        "",
        "    ticket  X",
        "    1       append a",
        "    2       ok        <-- not there",
        "",
        "because   the order was lost.",
        "law       Entries come back in the order they were appended.",
    ]


@pytest.mark.parametrize("picture", ["", "A  B\n1  2\n3"])
@pytest.mark.parametrize("count", [1, 20, 24, 100])
def test_no_text_is_longer_than_forty_lines(count: int, picture: str) -> None:
    """However long the program is, and with every line that a failure may have."""
    found = failure(
        program(*(append("s", {"id": str(each)}) for each in range(count))),
        [1],
        [2],
        target="a:B",
        replays=(1, 3),
        text_of_error="E",
        picture=picture,
    )
    lines = text(found).splitlines()
    assert len(lines) <= 40
    assert any("more lines" in each for each in lines) is (count >= (21 if picture else 24))
    assert text(found).isascii()


def test_a_list_of_unnamed_values_is_cut() -> None:
    """Twelve values are shown, the others counted; what is still too long is cut as JSON."""
    names = Names(program())
    assert names.of(list(range(14))) == "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ... 2 more]"
    long = names.of(["x" * 90] * 5)
    assert len(long) <= 300
    assert " ... " in long
    assert names.of("x" * 300).count("x") < 100


def test_entries_are_named_by_value_and_type() -> None:
    """An entry that came back changed has no name; equal entries share one."""
    names = Names(program(append("s", A, dict(A), B)))
    assert names.of([A, B]) == "[a, c]"
    assert names.name({**A, "n": 1}) is None
    assert names.told(append("s", A, dict(A))).count("a = ") == 1
    assert names.told(append("s", A)) == ""


def test_more_than_three_entries_of_a_step_are_not_all_told() -> None:
    """A line stays readable; the saved program has them all."""
    steps = program(append("s", *({"id": str(each)} for each in range(5))))
    line = list(program_lines(steps))[1]
    assert line.endswith('c = {"id": "2"}; ...')


def test_what_an_earlier_version_wrote_is_told_with_the_session() -> None:
    """Or with the folder of its recording."""
    lines = program_lines(program(restored("s", A), restored(folder="old/1.0")))
    assert [each.split("  #")[0] for each in lines][1:] == [
        'medium = a medium on [a] in "s" of an earlier version; store = medium.open()',
        'medium = a medium on what is recorded in "old/1.0"; store = medium.open()',
    ]


def test_the_gist_of_an_entry_is_its_words() -> None:
    """A draft message is told in words, anything else as JSON."""
    assert gist(user("q", "hello").entry) == 'user: "hello"'
    assert gist(ephemeral("e").entry) == 'ephemeral user: "e"'
    assert gist(A) == '{"id": "1", "type": "custom", "kind": "n"}'
    assert gist({"message": {"content": "text"}}) == '{"message": {"content": "text"}}'


def test_a_saved_failure_is_its_program_unabbreviated() -> None:
    """It reads back as the same program, with the law that it breaks."""
    steps = program(append("s", custom("\ud800", long="x" * 1000)), load("s"))
    data = saved(failure(steps, [], []))
    assert data.isascii()
    assert data.endswith("}\n")
    assert json.loads(data)["law"] == "entries_load_in_append_order"
    assert Program.of(json.loads(data)) == steps
