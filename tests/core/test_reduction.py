"""Reduction: the smallest program that still breaks, in the same way."""

from typing import Any

import pytest

from storelaw.clauses import Law
from storelaw.failures import broken
from storelaw.liars.honest import HonestMedium
from storelaw.program import (
    Draft,
    Many,
    Program,
    act,
    add,
    append,
    at_once,
    load,
    opened,
    program,
    reopened,
    run,
    session,
    workers_of,
)
from storelaw.reduction import MOST_ATTEMPTS, reduced
from storelaw.samples import assistant, said, user
from storelaw.trace import Trace
from storelaw.trial import hold

NUL = said("1", "some text with \0 in the middle of it all")


def dos(steps: Program) -> list[str]:
    """The names of the steps."""
    return [each.do for each in steps.steps]


def has_nul(steps: Program) -> bool:
    """Whether an append with a NUL is followed by a load."""
    texts = [str(each.expanded()) for each in steps.steps if each.do == "append"]
    return any("\\x00" in each for each in texts) and "load" in dos(steps)


def test_operations_entries_and_values_go_as_far_as_they_can() -> None:
    """Of a long program one append with the one character that matters is left."""
    long = program(
        opened(1),
        append("t", said("0")),
        append("s", said("0"), NUL, said("2")),
        reopened(),
        append("s", said("3"), on=1),
        load("t"),
        load("s"),
    )
    small = reduced(long, has_nul)
    assert dos(small) == ["append", "load"]
    (entry,) = small.steps[0].entries
    assert isinstance(entry, dict)
    assert entry["message"]["content"][0]["text"] == "\0"
    assert set(entry) == {"type", "id", "created_at", "message"}


def test_bulk_goes_down_to_the_number_that_matters() -> None:
    """101 entries are reduced to the fewest that still break."""
    long = program(append("s", Many(said("m"), 101)), load("s"))
    small = reduced(long, lambda each: sum(len(s.expanded()) for s in each.steps) >= 7)
    assert small == program(append("s", Many(said("m"), 7)))
    single = program(append("s", Many({"id": "1"}, 1)))
    assert reduced(single, lambda each: bool(each.steps)) is single


@pytest.mark.parametrize("least", [1, 2, 102, 999])
def test_bulk_is_halved_towards_the_number_that_matters(least: int) -> None:
    """Of a thousand entries the fewest that break are found in a few dozen attempts."""
    tried: list[Program] = []

    def enough(each: Program) -> bool:
        tried.append(each)
        return sum(len(step.expanded()) for step in each.steps) >= least

    small = reduced(program(append("s", Many(said("m"), 1_000))), enough)
    assert small.steps[0].entries == (Many(said("m"), least),)
    assert len(tried) < 60


def test_nested_steps_and_answers_go_too() -> None:
    """What doesn't matter is dropped from within a run."""
    long = program(
        session("s"),
        run(
            user("q"),
            answer=(assistant("a"), assistant("b")),
            during=(add(user("n")), act("leaf")),
        ),
        act("messages"),
    )

    def broken(each: Program) -> bool:
        runs = [step for step in each.steps if step.do == "run"]
        return any("leaf" in [inner.do for inner in step["during"] or ()] for step in runs)

    small = reduced(long, broken)
    assert small == program(run(user("q"), during=(act("leaf"),)))


def test_the_steps_of_workers_go_too() -> None:
    """Each by itself; how they work stays as it is."""
    crowd = at_once(
        "s",
        "threads",
        strides=(2, 1),
        A=(append("s", said("1")), load("s")),
        B=(append("s", said("2")), load("s")),
    )

    def reads_what_a_wrote(steps: Program) -> bool:
        if dos(steps) != ["at_once"]:
            return False
        did = {name: [s.do for s in of] for name, of in workers_of(steps.steps[0]).items()}
        return "append" in did["A"] and "load" in did["B"]

    (small,) = reduced(program(load("t"), crowd), reads_what_a_wrote).steps
    did = {name: [each.do for each in steps] for name, steps in workers_of(small).items()}
    assert did == {"A": ["append"], "B": ["load"]}
    assert (small["way"], small["strides"]) == ("threads", [2, 1])


