"""The laws of a turn memory: none accuses a memory that is right."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storelaw.clauses import registered
from storelaw.failures import Broken
from storelaw.families import memory_chains, memory_queries, memory_rows, memory_rules
from storelaw.liars.turns_honest import HonestBackend, Rows, TurnsHonest
from storelaw.media.turns_memory import TurnsMemoryMedium
from storelaw.medium import Medium
from storelaw.model.turn_chains import canonical, digest
from storelaw.player import play
from storelaw.program import Program, ask, door, failing, program
from storelaw.strangers.turns import ReshapesEntries
from storelaw.strategies.turns_rows import entries, row, scattered, searched, values_of
from storelaw.trial import hold
from storelaw.values import Entry
from storelaw_schemas import problems

FAMILIES = (memory_rows, memory_queries, memory_rules, memory_chains)
LAWS = [e for e in registered() if e.judge.__module__ in {each.__name__ for each in FAMILIES}]
BY_NAME = {each.name: each for each in LAWS}

A = row("n/one", "turn-000000-user", "a")
B = row("n/one", "turn-000001-user", "b")


@pytest.mark.parametrize("medium", [TurnsHonest, TurnsMemoryMedium, ReshapesEntries])
def test_no_law_accuses_a_memory_that_is_right(medium: type[Medium]) -> None:
    """Every law holds on stores that do what they say."""
    verdicts = [hold(each, medium, "battery") for each in LAWS]

    assert [(each.law, each.reason) for each in verdicts if each.outcome != "held"] == []


def _broken(law: str, *steps: Any, medium: type[Medium] = TurnsHonest) -> Broken | None:
    try:
        BY_NAME[law].judge(play(program(*steps), medium))
    except Broken as broken:
        return broken
    return None


def _put(entry: Entry) -> Any:
    return ask("B", "put", entries=(entry,), one=True)


def _got(entry: Entry) -> Any:
    return ask("B", "get", entry["scope"], entry["kind"], entry["id"])


class Loud(TurnsHonest):
    """Raises where it is asked for what it holds."""

    class store(HonestBackend):
        def given(self, entry: Entry) -> Entry:
            raise LookupError(str(entry["id"]))


class Exclusive(TurnsHonest):
    """Fails on a second put, and knows how to say so."""

    manifest = replace(TurnsHonest.manifest, errors={"EntryConflict": KeyError})

    class store(HonestBackend):
        def written(self, key: Any, entry: Entry) -> None:
            if key in self.rows.entries:
                raise KeyError(key)
            super().written(key, entry)

        def doomed(self, entry: Entry, scope: Entry) -> bool:
            raise LookupError(str(scope))


@pytest.mark.parametrize(
    "law",
    ["scopes_that_look_alike_hold_their_own_entries", "an_entry_comes_back_as_it_was_put"],
)
def test_a_read_that_raises_is_broken(law: str) -> None:
    """An entry that is there and can't be read is as bad as one that is changed."""
    assert _broken(law, door("backend", "B", "n/one"), _put(A), _got(A), medium=Loud)


def test_a_second_put_that_raises_is_broken() -> None:
    """A conflict of the rows themselves is a rule of the memory in the wrong place."""
    steps = (door("backend", "B", "n/one"), _put(A), _put(A))

    assert _broken("the_last_put_of_a_key_wins", *steps, medium=Exclusive)


def test_a_scope_that_cannot_be_deleted_is_broken() -> None:
    """The deletion of a scope raises nothing."""
    steps = (door("backend", "B", "n/one"), _put(A), ask("B", "delete_scope", A["scope"]))

    assert _broken("deleting_a_scope_empties_it_and_no_other", *steps, medium=Exclusive)


def test_what_failed_is_not_judged() -> None:
    """After a put whose outcome is unknown nothing is demanded of the rows."""
    steps = (door("backend", "B", "n/one"), failing("after-commit", door="store"), _put(A), _got(A))

    assert _broken("a_missing_entry_is_no_error", *steps) is None


def test_what_another_door_wrote_is_not_judged() -> None:
    """The rows are followed through the backend door alone."""
    opened = (door("backend", "B", "n/one"), door("memory", "M", "n/one"))
    steps = (*opened, ask("M", "put", entries=(A,), one=True), _got(A))

    assert _broken("a_missing_entry_is_no_error", *steps) is None


