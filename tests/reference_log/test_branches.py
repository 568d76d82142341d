"""Sessions: fork, rebase, clone, the busy guard, recovery and what others hear."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from storelaw_reference.log import Mem, Session, SessionError, entry, projected, user


def made(id: str, type: str = "input", data: object = None, parent: str | None = None) -> Any:
    """Return an entry under a given id, perhaps with a parent."""
    data = user(id) if data is None else data
    return entry(type, data, new_id=lambda: id, now=lambda: 1, parent_id=parent)


def names(entries: Any) -> list[str]:
    """Return the ids of entries."""
    return [each["id"] for each in entries]


def said(entries: Any) -> list[str]:
    """Return the texts of input entries."""
    return [each["data"]["content"] for each in entries if each["type"] == "input"]


def code(call: Any, *arguments: Any, **more: Any) -> str:
    """Return the code of the `SessionError` that a call raises."""
    with pytest.raises(SessionError) as caught:
        call(*arguments, **more)
    return caught.value.code


@pytest.fixture
def session(opened: Any, storage: Any) -> Session:
    """Return a session on root; f has f1, main has m1 and the head."""
    session: Session = opened(storage)
    session.append(made("root"))
    session.fork("f")
    session.append(made("f1"), made("e1", "event"), made("s1", "state", {"n": 1}))
    session.checkout("main")
    session.append(made("m1"))
    return session


def started(session: Session, *turns: str, end: str = "") -> None:
    """Store the start, or the end, of turns."""
    for turn in turns:
        session.event({"type": end or "turn.start", "turnId": turn})


def test_f1_a_fork_without_checkout_leaves_the_head(session: Session) -> None:
    """AP-F1: the head is the same, and the new ref points where it stands, or at `at`."""
    session.fork("g", checkout=False)
    session.fork("h", "f", checkout=False)
    session.fork("i", "root")
    assert session.refs() == {"main": "m1", "f": "s1", "g": "m1", "h": "s1", "i": "root"}
    assert session.head() == {"type": "ref", "name": "i"}
    assert code(session.fork, "j", "nope") == "not_found"


def test_f1_a_fork_of_nothing_is_a_ref_without_a_target(opened: Any) -> None:
    """AP-F1: a ref may point at nothing, and grows its own root."""
    session: Session = opened(Mem())
    session.fork("f")
    session.append(made("a"))
    assert session.refs() == {"main": None, "f": "a"}


def test_f2_a_taken_name_is_refused(session: Session, opened: Any) -> None:
    """AP-F2, D-AP-16: forking onto f or main is a conflict, and no ref moves."""
    before = session.entries()
    assert code(session.fork, "f") == code(session.fork, "main", "f") == "conflict"
    assert session.entries() == before
    storage = Mem()
    storage.append(made("c", "session/checkout", {"target": {"type": "ref", "name": "late"}}))
    assert code(opened(storage).fork, "late") == "conflict"


def test_f3_branches_share_history_and_diverge(session: Session) -> None:
    """AP-F3: f is root, f1, s1; main is root, m1."""
    assert names(session.path("f")) == ["root", "f1", "s1"]
    assert names(session.path("main")) == ["root", "m1"]


def test_r1_a_rebase_copies_onto_the_target(session: Session) -> None:
    """AP-R1, AP-R2, AP-R6, AP-R7: copies with new ids and times on top; events stay behind."""
    result = session.rebase("f", "main")
    one, two = names(session.path("f"))[-2:]
    assert result == {
        "name": "f",
        "entries": [{"oldId": "f1", "newId": one}, {"oldId": "s1", "newId": two}],
        "oldHeadId": "s1",
        "oldBaseId": "root",
        "newBaseId": "m1",
        "newHeadId": two,
    }
    assert names(session.branch_path("f")) == ["root", "m1", one, two]
    assert session.path("f")[-1]["data"] == {"n": 1}
    assert session.path("f")[-1]["timestamp"] == 7
    assert {"f1", "e1", "s1"} <= set(names(session.entries()))
    assert session.head() == {"type": "ref", "name": "main"}


def test_r1_a_rebase_is_one_storage_call(session: Session, storage: Any) -> None:
    """AP-R1: the copies and the ref's new target land together, the ref last."""
    session.rebase("f", "main")
    assert storage.calls[-1] == 3
    assert storage.read()[-1]["type"] == "session/ref"


@pytest.mark.parametrize("onto", ["main", "m1", "root"])
def test_r3_what_is_up_to_date_stays(onto: str, session: Session) -> None:
    """AP-R3: rebase(main, main), or onto an ancestor: an empty mapping, and the log as it was."""
    before = session.entries()
    result = session.rebase("main", onto)
    assert (result["entries"], result["oldHeadId"], result["newHeadId"]) == ([], "m1", "m1")
    assert session.entries() == before


def test_r3_a_ref_behind_the_target_moves_on(session: Session) -> None:
    """AP-R1, AP-R3: with nothing of its own to copy, a ref goes where the target is."""
    session.fork("old", "root", checkout=False)
    assert session.rebase("old", "f") == {
        "name": "old",
        "entries": [],
        "oldHeadId": "root",
        "oldBaseId": "root",
        "newBaseId": "s1",
        "newHeadId": "s1",
    }
    assert session.refs()["old"] == "s1"