def test_a_worker_with_nothing_to_do_goes() -> None:
    """Who takes no part in a counterexample isn't named in it."""
    crowd = at_once("s", "threads", A=(load("s"),), B=(append("s", said("1")),))

    def writes(steps: Program) -> bool:
        return any("append" in str(workers_of(each)) for each in steps.steps)

    (small,) = reduced(program(crowd), writes).steps
    assert list(workers_of(small)) == ["B"]


def test_drafts_keep_their_entries() -> None:
    """A draft is dropped or kept whole, since its label stands for it."""
    one, two = user("q", "a long text"), user("r")
    small = reduced(
        program(add(one, two)), lambda each: any(one in step.drafts() for step in each.steps)
    )
    assert small.steps[0].entries == (one,)
    assert isinstance(small.steps[0].entries[0], Draft)


def test_the_members_of_an_entry_are_dropped_at_every_level() -> None:
    """Only what the difference needs, and what makes an entry an entry, stays."""
    deep: dict[str, Any] = {"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": {"i": 1}}}}}}}}}
    entry = {"id": "1", "type": "custom", "kind": "long kind", "list": [1, 2, 3], "deep": deep}

    def broken(each: Program) -> bool:
        return any(3 in item.get("list", []) for step in each.steps for item in step.expanded())

    small = reduced(program(append("s", entry)), broken)
    assert small.steps[0].entries == (
        {"id": "1", "type": "custom", "kind": "long kind", "list": [3]},
    )


def test_a_value_below_the_eighth_level_is_kept_whole() -> None:
    """The reducer doesn't dig for ever."""
    deep: Any = "xy"
    for _ in range(10):
        deep = {"a": deep}
    kept = reduced(
        program(append("s", {"id": "1", "deep": deep})), lambda each: "xy" in str(each.data())
    )
    assert kept.steps[0].entries == ({"id": "1", "deep": deep},)


@pytest.mark.parametrize(
    "never", [program(), program(load("s")), program(append("s", {"id": "1"}))]
)
def test_what_cannot_get_smaller_stays(never: Program) -> None:
    """A program none of whose smaller forms breaks is given back."""
    assert reduced(never, lambda each: False) is never


def test_the_number_of_attempts_is_bounded() -> None:
    """A program that shrinks by inches ends as well."""
    tried: list[Program] = []
    long = program(*(append("s", said(str(each), "some text")) for each in range(200)))

    def never(each: Program) -> bool:
        tried.append(each)
        return False

    def at_last(each: Program) -> bool:
        tried.append(each)
        return len(tried) == 2 * MOST_ATTEMPTS

    assert reduced(long, never) is long
    assert len(tried) == MOST_ATTEMPTS
    assert reduced(long, at_last) is tried[-1]
    assert len(tried) == 2 * MOST_ATTEMPTS


def test_a_reduction_keeps_the_kind_of_the_break() -> None:
    """A program that breaks in another way isn't a smaller form of this one."""

    def judge(trace: Trace) -> str | None:
        steps = [each.step.do for each in trace.events]
        if "reopen" not in steps and "load" in steps:
            broken(None, expected=1, observed=2, because="first.", kind="one")
        if "load" in steps:
            broken(None, expected=1, observed=3, because="second.", kind="two")
        return None

    steps = program(reopened(), load("s"), load("t"))
    law = Law("a_law", "A law.", "order", judge, lambda manifest: [steps])
    failure = hold(law, HonestMedium).failure
    assert failure is not None
    assert failure.because == "second."
    assert [each.do for each in failure.program.steps] == ["reopen", "load"]
    assert (failure.index, failure.text_of_error) == (None, "")
