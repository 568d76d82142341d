"""The laws of contests: none accuses a store that is right."""

from pathlib import Path
from typing import Any

import pytest

from storelaw.clauses import registered
from storelaw.errors import EntryConflict, SessionExists, SessionNotFound
from storelaw.failures import Broken, Unseen
from storelaw.families import contests
from storelaw.liars import contests as contest_liars
from storelaw.liars import liars
from storelaw.liars.crowd_honest import ContestedMedium, ThreadedMedium
from storelaw.liars.crowds import FailsWhenBusy
from storelaw.liars.registry import Liar
from storelaw.manifest import Manifest
from storelaw.program import Step, append, at_once, call, load
from storelaw.samples import said
from storelaw.trace import Event, Trace
from storelaw.trial import hold
from storelaw.values import Entry

from ..history.notation import history

LAWS = {each.name: each for each in registered() if each.judge.__module__ == contests.__name__}
SUBJECTS = [
    *(each for each in liars() if each.medium.__module__ == contest_liars.__name__),
    *(each for each in liars() if each.medium is FailsWhenBusy),
]
CONTESTED: Manifest = ContestedMedium.manifest

A, B, X = said("a1"), said("b1"), said("x1")
OF_A, OF_B = said("x1", "A was here"), said("x1", "B was here")


def did(worker: str, step: Step, error: str | None = None, text: str = "") -> Event:
    """What a worker did, and what it was told."""
    passed = tuple(step.expanded())
    told = Step(step.do, step.session, step.entries, worker, step.args)
    if error == "absent":
        return Event(0, told, "skipped", text="absent", passed=passed)
    outcome: Any = "raised" if error else "ok"
    return Event(0, told, outcome, error=error, text=text, passed=passed)


def trace(*nested: Event, stored: dict[str, Any] | None = None) -> Trace:
    """The trace of a contest, and what is stored in each session afterwards."""
    acts = history("A append a1 | 1 4\nB append b1 | 2 3")
    crowd = Event(0, at_once("s", "threads"), nested=nested, history=acts)
    loads = [
        Event(1, load(key), value=value)
        if value is not None
        else Event(1, load(key), "raised", error="SessionNotFound")
        for key, value in (stored or {}).items()
    ]
    return Trace(CONTESTED, (crowd, *loads))


CREATE, DELETE = call("create", "s1"), call("delete", "s")
FORK = call("fork", "s", new="f1")


def listed(*entries: Entry) -> dict[str, Any]:
    """The log of the one session."""
    return {"s": list(entries)}


#: For each law, runs on which it holds.
RIGHT: list[tuple[str, Trace]] = [
    ("one_of_several_creators_wins", trace(did("A", CREATE), did("B", CREATE, "SessionExists"))),
    (
        "one_of_several_creators_wins",
        trace(did("A", CREATE), did("B", call("create", "s2")), did("B", append("s1", B))),
    ),
    (
        "a_session_deleted_beside_writers_stays_deleted",
        trace(did("A", append("s", A)), did("C", DELETE), stored={"s": None}),
    ),
    (
        "a_session_deleted_beside_writers_stays_deleted",
        trace(did("C", DELETE, "unknown"), stored=listed(A)),
    ),
    (
        "one_of_several_payloads_under_an_id_wins",
        trace(
            did("A", append("s", OF_A), "EntryConflict"),
            did("B", append("s", OF_B)),
            did("B", append("s", X), "absent"),
            did("B", load("s")),
            did("B", append("s")),
            stored=listed(A, OF_B),
        ),
    ),
    (
        "an_entry_that_two_clients_append_is_stored_once",
        trace(did("A", append("s", X)), did("B", append("s", X)), stored=listed(X)),
    ),
    (
        "a_batch_refused_beside_writers_leaves_nothing",
        trace(
            did("A", append("s", A, OF_A), "EntryConflict"),
            did("B", append("s", B, OF_B)),
            stored=listed(B, OF_B),
        ),
    ),
    (
        "a_batch_refused_beside_writers_leaves_nothing",
        trace(did("A", append("s", A, OF_A), "unknown"), stored=listed(A)),
    ),
    ("writers_wait_for_each_other", trace(did("A", append("s", A)), did("B", load("s")))),
    (
        "a_fork_beside_writers_is_a_beginning_of_its_parent",
        trace(did("C", FORK), did("A", append("s", A)), stored={"f1": [A], "s": [A, B]}),
    ),
    (
        "a_fork_beside_writers_is_a_beginning_of_its_parent",
        trace(did("C", FORK, "unknown"), did("C", FORK), stored={"f1": "odd", "s": None}),
    ),
]