def test_r4_no_target_copies_the_whole_chain(session: Session) -> None:
    """AP-R4: rebase(main) copies two, has no new base, and gives the same view."""
    result = session.rebase("main")
    assert len(result["entries"]) == 2
    assert "newBaseId" not in result
    assert said(session.read()) == ["root", "m1"]
    assert "parentId" not in session.path()[0]


def test_r5_an_unknown_ref_or_target_is_not_found(session: Session) -> None:
    """AP-R5: neither a rebase of `nope` nor one onto it writes anything."""
    before = session.entries()
    assert code(session.rebase, "nope") == code(session.rebase, "f", "nope") == "not_found"
    assert session.entries() == before


@pytest.mark.parametrize("anchor", ["old", "elsewhere"])
def test_r8_anchors_follow_the_mapping(anchor: str, opened: Any) -> None:
    """AP-R8, D-AP-3: old, kept, compact(old), new gives S, kept, new before and after."""
    session: Session = opened(Mem())
    session.append(made("old"), made("kept"))
    session.append(made("c", "compact", {"summary": "S", "lastEntryId": anchor}), made("new"))
    session.append(made("plain", "compact", "no object"))
    before = said(projected(session.path()[:4]))
    mapping = {pair["oldId"]: pair["newId"] for pair in session.rebase("main")["entries"]}
    path = session.path()
    assert path[2]["data"]["lastEntryId"] == mapping.get(anchor, anchor)
    assert said(projected(path[:4])) == before


def test_r6_events_given_as_parents_are_not_copied(opened: Any) -> None:
    """AP-R6: an event that somebody made a parent is left behind, and the chain closes."""
    session: Session = opened(Mem())
    session.append(made("a"), made("e", "event"), made("b", parent="e"))
    session.rebase("main")
    assert said(session.path()) == ["a", "b"]
    assert len(session.path()) == 2


def test_c1_a_clone_of_all_refs_is_the_same_tree(session: Session) -> None:
    """AP-C1: refs in order, the same paths, ids and parents, events with them."""
    clone = session.clone(Mem(), "all")
    assert list(clone.refs().items()) == list(session.refs().items())
    assert [clone.branch_path(ref) for ref in ("main", "f")] == [
        session.branch_path(ref) for ref in ("main", "f")
    ]
    assert clone.head() == session.head()


def test_c1_a_clone_takes_the_active_ref_by_default(session: Session) -> None:
    """AP-C1: only what main and the head stand on; names may be chosen, unknown are refused."""
    clone = session.clone(Mem())
    assert clone.refs() == {"main": "m1"}
    assert names(clone.read()) == ["root", "m1"]
    other = session.clone(Mem(), ["f", "f"])
    assert other.refs() == {"f": "s1"}
    assert other.head() == {"type": "detached", "targetId": "m1"}
    assert session.clone(Mem(), ["f"], at="f").head() == {"type": "ref", "name": "f"}
    destination = Mem()
    assert code(session.clone, destination, ["nope"]) == "not_found"
    assert code(session.clone, destination, at="nope") == "not_found"
    assert destination.read() == []


def test_c1_a_clone_of_a_detached_head_is_detached(session: Session, opened: Any) -> None:
    """AP-C1: without an active ref, the clone holds what the head stands on, or nothing."""
    session.checkout("f1")
    clone = session.clone(Mem())
    assert (clone.refs(), clone.head()) == ({}, {"type": "detached", "targetId": "f1"})
    session.checkout()
    assert session.clone(Mem()).head() == {"type": "detached"}


def test_c2_a_clone_is_independent(session: Session) -> None:
    """AP-C2: an append to the clone leaves the source as it was."""
    before = session.entries()
    session.clone(Mem()).append(made("x"))
    assert session.entries() == before


def test_c3_a_clone_goes_into_an_empty_storage(session: Session, storage: Any) -> None:
    """AP-C3: a destination that holds something, one's own included, is a conflict."""
    before = storage.read()
    assert code(session.clone, storage) == "conflict"
    assert storage.read() == before


def test_c4_a_prefix_can_be_cloned(opened: Any) -> None:
    """AP-C4, D-AP-4: two turns, cloned from the end of the first: one turn, and not busy."""
    session: Session = opened(Mem())
    for turn, id in (("t1", "a"), ("t2", "b")):
        started(session, turn)
        session.append(made(id))
        started(session, turn, end="turn.done")
    clone = session.clone(Mem(), [], "a")
    turns = [each["data"]["turnId"] for each in clone.entries() if each["type"] == "event"]
    assert names(clone.path()) == ["a"]
    assert "t2" not in turns
    clone.checkout("a")


