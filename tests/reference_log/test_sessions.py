"""Sessions: bootstrap, chain, head, refs, views and errors."""

from __future__ import annotations

from threading import Thread
from typing import Any

import pytest

from storelaw_reference.log import (
    JsonLines,
    Mem,
    Nothing,
    Rejected,
    Session,
    SessionError,
    entry,
    user,
)


def made(id: str, type: str = "input", data: object = None, parent: str | None = None) -> Any:
    """Return an entry under a given id, perhaps with a parent."""
    data = user(id) if data is None else data
    return entry(type, data, new_id=lambda: id, now=lambda: 1, parent_id=parent)


def names(entries: list[dict[str, Any]]) -> list[str]:
    """Return the ids of entries."""
    return [each["id"] for each in entries]


def parents(entries: list[dict[str, Any]]) -> dict[str, str | None]:
    """Return the parent of each entry."""
    return {each["id"]: each.get("parentId") for each in entries}


def code(call: Any, *arguments: Any, **more: Any) -> str:
    """Return the code of the `SessionError` that a call raises."""
    with pytest.raises(SessionError) as caught:
        call(*arguments, **more)
    assert str(caught.value).startswith(caught.value.code)
    return caught.value.code


def test_s1_an_empty_log_is_bootstrapped(opened: Any, storage: Any) -> None:
    """AP-S1: raw is ref(main) without a target, then checkout(main), in one append."""
    session: Session = opened(storage)
    assert storage.calls == []
    assert session.head() == {"type": "ref", "name": "main"}
    assert session.refs() == {"main": None}
    raw = storage.read()
    assert [each["type"] for each in raw] == ["session/ref", "session/checkout"]
    assert raw[0]["data"] == {"name": "main"}
    assert raw[1]["data"] == {"target": {"type": "ref", "name": "main"}}
    assert storage.calls == [2]


def test_t9_every_record_has_the_four_members(opened: Any) -> None:
    """AP-T9: control entries too have id, type, data and timestamp."""
    session: Session = opened(Mem())
    session.append(made("a"))
    assert all({"id", "type", "data", "timestamp"} <= set(each) for each in session.entries())


@pytest.mark.parametrize("bare", [False, True])
def test_s2_plain_logs_are_refused_loudly(bare: bool, opened: Any) -> None:
    """AP-S2, AP-G1, D-AP-17: two plain inputs and a default ref are an error, and kept."""
    plain = Mem()
    plain.append(*([user("a"), user("b")] if bare else [made("a"), made("b")]))
    before = plain.read()
    assert code(opened(plain).read) == "storage"
    assert plain.read() == before
    if not bare:
        session: Session = opened(Mem())
        session.append(*plain.read())
        assert session.build_input() == [user("a"), user("b")]


def test_s3_without_a_default_ref_the_head_is_detached(opened: Any) -> None:
    """AP-S3: append a; the head is detached at a."""
    session: Session = opened(Mem(), None)
    assert session.head() == {"type": "detached"}
    session.append(made("a"))
    assert session.head() == {"type": "detached", "targetId": "a"}
    assert session.refs() == {}


def test_s4_a_bad_default_ref_shows_at_first_use(opened: Any, storage: Any) -> None:
    """AP-S4: `a..b` can be passed, and the first call is `invalid_ref`; nothing is written."""
    session: Session = opened(storage, "a..b")
    assert code(session.read) == "invalid_ref"
    assert storage.calls == []


def test_s5_reopening_gives_the_same_head_refs_and_views(opened: Any, tmp_path: Any) -> None:
    """AP-S5: head and refs are in the log, not in the object."""
    session: Session = opened(JsonLines(tmp_path / "log"))
    session.append(made("a"), made("b"))
    session.fork("f")
    session.append(made("c"))
    session.checkout("a")
    again: Session = opened(JsonLines(tmp_path / "log"))
    assert again.snapshot() == session.snapshot()
    assert again.head() == {"type": "detached", "targetId": "a"}
    assert again.build_input("f") == [user("a"), user("b"), user("c")]


def test_k3_a_lost_checkout_is_made_up_for(opened: Any) -> None:
    """AP-K3: a bootstrap that lost its second record attaches to the default ref."""
    storage = Mem()
    opened(storage).read()
    first = storage.read()[0]
    storage.clear()
    storage.append(first)
    session: Session = opened(storage)
    session.append(made("a"))
    assert session.head() == {"type": "ref", "name": "main"}
    assert session.refs() == {"main": "a"}
    other: Session = opened(Mem(), "other")
    other._storage.append(first)
    assert other.head() == {"type": "detached"}


