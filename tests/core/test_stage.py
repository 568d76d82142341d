"""The session door: labels, what models saw, nested steps, failures made on purpose."""

from typing import Any

import pytest

from storelaw.liars.honest import HonestExplicit, HonestMedium, HonestStore, claiming
from storelaw.player import play
from storelaw.program import (
    act,
    add,
    closed,
    failing,
    load,
    opened,
    program,
    reopened,
    run,
    session,
)
from storelaw.samples import assistant, ephemeral, note, user
from storelaw.values import Entry


def ids(log: list[Entry] | None) -> list[Any]:
    """The ids of a log."""
    return [each["id"] for each in log or []]


def told(messages: list[Entry]) -> list[str]:
    """The text of each message."""
    return [each["content"][0].get("text", "") for each in messages]


def test_drafts_get_labels_and_the_log_is_looked_at_after_each_step() -> None:
    """A label stands for the entry as the engine assigned it; the leaf is noted."""
    trace = play(program(session("s"), add(user("q"), note("n"))), HonestExplicit)
    opening, adding = trace.events
    assert (opening.value, opening.leaf, opening.logs) == ("", "", {"s": []})
    assert [each["id"] for each in adding.value] == [trace.id_of("q"), trace.id_of("n")]
    assert ids(adding.logs["s"]) == [trace.id_of("q"), trace.id_of("n")]
    assert adding.leaf == trace.id_of("n")
    assert trace.sessions == {"A": "s"}


def test_equal_drafts_get_the_ids_of_their_order() -> None:
    """Two drafts with one payload are told apart by their places."""
    one, two = user("p", "same"), user("r", "same")
    trace = play(program(session("s"), add(one, two)), HonestExplicit)
    assert [trace.id_of("p"), trace.id_of("r")] == ids(trace.events[-1].logs["s"])


def test_a_run_shows_its_prompt_and_labels_answers() -> None:
    """What the model was shown is recorded; inputs and answers get their labels."""
    steps = program(
        session("s"),
        add(user("q")),
        run(user("r"), ephemeral("e"), answer=(assistant("a"), assistant("b"))),
    )
    trace = play(steps, HonestExplicit)
    event = trace.events[-1]
    assert [told(each) for each in event.prompts] == [["q", "r", "e"]]
    assert [len(each["entries"]) for each in event.value] == [1, 1, 1]
    labels = [trace.id_of(each) for each in ("q", "r", "a", "b")]
    assert ids(event.logs["s"]) == labels
    assert trace.id_of("e") not in labels
    assert event.leaf == trace.id_of("b")


def test_a_failing_model_is_an_error_of_the_run() -> None:
    """The run raises; what was stored before has its label."""
    trace = play(
        program(session("s"), run(user("q"), answer=(assistant("a"),), fails=True)), HonestExplicit
    )
    event = trace.events[-1]
    assert (event.outcome, event.error) == ("raised", "unknown")
    assert event.text == "Injected: the model fails"
    assert ids(event.logs["s"]) == [trace.id_of("q"), trace.id_of("a")]


def test_steps_run_while_the_model_speaks() -> None:
    """Nested steps of both doors become nested events, prompts of their own included."""
    inner = run(user("n"), on="B", answer=(assistant("m"),))
    steps = program(
        session("s"),
        session("t", "B"),
        run(
            user("q"),
            answer=(assistant("a"),),
            during=(inner, act("leaf"), load("s"), add(user("x"), on="nobody")),
        ),
    )
    event = play(steps, HonestExplicit).events[-1]
    assert event.ok
    running, leaf, loading, skipped = event.nested
    assert [told(each) for each in event.prompts] == [["q"]]
    assert [told(each) for each in running.prompts] == [["n"]]
    assert leaf.value == running.logs["s"][0]["id"]  # type: ignore[index]
    assert ids(loading.value) == [leaf.value]
    assert skipped.outcome == "skipped"


def test_a_branch_goes_to_a_label_or_an_id() -> None:
    """A label is resolved to its id; one that got no id leaves the branch out."""
    steps = program(
        session("s"),
        add(user("q"), user("r")),
        act("branch", target="q"),
        act("leaf"),
        act("branch", id="nowhere"),
        act("branch", target="unknown"),
    )
    trace = play(steps, HonestExplicit)
    assert trace.events[3].value == trace.id_of("q")
    assert trace.events[4].error == "Rejected"
    assert trace.events[5].outcome == "skipped"


def test_a_fork_is_a_session_of_its_own() -> None:
    """The child goes by its own label, and its log is looked at too."""
    steps = program(
        session("s"),
        add(user("q")),
        act("fork_session", new="f", as_="F"),
        add(user("r"), on="F"),
        act("messages", on="F"),
        act("transcript", on="F"),
        act("entries"),
    )
    trace = play(steps, HonestExplicit)
    assert trace.sessions == {"A": "s", "F": "f"}
    last = trace.events[-1]
    assert len(last.logs["f"] or []) == 2
    assert len(last.logs["s"] or []) == 1
    assert told(trace.events[4].value) == ["q", "r"]
    assert len(trace.events[5].value) == 2
    assert ids(last.value) == [trace.id_of("q")]


def test_a_compaction_shows_its_prompt_and_gets_a_label() -> None:
    """The summarizer is recorded like a model, and steps may run meanwhile."""
    steps = program(
        session("s"),
        add(user("q"), user("r")),
        act("compact", keep=1, summary="S", label="c", during=(act("leaf"),)),
        act("compact", keep=9),
        act("compact"),
        act("compact", fails=True),
    )
    trace = play(steps, HonestExplicit)
    event = trace.events[2]
    assert (event.value["type"], event.value["summary"]) == ("compaction", "S")
    assert trace.id_of("c") == event.value["id"]
    assert told(event.prompts[0])[0] == "q"
    assert event.nested[0].value == trace.id_of("r")
    assert (trace.events[3].outcome, trace.events[3].value) == ("ok", None)
    assert trace.events[4].value["summary"] == "summary"
    assert trace.events[5].text == "Injected: the summarizer fails"