#: For each law, runs on which it breaks: what it expects and what it observes.
WRONG: list[tuple[str, Trace, Any, Any]] = [
    (
        "one_of_several_creators_wins",
        trace(did("A", CREATE), did("B", CREATE)),
        "one of them creates it, the others get SessionExists",
        "A: ok, B: ok",
    ),
    (
        "one_of_several_creators_wins",
        trace(did("A", CREATE, "SessionExists"), did("B", CREATE, "SessionExists")),
        "one of them creates it, the others get SessionExists",
        "A: SessionExists, B: SessionExists",
    ),
    (
        "one_of_several_creators_wins",
        trace(did("A", CREATE), did("B", CREATE, "unknown")),
        "one of them creates it, the others get SessionExists",
        "A: ok, B: unknown",
    ),
    (
        "a_session_deleted_beside_writers_stays_deleted",
        trace(did("C", DELETE), stored=listed(A)),
        "SessionNotFound",
        [A],
    ),
    (
        "one_of_several_payloads_under_an_id_wins",
        trace(did("A", append("s", OF_A)), did("B", append("s", OF_B)), stored=listed(OF_A)),
        "one of them is stored, the others get EntryConflict",
        "A: ok, B: ok",
    ),
    (
        "one_of_several_payloads_under_an_id_wins",
        trace(did("A", append("s", OF_A)), did("B", append("s", OF_B), "unknown")),
        "one of them is stored, the others get EntryConflict",
        "A: ok, B: unknown",
    ),
    (
        "one_of_several_payloads_under_an_id_wins",
        trace(
            did("A", append("s", OF_A)),
            did("B", append("s", OF_B), "EntryConflict"),
            stored=listed(OF_B),
        ),
        [OF_A],
        [OF_B],
    ),
    (
        "an_entry_that_two_clients_append_is_stored_once",
        trace(did("A", append("s", X)), did("B", append("s", X)), stored=listed(X, X)),
        "all are told ok, and x1 is stored once",
        "A: ok, B: ok; x1 is stored 2 times",
    ),
    (
        "an_entry_that_two_clients_append_is_stored_once",
        trace(
            did("A", append("s", X)), did("B", append("s", X), "EntryConflict"), stored=listed(X)
        ),
        "all are told ok, and x1 is stored once",
        "A: ok, B: EntryConflict; x1 is stored 1 times",
    ),
    (
        "a_batch_refused_beside_writers_leaves_nothing",
        trace(did("A", append("s", A, OF_A), "EntryConflict"), stored=listed(A, OF_B)),
        "nothing of what A was refused",
        [A],
    ),
    (
        "writers_wait_for_each_other",
        trace(did("A", append("s", A)), did("B", append("s", B), "unknown", "OSError: busy")),
        "it waits until the others are done",
        "B's append raised OSError: busy",
    ),
    (
        "a_fork_beside_writers_is_a_beginning_of_its_parent",
        trace(did("C", FORK), stored={"f1": [B], "s": [A, B]}),
        [A],
        [B],
    ),
]


@pytest.mark.parametrize(("name", "played"), RIGHT)
def test_a_right_outcome_is_left_alone(name: str, played: Trace) -> None:
    """Whoever wins; each law says how often its workers met."""
    assert LAWS[name].judge(played) == {"overlaps of threads": 1}


@pytest.mark.parametrize(("name", "played", "expected", "observed"), WRONG)
def test_a_wrong_outcome_is_told(name: str, played: Trace, expected: Any, observed: Any) -> None:
    """With what each client was told, or with what is stored."""
    with pytest.raises(Broken) as caught:
        LAWS[name].judge(played)
    assert (caught.value.expected, caught.value.observed) == (expected, observed)
    assert caught.value.event is not None