def test_t1_entries_chain_and_events_hang_off(opened: Any) -> None:
    """AP-T1: [a, event, state, b] chains a, state, b; the event hangs off a and leads nowhere."""
    session: Session = opened(Mem())
    stored = session.append(made("a"), made("e", "event"), made("s", "state"), made("b"))
    assert parents(stored) == {"a": None, "e": "a", "s": "a", "b": "s"}
    assert "parentId" not in stored[0]
    assert names(session.read()) == ["a", "e", "s", "b"]
    assert names(session.path()) == ["a", "s", "b"]


def test_t2_a_given_parent_is_kept(opened: Any) -> None:
    """AP-T2: a, b, then c under a: the view is a, c, and b stays in the raw log."""
    session: Session = opened(Mem())
    session.append(made("a"), made("b"))
    session.append(made("c", parent="a"), {**made("d"), "parentId": None})
    assert names(session.path()) == ["a", "c", "d"]
    assert "b" in names(session.entries())


def test_t3_an_append_is_one_storage_call(opened: Any, storage: Any) -> None:
    """AP-T3: one input on main adds the input and, last, ref main→id."""
    session: Session = opened(storage)
    session.read()
    session.append(made("a"))
    assert storage.calls == [2, 2]
    assert storage.read()[-1]["data"] == {"name": "main", "targetId": "a"}
    session.append(made("e", "event"))
    session.append()
    assert storage.calls == [2, 2, 1]


def test_t4_the_last_control_entries_count(opened: Any) -> None:
    """AP-T4: ref main→a, ref main→b, checkout main: the head stands on b."""
    session: Session = opened(Mem(), None)
    session.append(made("a"), made("b"))
    session.append(
        made("r1", "session/ref", {"name": "main", "targetId": "a"}),
        made("r2", "session/ref", {"name": "main", "targetId": "b"}),
        made("c", "session/checkout", {"target": {"type": "ref", "name": "main"}}),
    )
    assert session.snapshot().target == "b"
    assert session.head() == {"type": "ref", "name": "main"}


def test_t5_a_missing_parent_is_an_error_until_another_checkout(opened: Any) -> None:
    """AP-T5: append under `ghost` succeeds; reads fail until another target is checked out."""
    session: Session = opened(Mem())
    session.append(made("a"))
    session.append(made("b", parent="ghost"))
    assert code(session.read) == code(session.path) == code(session.build_input) == "not_found"
    assert code(session.checkout, "b") == "not_found"
    session.checkout("a")
    assert names(session.read()) == ["a"]


def test_t6_a_cycle_ends(opened: Any) -> None:
    """AP-T6, D-AP-1: a cycle a↔b in the raw log is an error, not a hang."""
    storage = Mem()
    storage.append(made("a", parent="b"), made("b", parent="a"))
    session: Session = opened(storage, None)
    for call in (session.path, session.branch_path, session.build_state, session.checkout):
        assert code(call, "b") == "not_found"


def test_t6_a_cycle_of_given_parents_ends(opened: Any) -> None:
    """AP-T2, AP-T6: a under b, then b under a, both appended here, is an error to read."""
    session: Session = opened(Mem())
    session.append(made("a", parent="b"))
    session.append(made("b", parent="a"))
    assert code(session.read) == "not_found"
    session.checkout()
    assert session.read() == []


def test_d1_a_known_id_is_refused(opened: Any, storage: Any) -> None:
    """D-AP-1: appending a again, or twice in a batch, is a conflict and changes nothing."""
    session: Session = opened(storage)
    session.append(made("a"))
    before = storage.read()
    assert code(session.append, made("b"), made("a")) == "conflict"
    assert code(session.append, made("c"), made("c")) == "conflict"
    assert storage.read() == before
    assert names(session.path()) == ["a"]


def test_t7_a_branch_path_has_its_events_in_raw_order(opened: Any) -> None:
    """AP-T7: a, event under a, b: all three; an event without a parent is not on the path."""
    storage = Mem()
    loose = made("loose", "event")
    storage.append(made("b", parent="a"), made("a"), made("e", "event", parent="a"), loose)
    session: Session = opened(storage, None)
    assert names(session.branch_path("b")) == ["b", "a", "e"]
    assert names(session.path("b")) == ["a", "b"]


