"""Agents: init, state, turns, interrupts, resets and forks, over plain storages and sessions."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from typing import Any, TypeVar

import pytest

from storelaw_reference.log import (
    BOUNDARY,
    Aborted,
    Agent,
    Answer,
    Compactor,
    Damaged,
    Input,
    JsonFile,
    Mem,
    Rejected,
    Session,
    assistant,
    entry,
    last_of,
    system,
    to_agent_input,
    user,
)

Answered = TypeVar("Answered")


def kinds(storage: Any) -> list[str]:
    """Return what a storage holds: types, and for events theirs."""
    return [
        each["data"]["type"] if each["type"] == "event" else each["type"] for each in storage.read()
    ]


def inputs(storage: Any) -> list[Input]:
    """Return the inputs that a storage holds."""
    return to_agent_input(storage.read())


def echo(read: list[Input]) -> list[Input]:
    """Answer with the number of inputs read."""
    return [assistant(str(len(read)))]


def fail(read: list[Input]) -> list[Input]:
    """Fail."""
    raise ValueError("overloaded")


def noting(shown: list[list[Input]], answer: Answered) -> Callable[[list[Input]], Answered]:
    """Return a runner, or a summarizer, that notes what it reads."""

    def run(read: list[Input]) -> Answered:
        shown.append(read)
        return answer

    return run


def test_l1_initial_input_comes_where_no_input_is(alive: Any) -> None:
    """AP-L1: a log of one event gets the initial input after it; one with an input, nothing."""
    storage = Mem()
    storage.append(entry("event", {"type": "x", "turnId": "t"}))
    alive(storage, initial_input=[system("s")]).init()
    assert kinds(storage) == ["x", "input"]
    alive(storage, initial_input=[system("other")]).init()
    assert inputs(storage) == [system("s")]


def test_l2_nothing_is_written_before_init(alive: Any, storage: Any) -> None:
    """AP-L2: an agent with initial input and state, not begun, leaves the log empty."""
    alive(storage, initial_input=[system("s")], initial_state={"n": 1})
    assert storage.calls == []


def test_l3_parallel_inits_share_one(alive: Any) -> None:
    """AP-L3: however many threads begin, the initial input is there once."""
    storage = Mem()
    agent: Agent = alive(storage, initial_input=[system("s")])
    threads = [Thread(target=agent.init) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    agent.init()
    assert inputs(storage) == [system("s")]


def test_l3_a_failed_init_may_be_tried_again(alive: Any, storage: Any) -> None:
    """AP-L3: what was not stored is stored by the next call."""
    agent: Agent = alive(storage, initial_input=[system("s")])
    storage.fail = OSError("full")
    with pytest.raises(OSError, match="full"):
        agent.init()
    storage.fail = None
    agent.init()
    assert inputs(storage) == [system("s")]


def test_l4_the_last_snapshot_is_the_state(alive: Any) -> None:
    """AP-L4: states 16k and 24k give 24k alone; without one, the initial state."""
    storage = Mem()
    storage.append(
        entry("state", {"contextLength": 16, "a": 1}), entry("state", {"contextLength": 24})
    )
    agent: Agent = alive(storage, initial_state={"n": 1})
    agent.init()
    assert agent.state == {"contextLength": 24}
    fresh: Agent = alive(Mem(), initial_state={"n": 1})
    fresh.init()
    assert fresh.state == {"n": 1}


def test_l5_each_update_stores_all_of_the_state(alive: Any) -> None:
    """AP-L5: two updates, two full snapshots; a restore stores none."""
    storage = Mem()
    agent: Agent = alive(storage, initial_state={"a": 1})
    agent.update_state({"b": 2})
    agent.update_state({"a": 3})
    assert [each["data"] for each in storage.read()] == [{"a": 1, "b": 2}, {"a": 3, "b": 2}]
    agent.set_state({"c": 4})
    agent.restore({"d": 5})
    assert agent.state == {"d": 5}
    agent.restore()
    assert agent.state == {"c": 4}
    assert len(storage.read()) == 3


def test_l5_a_failed_state_write_is_logged(
    alive: Any, storage: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """AP-L5: the state holds in memory, and nothing is raised."""
    agent: Agent = alive(storage)
    storage.fail = OSError("full")
    agent.set_state({"n": 1})
    assert agent.state == {"n": 1}
    assert "full" in caplog.text


def test_l6_what_was_passed_is_copied(alive: Any) -> None:
    """AP-L6, D-AP-10: changing arrays, states and what is read changes no agent and no log."""
    storage = Mem()
    first, state = [user("a")], {"n": [1]}
    agent: Agent = alive(storage, initial_input=first, initial_state=state)
    first.append(user("b"))
    first[0]["content"] = "changed"
    state["n"].append(2)
    agent.init()
    agent.state["n"].append(3)
    assert (inputs(storage), agent.state) == ([user("a")], {"n": [1]})
    agent.update_state({"m": 1})
    agent.state["m"] = 2
    storage.read()[-1]["data"]["m"] = 3
    assert agent.state == {"n": [1], "m": 1}


def test_l7_a_reset_begins_anew(alive: Any) -> None:
    """AP-L7: changed input and state, then reset: input, state, event, in this order."""
    storage = Mem()
    agent: Agent = alive(storage, initial_input=[system("s")], initial_state={"n": 1})
    agent.turn([user("a")], echo)
    agent.update_state({"n": 2})
    agent.reset()
    assert kinds(storage) == ["input", "state", "agent.reset"]
    assert inputs(storage) == [system("s")]
    assert agent.state == {"n": 1}


def test_l7_a_reset_inside_a_turn_gives_it_up(alive: Any) -> None:
    """AP-L7: the turn ends first, what was sent to it is dropped, and nothing follows the event."""
    storage = Mem()
    agent: Agent = alive(storage)

    def runner(read: list[Input]) -> list[Input]:
        agent.send(user("queued"))
        agent.reset()
        return [assistant("late")]

    with pytest.raises(Aborted, match="reset"):
        agent.turn([user("a")], runner)
    assert kinds(storage) == ["state", "agent.reset"]
    agent.turn([user("b")], echo)
    assert inputs(storage) == [user("b"), assistant("1")]


def test_d15_a_reset_over_a_session_reaches_the_ref(opened: Any, alive: Any) -> None:
    """D-AP-15: later turns are on main, and the raw log keeps the earlier ones."""
    session: Session = opened(Mem())
    agent: Agent = alive(session, initial_input=[system("s")])
    agent.turn([user("a")], echo)
    agent.reset()
    agent.turn([user("b")], echo)
    assert session.head() == {"type": "ref", "name": "main"}
    assert session.build_input("main") == [system("s"), user("b"), assistant("2")]
    assert user("a") in to_agent_input(session.entries())
    session.checkout("main")


def test_l8_a_turn_stores_all_at_once(alive: Any, storage: Any) -> None:
    """AP-L8: inputs and outputs land in one append, between start and done."""
    agent: Agent = alive(storage)
    stored = agent.turn([user("a"), user("b")], echo)
    assert kinds(storage) == ["turn.queued", "turn.start", "input", "input", "input", "turn.done"]
    assert storage.calls == [1, 1, 3, 1]
    assert [each["data"] for each in stored] == [user("a"), user("b"), assistant("2")]
    turns = {each["data"]["turnId"] for each in storage.read() if each["type"] == "event"}
    assert len(turns) == 1


def test_l8_a_failed_turn_leaves_events_only(alive: Any, tmp_path: Any) -> None:
    """AP-L8, D-AP-9, D-AP-21: queued, start, failed; the reason and the input outlive the process."""
    storage = JsonFile(tmp_path / "log")
    agent: Agent = alive(storage)
    with pytest.raises(ValueError, match="overloaded"):
        agent.turn([user("a")], fail)
    assert kinds(storage) == ["turn.queued", "turn.start", "turn.failed"]
    last = JsonFile(tmp_path / "log").read()[-1]["data"]
    assert last["error"] == {"name": "ValueError", "message": "overloaded"}
    assert last["inputs"] == [user("a")]
    agent.turn([user("b")], echo)
    assert inputs(storage) == [user("b"), assistant("1")]


@pytest.mark.parametrize("by_agent", [True, False])
def test_l8_an_aborted_turn_leaves_events_only(by_agent: bool, alive: Any) -> None:
    """AP-L8: whoever gives it up, nothing of the turn is stored but events."""
    storage = Mem()
    agent: Agent = alive(storage)

    def runner(read: list[Input]) -> list[Input]:
        if not by_agent:
            raise Aborted
        assert agent.abort("enough")
        return [assistant("late")]

    with pytest.raises(Aborted):
        agent.turn([user("a")], runner)
    assert kinds(storage) == ["turn.queued", "turn.start", "turn.aborted"]
    assert storage.read()[-1]["data"].get("reason") == ("enough" if by_agent else None)
    assert not agent.abort()


def test_l8_a_storage_that_fails_fails_the_turn(
    alive: Any, storage: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """AP-L8, AP-A7: the storage's error reaches the caller, also if no event can be stored."""
    agent: Agent = alive(storage)

    def runner(read: list[Input]) -> list[Input]:
        storage.fail = OSError("full")
        return [assistant("late")]

    with pytest.raises(OSError, match="full"):
        agent.turn([user("a")], runner)
    storage.fail = None
    assert kinds(storage) == ["turn.queued", "turn.start"]
    assert "full" in caplog.text
    agent.turn([user("b")], echo)