def test_each_law_has_runs_of_both_kinds() -> None:
    """The lists above have all laws."""
    assert {name for name, _ in RIGHT} == {name for name, *_ in WRONG} == set(LAWS)


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_a_contest_without_rivals_is_no_evidence(law: Any) -> None:
    """Whatever came of it."""
    for name, played, *_ in WRONG:
        if name == law.name:
            crowd, *after = played.events
            alone = Trace(
                CONTESTED,
                (
                    Event(0, crowd.step, nested=crowd.nested, history=history("A load | 1 2")),
                    *after,
                ),
            )
            with pytest.raises(Unseen, match="no two operations of threads overlapped"):
                law.judge(alone)


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_judges_are_total(law: Any) -> None:
    """Nothing at all, no loads, and odd ones never make a judge fail in itself."""
    assert dict(law.judge(Trace(CONTESTED, ())) or {}) == {}
    odd = {"s": "odd", "f1": 5}
    assert law.judge(trace(did("C", load("s")), stored=odd)) == {"overlaps of threads": 1}


def test_a_contest_is_held_in_rounds() -> None:
    """What comes before and after is there for each round, or for the first or last one alone."""
    law = LAWS["a_fork_beside_writers_is_a_beginning_of_its_parent"]
    first, *_ = law.battery(CONTESTED)
    assert [each.do for each in first.steps] == [
        "append",
        "at_once",
        *("load" for _ in range(contests.ROUNDS + 1)),
    ]
    assert [each.session for each in first.steps[2:]] == ["f1", "f2", "f3", "f4", "f5", "s"]
    crowd = first.steps[1]
    assert [each["new"] for each in crowd["C"]] == ["f1", "f2", "f3", "f4", "f5"]


# -------------------------------------------------------------- liars and strangers


def test_the_store_that_several_liars_vary_writes_nothing_by_itself(tmp_path: Path) -> None:
    """Each of them has a way of its own."""
    store = contest_liars.CheckingStore(ContestedMedium(tmp_path).data, CONTESTED)
    store.create("s")
    with pytest.raises(NotImplementedError):
        store.append("s", [A])


def handle(medium: type[ContestedMedium], folder: Path, *stored: Entry) -> Any:
    """A handle of a liar, with a session that holds these entries."""
    store = medium(folder).open()
    store.create("s")
    store.append("s", list(stored))
    return store


@pytest.mark.parametrize("liar", SUBJECTS[:-1], ids=[each.name for each in SUBJECTS[:-1]])
def test_a_liar_is_right_as_long_as_it_is_alone(liar: Liar, tmp_path: Path) -> None:
    """Retries, conflicts, empty batches, forks and deletions are what an honest store has."""
    kind: Any = liar.medium
    store = handle(kind, tmp_path, A, B)
    store.append("s", [A, X])
    with pytest.raises(EntryConflict):
        store.append("s", [OF_B])
    store.append("s", [])
    assert store.load("s") == [A, B, X]
    store.fork("s", "f", "b1")
    store.fork("s", "g")
    assert [store.load(each) for each in "fg"] == [[A, B], [A, B, X]]
    with pytest.raises(SessionExists):
        store.create("s")
    store.delete("s")
    with pytest.raises(SessionNotFound):
        store.load("s")


def test_what_has_come_meanwhile_is_known_by_its_id(tmp_path: Path) -> None:
    """As it writes, each of these liars meets it in its own way."""
    kinds = (
        contest_liars.OverlooksLateConflicts,
        contest_liars.StoresLateRetries,
        contest_liars.StopsAtALateConflict,
    )
    overlooks, stores, stops = (handle(each, tmp_path, OF_A) for each in kinds)
    overlooks.written(overlooks.found("s"), [OF_B, B])
    stores.written(stores.found("s"), [OF_A])
    with pytest.raises(EntryConflict):
        stores.written(stores.found("s"), [B, OF_B])
    with pytest.raises(EntryConflict):
        stops.written(stops.found("s"), [B, OF_B, A])
    assert [each.load("s") for each in (overlooks, stores, stops)] == [
        [OF_A, B],
        [OF_A, OF_A],
        [OF_A, B],
    ]


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_no_law_accuses_a_store_that_is_right(law: Any) -> None:
    """One that promises all of it holds all of it; one that doesn't isn't asked."""
    verdict = hold(law, ContestedMedium, "battery")
    assert verdict.outcome != "broken"
    assert not verdict.fault
    other = hold(law, ThreadedMedium, "battery")
    assert other.outcome != "broken"
    assert not other.fault