def test_after_a_scope_is_deleted_its_status_is_left_open() -> None:
    """The status law follows single deletions, and stops at larger ones."""
    steps = (door("backend", "B", "n/one"), _put(A), ask("B", "delete_scope", A["scope"]))

    asked = ask("B", "status", {"kind": "session", "id": "n/one"})
    assert _broken("a_scope_is_live_while_it_holds_an_entry", *steps, asked) is None


def test_a_look_up_that_did_not_fail_is_not_judged() -> None:
    """Where the failure is still due after the put, nothing was looked up."""
    armed = failing("load", door="store")
    steps = (door("memory", "M", "n/one"), armed, ask("M", "put", entries=(A,), one=True))

    class Sleepy(TurnsHonest):
        """Fails at the second read."""

        def fail_next(self, point: str, k: int = 0) -> None:
            self.rows.due.append("never")

    assert _broken("a_failed_look_up_is_no_refusal", *steps, medium=Sleepy)
    assert _broken("a_failed_look_up_is_no_refusal", *steps) is None


def test_the_memory_door_speaks_json() -> None:
    """Gets, deletions of mutable entries and the status go through to the rows."""
    kinds = [{"name": "note", "prefix": "note-"}]
    entry = {**A, "kind": "note", "id": "note-1"}
    key = (entry["scope"], "note", "note-1")
    steps = (
        door("memory", "M", "n/one", kinds=kinds),
        ask("M", "put", entries=(entry,), one=True),
        ask("M", "get", *key),
        ask("M", "status", entry["scope"]),
        ask("M", "delete", *key),
        ask("M", "get", *key),
        ask("M", "status", entry["scope"]),
    )
    events = play(program(*steps), TurnsHonest).events

    assert [each.value for each in events[2:]] == [entry, "live", None, None, "unknown"]


def test_the_stranger_reshapes() -> None:
    """A reshaped entry has its keys, its tags and its time in another form, and no empty list."""
    entry = {**A, "createdAt": "2026-01-01T00:00:00.123456789Z", "tags": ["b", "a"], "links": []}
    seen = ReshapesEntries.store(Rows()).kept(entry)

    assert list(seen) == ["content", "createdAt", "id", "kind", "scope", "tags"]
    assert (seen["createdAt"], seen["tags"]) == ("2026-01-01T00:00:00.123456+00:00", ["a", "b"])


@pytest.mark.parametrize("name", ["scattered", "searched", "values_of"])
def test_programs_of_rows_break_nothing(name: str) -> None:
    """Generated programs hold on the honest rows, and open the door first."""
    laws = {
        "scattered": "scopes_that_look_alike_hold_their_own_entries",
        "searched": "a_query_gives_what_passes_all_its_filters",
        "values_of": "an_entry_comes_back_as_it_was_put",
    }
    made = {"scattered": scattered, "searched": searched, "values_of": values_of}[name]()

    @settings(derandomize=True, max_examples=30, deadline=None, database=None)
    @given(made)
    def each(each: Program) -> None:
        assert each.steps[0].do == "open_door"
        assert BY_NAME[laws[name]].judge(play(each, TurnsHonest)) is None

    each()


def test_a_memory_that_signs_is_not_asked_to_refuse() -> None:
    """What a memory with a signer stores is signed, and another law's matter."""
    signed = door("memory", "M", "n/one", signer="session:n/one", verifies=["session:n/one"])
    step = ask("M", "put", entries=(A,), one=True)

    assert _broken("a_turn_without_a_good_signature_is_refused", signed, step) is None


@settings(derandomize=True, max_examples=50, deadline=None, database=None)
@given(st.one_of(entries(), entries(("n/s", "m/s"), "2026-01-01T00:00:00Z")))
def test_generated_entries_are_valid(entry: Entry) -> None:
    """Each entry that a strategy makes is valid under ``turns/entry``."""
    assert list(problems("turns/entry", entry)) == []


def test_a_digest_is_that_of_the_meaning() -> None:
    """Key order, zones, the order of tags and empty members don't change a digest."""
    sealed = {"publisher": "session:n/one", "keyId": "0" * 32, "seq": 1}
    entry = {**A, "createdAt": "2026-01-01T00:00:00.5Z", "tags": ["b", "a"], "provenance": sealed}
    other = {**dict(reversed(entry.items())), "tags": ["a", "b"], "links": []}

    assert digest(entry) == digest({**other, "createdAt": "2026-01-01T01:00:00.500000+01:00"})
    assert digest(entry) != digest({**entry, "tags": ["a"]})
    assert canonical({"b": [1.0, 0.5], "a": None}) == '{"a":null,"b":[1,0.5]}'