def test_t8_custom_entries_are_nodes(opened: Any) -> None:
    """AP-T8: a custom entry between inputs is chained, on the path, and cloned."""
    session: Session = opened(Mem())
    session.append(made("a"), made("m", "mine/x"), made("b"))
    assert names(session.path()) == ["a", "m", "b"]
    assert names(session.clone(Mem()).path()) == ["a", "m", "b"]


def test_h1_a_ref_comes_before_an_id(opened: Any) -> None:
    """AP-H1: `feature` as ref and as id is the ref; an unknown target is `not_found`."""
    session: Session = opened(Mem())
    session.append(made("a"))
    session.fork("feature", checkout=False)
    session.append(made("feature"))
    session.checkout("feature")
    assert session.head() == {"type": "ref", "name": "feature"}
    assert names(session.path("feature")) == ["a"]
    before = session.entries()
    assert code(session.checkout, "nope") == code(session.build_input, "nope") == "not_found"
    assert session.entries() == before


def test_h2_h3_h4_a_checkout_detaches_and_only_adds(opened: Any) -> None:
    """AP-H2, AP-H3, AP-H4: an id detaches, nothing is empty, refs stay, raw grows by one."""
    session: Session = opened(Mem())
    session.append(made("a"), made("b"))
    before = session.entries()
    session.checkout("a")
    assert session.entries()[:-1] == before
    session.append(made("c"))
    assert names(session.path()) == ["a", "c"]
    assert session.refs() == {"main": "b"}
    session.checkout()
    assert session.read() == []
    assert session.build_input() == []
    session.checkout("main")
    assert names(session.path()) == ["a", "b"]


def test_h5_clear_detaches(opened: Any) -> None:
    """AP-H5: a on main; clear; b: the view is b, main still gives a, raw keeps all."""
    session: Session = opened(Mem())
    session.append(made("a"))
    session.clear()
    session.append(made("b"))
    assert session.build_input() == [user("b")]
    assert session.build_input("main") == [user("a")]
    assert {"a", "b"} <= set(names(session.entries()))


def test_h6_a_bad_name_changes_nothing(opened: Any) -> None:
    """AP-H6: `invalid_ref`, and the log is as it was."""
    session: Session = opened(Mem())
    before = session.entries()
    assert code(session.fork, "a b") == "invalid_ref"
    assert session.entries() == before


def test_h7_only_nodes_can_be_stood_on(opened: Any) -> None:
    """AP-H7: an event or a control entry is no target, so neither gets onto the path."""
    session: Session = opened(Mem())
    session.append(made("a"), made("e", "event"))
    control = session.entries()[0]["id"]
    assert code(session.checkout, "e") == code(session.fork, "f", control) == "not_found"
    assert code(session.rebase, "main", "e") == "invalid_rebase"


def test_d12_control_entries_are_validated_as_data(opened: Any) -> None:
    """D-AP-12: what a control entry names is there, or nothing is written."""
    session: Session = opened(Mem())
    session.append(made("a"), made("e", "event"))
    session.append(made("lost", parent="ghost"))
    before = session.entries()
    ref, checkout = "session/ref", "session/checkout"
    assert code(session.append, made("r", ref, {"name": "a b"})) == "invalid_ref"
    for data in ("nope", "e", "lost"):
        assert code(session.append, made("r", ref, {"name": "f", "targetId": data})) == "not_found"
        point = {"target": {"type": "id", "id": data}}
        assert code(session.append, made("c", checkout, point)) == "not_found"
    point = {"target": {"type": "ref", "name": "nope"}}
    assert code(session.append, made("c", checkout, point)) == "not_found"
    for wrong in ([made("r", ref, {})], [made("b"), made("r", ref, {"name": "f"})]):
        with pytest.raises(Rejected):
            session.append(*wrong)
    assert session.entries() == before
    session.append(made("c", checkout, {"target": {"type": "empty"}}))
    assert session.head() == {"type": "detached"}


def test_d12_a_malformed_control_entry_in_the_log_is_loud(opened: Any) -> None:
    """D-AP-12: what got into the storage by another way is damage."""
    storage = Mem()
    storage.append(made("r", "session/ref", {"name": 1}))
    assert code(opened(storage).read) == "storage"