def test_b1_an_open_turn_is_busy(session: Session) -> None:
    """AP-B1: start t1 blocks; done t2 doesn't help; done t1 does. Appends are never blocked."""
    started(session, "t1")
    blocked: list[Callable[[], object]] = [
        session.checkout,
        lambda: session.fork("g"),
        lambda: session.rebase("f", "main"),
        lambda: session.clone(Mem()),
    ]
    assert [code(call) for call in blocked] == ["busy"] * 4
    session.append(made("x"))
    session.clear()
    started(session, "t2", end="turn.done")
    assert code(session.checkout, "main") == "busy"
    started(session, "t1", end="turn.failed")
    session.checkout("main")


def test_b2_recover_ends_what_a_crash_left_open(opened: Any, storage: Any) -> None:
    """AP-B2, D-AP-2: a log that ends in turn.start, reopened and recovered, is not busy."""
    session: Session = opened(storage)
    session.append(made("a"))
    started(session, "t1", "t2")
    again: Session = opened(storage)
    assert code(again.checkout) == "busy"
    ends = again.recover()
    assert [each["data"]["turnId"] for each in ends] == ["t1", "t2"]
    assert {each["data"]["type"] for each in ends} == {"turn.aborted"}
    assert {each["parentId"] for each in ends} == {"a"}
    again.checkout()
    assert again.recover() == []


@pytest.mark.parametrize("default", ["main", None])
@pytest.mark.parametrize("held", [[], ["a"]])
def test_k1_a_torn_append_is_found_and_adopted(
    default: str | None, held: list[str], opened: Any, storage: Any
) -> None:
    """AP-K1, D-AP-5: of [b, c, control] only b lands: no b in the view, but an orphan."""
    session: Session = opened(storage, default)
    session.append(*map(made, held))
    storage.fail, storage.tear = OSError("full"), 1
    assert code(session.append, made("b"), made("c")) == "storage"
    storage.fail = None
    again: Session = opened(storage, default)
    assert names(again.read()) == held
    assert names(again.orphans()) == ["b"]
    again.recover()
    again.append(made("c"))
    assert names(again.read()) == [*held, "b", "c"]
    assert again.orphans() == []
    assert again.head() == session.head()


@pytest.mark.parametrize("parent", ["ghost", "root", None])
def test_k1_orphans_of_another_branch_are_not_adopted(parent: str | None, session: Session) -> None:
    """D-AP-5: what doesn't continue the head, as a torn rebase doesn't, moves nothing."""
    session._storage.append(made("x", parent=parent))
    assert session.recover() == []
    assert names(session.orphans()) == ["x"]
    assert names(session.path()) == ["root", "m1"]


def test_k1_orphans_on_older_entries_are_not_adopted(opened: Any) -> None:
    """D-AP-5: with an empty head, only orphans with a root of their own continue it."""
    session: Session = opened(Mem())
    session.append(made("a"))
    session.clear()
    session._storage.append(made("x", parent="a"))
    assert session.recover() == []
    assert session.read() == []


def test_k1_a_plain_log_is_not_adopted_in_part(opened: Any) -> None:
    """D-AP-5, D-AP-17: entries that are no chain are orphans, and none is left out of a view."""
    storage = Mem()
    storage.append(made("a"), made("b"))
    session: Session = opened(storage, None)
    assert session.recover() == []
    assert names(session.orphans()) == ["a", "b"]
    chained = Mem()
    chained.append(made("a"), made("b", parent="a"))
    adopted: Session = opened(chained, None)
    adopted.recover()
    assert names(adopted.read()) == ["a", "b"]


def test_d15_reset_keeps_the_head_on_its_ref(session: Session) -> None:
    """D-AP-15: the ref begins anew, its history stays in the raw log; detached means empty."""
    session.reset()
    session.append(made("n"))
    assert session.refs()["main"] == "n"
    assert names(session.path()) == ["n"]
    assert "m1" in names(session.entries())
    session.checkout("f1")
    session.reset()
    assert session.head() == {"type": "detached"}


def test_e2_moves_are_told(opened: Any) -> None:
    """AP-E2: checkout always, fork when it checks out, rebase when the active ref moved."""
    heard: list[dict[str, Any]] = []
    session: Session = opened(Mem(), on_change=heard.append)
    session.append(made("a"), made("s", "state", {"n": 1}))
    session.fork("f", "a")
    session.fork("g", checkout=False)
    session.append(made("b"))
    session.rebase("main", "f")
    session.rebase("f", "main")
    session.rebase("f", "main")
    session.checkout("a")
    session.checkout()
    told = [(each["type"], each.get("ref"), each["state"]) for each in heard]
    assert told == [
        ("fork", "f", {}),
        ("rebase", "f", {"n": 1}),
        ("checkout", None, {}),
        ("checkout", None, {}),
    ]
    assert [each.get("targetId") for each in heard][2:] == ["a", None]


def test_e2_a_failing_handler_changes_nothing(
    opened: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """AP-E2: the handler raises; the checkout still succeeds, and the log says why."""

    def fail(change: dict[str, Any]) -> None:
        raise RuntimeError("handler")

    session: Session = opened(Mem(), on_change=fail)
    session.append(made("a"))
    session.checkout("a")
    assert session.head() == {"type": "detached", "targetId": "a"}
    assert "handler" in caplog.text