def test_l9_an_interrupt_leaves_one_boundary(alive: Any) -> None:
    """AP-L9: one developer input in a `turn_aborted` tag, no second, and the next turn sees it."""
    storage = Mem()
    agent: Agent = alive(storage)
    assert not agent.interrupt()

    def runner(read: list[Input]) -> list[Input]:
        assert agent.interrupt("stop")
        assert not agent.interrupt("stop")
        return [assistant("late")]

    with pytest.raises(Aborted, match="stop"):
        agent.turn([user("a")], runner)
    assert kinds(storage) == ["turn.queued", "turn.start", "input", "turn.aborted"]
    shown: list[list[Input]] = []
    agent.turn([user("b")], noting(shown, []))
    assert [each["content"] for each in shown[0]] == [BOUNDARY, "b"]
    assert shown[0][0]["role"] == "developer"
    assert BOUNDARY.startswith("<turn_aborted>")


def test_l10_live_input_is_never_transformed(alive: Any) -> None:
    """AP-L10: a transform hides the history, and the live input still reaches the runner."""
    storage = Mem()
    agent: Agent = alive(storage, initial_input=[system("s")], transforms=[lambda entries: []])
    shown: list[list[Input]] = []
    agent.turn([user("a")], noting(shown, [assistant("b")]))
    assert shown == [[user("a")]]
    assert inputs(storage) == [system("s"), user("a"), assistant("b")]