def test_e1_an_event_leaves_the_head(opened: Any) -> None:
    """AP-E1: the entry is returned and stored, under the head or the given parent."""
    session: Session = opened(Mem())
    root = session.event({"type": "x"})
    assert "parentId" not in root
    session.append(made("a"), made("b"))
    one, two = session.event({"type": "x"}), session.event({"type": "y"}, "a")
    assert (one["parentId"], two["parentId"]) == ("b", "a")
    assert session.entries()[-2:] == [one, two]
    assert session.snapshot().target == "b"
    assert root not in session.read()


def test_v2_v3_views_belong_to_a_branch(opened: Any) -> None:
    """AP-V2, AP-V3: by ref, by id and at the head; a state is the last of its branch."""
    session: Session = opened(Mem())
    assert session.build_state() == {}
    session.append(made("a"), made("s1", "state", {"n": 1}))
    session.fork("f")
    session.append(made("b"), made("s2", "state", {"n": 2}))
    assert session.build_input("main") == [user("a")]
    assert session.build_input("f") == session.build_input() == [user("a"), user("b")]
    assert session.build_input("a") == [user("a")]
    assert [session.build_state(at) for at in ("main", "f", "a")] == [{"n": 1}, {"n": 2}, {}]


def test_s6_an_open_call_is_not_repaired(opened: Any) -> None:
    """AP-S6: a call without output is shown as it is; whoever asks the model sees to it."""
    session: Session = opened(Mem())
    call = {"type": "function_call", "call_id": "k", "name": "f", "arguments": "{}"}
    session.append(made("a"), made("c", data=call))
    assert session.build_input() == [user("a"), call]


def test_v4_old_targets_have_stable_views(opened: Any) -> None:
    """AP-V4: an append on main changes nothing at f."""
    session: Session = opened(Mem())
    session.append(made("a"))
    session.fork("f", checkout=False)
    before = session.branch_path("f")
    session.append(made("b"))
    assert session.branch_path("f") == before


def test_d10_a_view_is_the_callers_own(opened: Any) -> None:
    """D-AP-10: neither drafts, nor what append returned, nor a view is the log."""
    session: Session = opened(Mem())
    draft = made("a")
    stored = session.append(draft)
    draft["data"]["content"] = stored[0]["data"]["content"] = "changed"
    session.read()[0]["data"]["content"] = "changed"
    assert session.build_input() == [user("a")]


def test_n1_parallel_appends_chain(opened: Any) -> None:
    """AP-N1: appends of several threads make one chain, never siblings."""
    session: Session = opened(Mem())
    threads = [Thread(target=session.append, args=(made(name),)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(names(session.path())) == list("abcd")


def test_n1_a_failure_blocks_nothing(opened: Any, storage: Any) -> None:
    """AP-N1, AP-A7: a failed append leaves no trace, and the next succeeds."""
    session: Session = opened(storage)
    session.append(made("a"))
    storage.fail = OSError("full")
    assert code(session.append, made("b")) == "storage"
    storage.fail = None
    session.append(made("b"))
    assert names(session.path()) == ["a", "b"]


def test_q1_a_storage_failure_keeps_its_cause(opened: Any, storage: Any) -> None:
    """AP-Q1: code `storage`, with the error attached; a session's error passes through."""
    session: Session = opened(storage)
    session.read()
    storage.fail = cause = OSError("full")
    with pytest.raises(SessionError, match="storage: OSError: full") as caught:
        session.append(made("a"))
    assert caught.value.__cause__ is cause
    storage.fail = SessionError("busy", "inner")
    assert code(session.append, made("b")) == "busy"


def test_a_session_over_nothing_has_nothing(opened: Any) -> None:
    """Over the `none` storage every operation begins anew."""
    session: Session = opened(Nothing())
    session.append(made("a"))
    assert session.read() == []
    assert session.head() == {"type": "ref", "name": "main"}


def test_a_session_is_a_storage_for_another(opened: Any) -> None:
    """AP-M7: a session has append, read and clear, and the place of its storage."""
    storage = Mem()
    session: Session = opened(storage)
    session.append(made("a"))
    assert session.place == storage.place
    assert names(session.read()) == ["a"]