def test_a_compaction_over_a_moved_leaf_is_stale() -> None:
    """The reference's errors come out under the names of the port."""
    steps = program(
        session("s"), add(user("q"), user("r")), act("compact", during=(add(user("x")),))
    )
    assert play(steps, HonestExplicit).events[-1].error == "Stale"


@pytest.mark.parametrize(
    ("point", "k", "kept"),
    [("before-commit", 0, []), ("after-commit", 0, ["q", "r"]), ("item", 1, ["q"])],
)
def test_the_store_under_a_session_can_be_made_to_fail(point: str, k: int, kept: list[str]) -> None:
    """The next append fails at the point that the program names, once."""
    steps = program(
        session("s"), failing(point, k), add(user("q"), user("r")), load("s"), add(user("x"))
    )
    trace = play(steps, HonestExplicit)
    assert trace.events[2].text.startswith("Injected: harness: the store fails")
    assert told([each["message"] for each in trace.events[3].value]) == kept
    assert trace.events[4].ok


def test_a_failing_load_waits_for_a_load() -> None:
    """An append in between neither fails nor spends the failure."""
    steps = program(
        session("s"),
        failing("load"),
        add(user("q")),
        session("s", "B"),
        session("s", "C"),
        add(user("r"), on="C"),
    )
    assert [each.outcome for each in play(steps, HonestExplicit).events] == [
        "ok",
        "ok",
        "ok",
        "raised",
        "ok",
        "ok",
    ]


def test_a_failing_append_waits_for_an_append() -> None:
    """A load in between doesn't spend the failure."""
    steps = program(session("s"), failing("before-commit"), session("s", "B"), add(user("q")))
    assert play(steps, HonestExplicit).events[-1].raised


def test_the_mediums_own_power_is_asked_at_the_store_door() -> None:
    """``fail_next`` gets point and place; a medium without the power skips the step."""
    asked: list[tuple[str, int]] = []

    class Failing(HonestMedium):
        def fail_next(self, point: str, k: int = 0) -> None:
            """Note it."""
            asked.append((point, k))

    steps = program(failing("item", 2, door="store"))
    assert play(steps, Failing).events[0].ok
    assert asked == [("item", 2)]
    assert play(steps, HonestMedium).events[0].outcome == "skipped"


def test_steps_of_a_session_that_is_not_open_are_skipped() -> None:
    """A reduced program may have lost the opening, or the handle below it."""
    steps = program(add(user("q")), session("s", on=1), act("messages"), load("s"))
    assert [each.outcome for each in play(steps, HonestExplicit).events] == [
        "skipped",
        "skipped",
        "skipped",
        "raised",
    ]


def test_sessions_live_on_any_handle() -> None:
    """Logs are read through a live handle of their session, else through the first one."""
    steps = program(
        opened(1),
        session("s", on=1),
        add(user("q")),
        closed(1),
        act("leaf"),
        reopened(1),
        session("s", "B", on=1),
        act("messages", on="B"),
    )
    trace = play(steps, HonestExplicit)
    assert ids(trace.events[4].logs["s"]) == [trace.id_of("q")]
    assert told(trace.events[-1].value) == ["q"]


def test_a_log_that_cannot_be_read_is_none() -> None:
    """Looking at the logs never accuses anybody."""

    class Unreadable(HonestStore):
        """Gives a number once it holds something."""

        def load(self, session: Any, **filters: Any) -> Any:
            """Odd."""
            return super().load(session, **filters) and 5

    class UnreadableMedium(HonestMedium):
        store = Unreadable

    steps = program(session("s"), add(user("q")), closed(), act("leaf"))
    events = play(steps, UnreadableMedium).events
    assert [events[index].logs["s"] for index in (0, 1, 3)] == [[], None, None]


def test_an_implicit_store_that_raises_for_an_unknown_session_can_carry_sessions() -> None:
    """Without ``create``, a session that isn't found is simply new."""

    class Raising(HonestMedium):
        manifest = claiming(options={"unknown_session": "raise"})

    trace = play(program(session("s"), add(user("q")), session("s", "B")), Raising)
    assert [each.outcome for each in trace.events] == ["ok", "ok", "ok"]
    assert trace.events[2].value == trace.id_of("q")


def test_sessions_work_over_an_async_store() -> None:
    """The reference session is sync; the store below it may be async."""

    class Later:
        """An async face of the honest store."""

        def __init__(self, store: HonestStore) -> None:
            self._store = store

        async def create(self, session: Any, parent: Any = None) -> None:
            """Create."""
            self._store.create(session, parent)

        async def append(self, session: Any, entries: list[Entry]) -> None:
            """Append."""
            self._store.append(session, entries)

        async def load(self, session: Any) -> list[Entry]:
            """Load."""
            return self._store.load(session)

    class LaterMedium(HonestExplicit):
        async def open(self) -> Any:
            """Open."""
            return Later(HonestStore(self.data, self.manifest))

    steps = program(
        session("s"),
        run(user("q"), answer=(assistant("a"),), during=(add(user("n")),)),
        act("messages"),
    )
    trace = play(steps, LaterMedium)
    assert [each.outcome for each in trace.events] == ["ok", "ok", "ok"]
    assert trace.events[1].nested[0].ok