def test_l10_a_runner_cannot_change_what_is_stored(alive: Any) -> None:
    """D-AP-10: the runner reads copies, and the agent stores copies of what it said."""
    storage = Mem()
    said = assistant("b")

    def runner(read: list[Input]) -> list[Input]:
        read[0]["content"] = "changed"
        return [said]

    stored = alive(storage).turn([user("a")], runner)
    said["role"] = stored[0]["data"]["role"] = "changed"
    assert inputs(storage) == [user("a"), assistant("b")]


def test_l11_what_is_sent_meanwhile_joins_the_turn(alive: Any, storage: Any) -> None:
    """AP-L11: the same turn id, a second runner call that reads it, and a second append."""
    agent: Agent = alive(storage)
    with pytest.raises(Rejected):
        agent.send(user("early"))
    shown: list[list[Input]] = []

    def runner(read: list[Input]) -> list[Input]:
        shown.append(read)
        if len(shown) == 1:
            agent.send(user("b"), user("c"))
        return [assistant(str(len(shown)))]

    agent.turn([user("a")], runner)
    first = [user("a"), assistant("1")]
    assert shown == [[user("a")], [*first, user("b"), user("c")]]
    assert inputs(storage) == [*first, user("b"), user("c"), assistant("2")]
    assert kinds(storage)[:6] == [
        "turn.queued",
        "turn.start",
        "turn.input_queued",
        "input",
        "input",
        "turn.input_drained",
    ]
    events = [each["data"] for each in storage.read() if each["type"] == "event"]
    assert [each["count"] for each in events if "count" in each] == [2]
    assert len({each["turnId"] for each in events}) == 1
    assert storage.calls == [1, 1, 1, 2, 1, 3, 1]


def test_l11_a_drain_that_fails_keeps_what_went_before(alive: Any) -> None:
    """AP-L8, AP-L11: the first append stands, and the event holds what was not taken in."""
    storage = Mem()
    agent: Agent = alive(storage)
    calls: list[int] = []

    def runner(read: list[Input]) -> list[Input]:
        calls.append(1)
        agent.send(user("b"))
        return echo(read) if len(calls) == 1 else fail(read)

    with pytest.raises(ValueError, match="overloaded"):
        agent.turn([user("a")], runner)
    assert inputs(storage) == [user("a"), assistant("1")]
    assert storage.read()[-1]["data"]["inputs"] == [user("b"), user("b")]


def test_a_turn_may_be_empty(alive: Any) -> None:
    """AP-L8: without input or output a turn is its events."""
    storage = Mem()
    assert alive(storage).turn([], lambda read: []) == []
    assert kinds(storage) == ["turn.queued", "turn.start", "turn.done"]


def test_turns_do_not_nest_and_wait_for_each_other(alive: Any) -> None:
    """AP-N1: inside a runner a second turn is refused; another thread's waits."""
    storage = Mem()
    agent: Agent = alive(storage)
    inside, go = Event(), Event()

    def runner(read: list[Input]) -> list[Input]:
        with pytest.raises(Rejected):
            agent.turn([user("x")], echo)
        inside.set()
        assert go.wait(10)
        return [assistant("first")]

    one = Thread(target=agent.turn, args=([user("a")], runner))
    one.start()
    assert inside.wait(10)
    two = Thread(target=agent.turn, args=([user("b")], echo))
    two.start()
    go.set()
    one.join()
    two.join()
    assert inputs(storage) == [user("a"), assistant("first"), user("b"), assistant("3")]


def test_d18_an_event_keeps_its_channel(alive: Any) -> None:
    """D-AP-18: any payload is kept beside the channel's name; an event needs a type."""
    storage = Mem()
    agent: Agent = alive(storage)
    agent.emit([1, None], channel="mine")
    stored = agent.emit({"type": "x", "turnId": "t"})
    assert storage.read()[0]["data"] == {
        "type": "channel",
        "turnId": "x1",
        "channel": "mine",
        "payload": [1, None],
    }
    assert storage.read()[1] == stored

    def runner(read: list[Input]) -> list[Input]:
        agent.emit({"type": "y"})
        return []

    agent.turn([], runner)
    assert len({each["data"]["turnId"] for each in storage.read()[2:]}) == 1
    for wrong in ("x", {"turnId": "t"}):
        with pytest.raises(Rejected):
            agent.emit(wrong)


def test_g1_a_log_of_bare_inputs_is_refused(alive: Any) -> None:
    """AP-G1: nothing is seeded into a log that holds no entries."""
    storage = Mem()
    storage.append(user("old"))
    with pytest.raises(Damaged):
        alive(storage, initial_input=[system("s")]).init()
    assert storage.read() == [user("old")]


def test_k2_a_fork_inherits_the_entries(alive: Any) -> None:
    """AP-K2, D-AP-14: present entries are copied; the child's reset goes to its own beginning."""
    storage, other = Mem(), Mem()
    parent: Agent = alive(storage, initial_input=[system("s")])
    parent.turn([user("a")], echo)
    child = parent.fork(other, initial_input=[system("c")], initial_state={"n": 1})
    assert other.read() == storage.read()
    child.turn([user("b")], echo)
    assert user("b") not in inputs(storage)
    child.reset()
    assert inputs(other) == [system("c")]
    assert child.state == {"n": 1}


def test_k2_a_fork_never_inherits_into_its_own_storage(alive: Any, tmp_path: Any) -> None:
    """AP-K2: the same storage, under whatever object, is refused; without inheriting it isn't."""
    parent: Agent = alive(JsonFile(tmp_path / "log"))
    parent.turn([user("a")], echo)
    before = parent.storage.read()
    with pytest.raises(Rejected):
        parent.fork(JsonFile(tmp_path / "x" / ".." / "log"))
    assert parent.storage.read() == before
    child = parent.fork(Mem(), inherit=False)
    child.init()
    assert child.storage.read() == []
    alive(Mem()).fork(Mem())


@pytest.mark.parametrize("over_session", [False, True])
def test_m1_m7_a_full_context_is_compacted(over_session: bool, opened: Any, alive: Any) -> None:
    """AP-M1, AP-M7: 899 of 1000 at 0.9 adds nothing, 950 adds one entry, on either storage."""
    storage: Any = opened(Mem()) if over_session else Mem()
    seen: list[list[Input]] = []
    compactor = Compactor(noting(seen, "S"), preserve=1)
    agent: Agent = alive(storage, compactor=compactor, initial_state={"contextLength": 1000})
    agent.turn([user("a")], lambda read: Answer([assistant("b")], 899))
    assert last_of(storage.read(), "compact") is None
    agent.turn([user("c")], lambda read: Answer([assistant("d")], 950))
    compact = last_of(storage.read(), "compact")
    assert compact is not None
    assert compact["data"]["summary"] == "S"
    assert seen == [[user("a"), assistant("b"), user("c")]]
    assert kinds(storage)[-2:] == ["turn.done", "compact"]


def test_m6_a_compaction_that_fails_does_not_fail_the_turn(
    alive: Any, storage: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """AP-M1, AP-M6: the turn is done; without a summary, or with a failing storage, no entry."""

    def full(read: list[Input]) -> str:
        storage.fail = OSError("full")
        return "S"

    for summarize, said in ((lambda read: None, ""), (full, "full")):
        agent: Agent = alive(storage, compactor=Compactor(summarize))
        agent.turn([user("a")], lambda read: Answer([], 128_000))
        assert said in caplog.text
    storage.fail = None
    assert last_of(storage.read(), "compact") is None
