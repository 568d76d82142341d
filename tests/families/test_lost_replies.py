"""The laws of lost requests and replies: each catches its liars, none accuses a right store."""

from dataclasses import replace
from typing import Any, ClassVar

import pytest

import storelaw_schemas
from storelaw.clauses import Law, registered
from storelaw.cutoffs import Cutoff, Cutoffs, lose
from storelaw.errors import EntryConflict, Rejected
from storelaw.failures import Broken, Unseen
from storelaw.families import lost_replies
from storelaw.liars import liars
from storelaw.liars import lost_replies as zoo
from storelaw.liars.registry import Liar
from storelaw.liars.wire_honest import (
    MANIFEST,
    Client,
    WireDuplicates,
    WireHonest,
)
from storelaw.media.jsonl import JsonlMedium
from storelaw.media.reference import ReferenceMedium
from storelaw.medium import Medium
from storelaw.narrative import text
from storelaw.samples import said
from storelaw.trace import Event, Trace
from storelaw.trial import hold
from storelaw.values import Entry
from storelaw.wreckage import Sight

LAWS = [each for each in registered() if each.judge.__module__ == lost_replies.__name__]
SUBJECTS = [each for each in liars() if each.medium.__module__ == zoo.__name__]
BY_NAME = {each.name: each for each in LAWS}
A, B, C = (said(each) for each in "123")
FIRST = said("first")

THERE = BY_NAME["an_acknowledged_append_outlives_its_connection"]
WHOLE = BY_NAME["a_cut_off_batch_leaves_what_is_promised"]
REFUSED = BY_NAME["a_lost_reply_is_no_refusal"]
UNLOCKED = BY_NAME["a_cut_connection_leaves_no_lock"]
TWICE = BY_NAME["a_lost_reply_stores_no_entry_twice"]
ONCE = BY_NAME["a_retry_after_a_cut_stores_once"]
AGREED = BY_NAME["a_retry_after_a_cut_is_no_conflict"]


@pytest.mark.parametrize("liar", SUBJECTS, ids=[each.name for each in SUBJECTS])
def test_a_liar_is_caught_by_the_battery_of_its_law(liar: Liar) -> None:
    """And, but for what it says itself, by no other law about lost replies."""
    verdicts = {each.name: hold(each, liar.medium, "battery") for each in LAWS}
    broken = {name for name, each in verdicts.items() if each.outcome == "broken"}
    own = verdicts[liar.breaks]

    assert broken - {*liar.also} == {liar.breaks}
    assert own.failure is not None
    assert own.failure.replays == (3, 3)
    assert len(own.failure.program) <= liar.most
    assert len(text(own.failure).splitlines()) <= 40


def test_every_law_has_its_liar() -> None:
    """Seven of them."""
    assert {each.breaks for each in SUBJECTS} == set(BY_NAME)
    assert len(BY_NAME) == 7


@pytest.mark.parametrize("law", LAWS, ids=[each.name for each in LAWS])
def test_an_honest_store_holds_every_law(law: Law) -> None:
    """By three cuts of three appends each."""
    verdict = hold(law, WireHonest, "battery")
    assert (verdict.outcome, verdict.notes) == ("held", ())
    assert verdict.evidence.seen == {"cuts": 6, "cuts that struck": 3}


@pytest.mark.parametrize("medium", [JsonlMedium, ReferenceMedium])
def test_where_there_is_no_connection_nothing_is_cut(medium: type[Medium]) -> None:
    """The laws are outside of what such a store can be asked."""
    verdict = hold(THERE, medium, "battery")
    assert verdict.outcome == "not applicable"
    assert verdict.reason == "the medium has nothing for route"


def outcome(law: Law, **claims: Any) -> tuple[str, str]:
    """The verdict on the honest store under other claims, and its reason."""

    class Claiming(WireHonest):
        """Says something else."""

        manifest = replace(MANIFEST, **claims)

    verdict = hold(law, Claiming, "battery")
    return verdict.outcome, verdict.reason


EXPECT = "who makes an append again whose reply was lost must expect"


@pytest.mark.parametrize(
    ("reappend", "reason"),
    [
        (None, f"option reappend is undeclared: {EXPECT} each entry there once or twice"),
        ("duplicate", f"option reappend is duplicate: {EXPECT} each entry there once or twice"),
        ("reject", f"option reappend is reject: {EXPECT} a refusal"),
    ],
)
def test_without_idempotency_a_caller_learns_what_to_expect(
    reappend: str | None, reason: str
) -> None:
    """The laws about the retry don't apply, and the reason says more."""
    options = {k: v for k, v in MANIFEST.options.items() if k != "reappend"}
    options |= {"reappend": reappend} if reappend else {}
    assert outcome(ONCE, options=options) == ("not applicable", reason)
    assert outcome(AGREED, options=options) == ("not applicable", reason)


def test_some_stores_are_outside_of_a_law() -> None:
    """Those with one handle, with little room, without batches, with ids of their own."""
    assert outcome(THERE, handles=1) == ("not applicable", "one handle at once")
    assert outcome(TWICE, keep=3)[0] == "not applicable"
    assert outcome(WHOLE, batch="one") == ("not applicable", "manifest field batch is 'one'")
    assert outcome(THERE, batch="one") == ("held", "")
    assert outcome(ONCE, entry_id=None)[0] == "not applicable"


def test_an_append_that_asks_nothing_is_no_evidence() -> None:
    """Where no cut struck, nothing was tried."""

    class Lazy(WireHonest):
        """Sends a batch when it is closed."""

        class store(Client):
            def sent(self, session: str, entries: list[Entry]) -> None:
                """Connect past the proxy."""
                with_sound_wire = Client(self.home)
                with_sound_wire.append(session, entries)
                with_sound_wire.close()

            home: ClassVar[tuple[str, int]] = ("", 0)

        def open(self) -> Client:
            """Tell it where the server is."""
            made = super().open()
            self.store.home = self._server.address
            return made

    verdict = hold(THERE, Lazy, "battery")
    assert (verdict.outcome, verdict.reason) == (
        "not evaluated",
        "no cut struck: the append asked nothing by way of the proxy",
    )


# ------------------------------------------------------------ single judges


RAISED = Sight(None, "unknown", "OSError: no")
CONFLICT = Sight(None, "EntryConflict", "EntryConflict: no")
REJECTED = Sight(None, "Rejected", "Rejected: no")


def sight(*entries: Entry) -> Sight:
    """A log that was loaded."""
    return Sight(list(entries))


def after(*cutoffs: Cutoff, **claims: Any) -> Trace:
    """The trace of these cuts."""
    event = Event(0, lose("s", A, B, point="before-reply"), value=Cutoffs(cutoffs))
    return Trace(replace(MANIFEST, **claims), (event,))


def cut(**found: Any) -> Cutoff:
    """An append of two entries whose reply was lost, and on which everything is right."""
    right = {
        "came": RAISED,
        "seen": sight(FIRST, A, B),
        "retried": Sight(),
        "again": sight(FIRST, A, B),
        "written": Sight(),
        "later": sight(FIRST, A, B, C),
    }
    told = {"session": "s-0", "passed": 0, "struck": True, "before": (FIRST,), "sent": (A, B)}
    return Cutoff(**{**told, **right, **found})


def complaint(law: Law, trace: Trace) -> tuple[Any, Any] | None:
    """What was expected and observed, where a law breaks."""
    try:
        law.judge(trace)
    except Broken as broken:
        return broken.expected, broken.observed
    return None


@pytest.mark.parametrize("law", LAWS, ids=[each.name for each in LAWS])
def test_a_lost_reply_is_no_fault(law: Law) -> None:
    """Whether the batch is there or not."""
    assert complaint(law, after(cut(), cut(seen=sight(FIRST)))) is None


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ({"came": Sight()}, None),
        ({"came": Sight(), "seen": sight(FIRST, A)}, (["first", "1", "2"], ["first", "1"])),
        ({"seen": sight(A, B)}, (["first"], ["1", "2"])),
        ({"seen": RAISED}, (["first"], "it raised OSError: no")),
    ],
)
def test_what_was_acknowledged_is_there(found: dict[str, Sight], expected: Any) -> None:
    """The batch of an append that returned, and all before it in any case."""
    assert complaint(THERE, after(cut(**found))) == expected


@pytest.mark.parametrize(
    ("batch", "seen", "expected"),
    [
        ("atomic", sight(FIRST, A), ("all of it or nothing", ["1"])),
        ("prefix", sight(FIRST, A), None),
        ("prefix", sight(FIRST, B), ("a beginning of it", ["2"])),
        ("prefix", sight(FIRST, A, A, B), None),
    ],
)
def test_a_batch_is_there_as_far_as_is_promised(batch: str, seen: Sight, expected: Any) -> None:
    """All or nothing, or a beginning; how often is for another law."""
    assert complaint(WHOLE, after(cut(seen=seen), batch=batch)) == expected


def test_half_a_batch_is_judged_where_nobody_knows() -> None:
    """An append that returned or was refused is judged by other laws."""
    assert complaint(WHOLE, after(cut(came=Sight(), seen=sight(FIRST, A)))) is None
    assert complaint(WHOLE, after(cut(came=REJECTED, seen=sight(FIRST, A)))) is None


def test_a_refused_append_has_left_nothing() -> None:
    """What it left is shown."""
    expected = ("nothing, since the append raised Rejected: no", ["1", "2"])
    assert complaint(REFUSED, after(cut(came=REJECTED))) == expected
    assert complaint(REFUSED, after(cut(came=REJECTED, seen=sight(FIRST)))) is None


def test_another_client_can_write() -> None:
    """At once."""
    expected = ("an append by another client passes", "it raised OSError: no")
    assert complaint(UNLOCKED, after(cut(written=RAISED))) == expected


def test_one_append_stores_an_entry_once() -> None:
    """Whatever its client did about the lost reply."""
    expected = (["first", "1", "2"], ["first", "1", "1", "2"])
    assert complaint(TWICE, after(cut(seen=sight(FIRST, A, A, B)))) == expected


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ({"again": sight(FIRST, A, B, A)}, (["first", "1", "2"], ["first", "1", "2", "1"])),
        ({"again": sight(FIRST, A)}, (["first", "1", "2"], ["first", "1"])),
        ({"retried": RAISED}, ("the retry passes", "it raised OSError: no")),
        ({"retried": CONFLICT}, None),
    ],
)
def test_a_retry_stores_what_is_missing(found: dict[str, Sight], expected: Any) -> None:
    """And nothing else; a conflict is for another law."""
    assert complaint(ONCE, after(cut(**found))) == expected


def test_a_retry_is_no_conflict() -> None:
    """With what it repeats."""
    expected = ("the retry passes", "it raised EntryConflict: no")
    assert complaint(AGREED, after(cut(retried=CONFLICT))) == expected
    assert complaint(AGREED, after(cut(retried=RAISED))) is None


def test_entries_go_by_what_they_say_where_the_store_gives_ids() -> None:
    """What is no entry at all goes by itself."""
    options = {**MANIFEST.options, "ids": "minted"}
    renamed = [{**each, "id": f"x{n}"} for n, each in enumerate((FIRST, A, B))]
    assert complaint(THERE, after(cut(came=Sight(), seen=sight(*renamed)), options=options)) is None
    strange: Any = "no entry"
    found = complaint(TWICE, after(cut(seen=sight(strange, A, A))))
    assert found == (["first", "1", "2"], ['"no entry"', "1", "1"])
    bare = {"type": "custom", "message": {"content": [{"text": "bare words"}]}}
    assert complaint(THERE, after(cut(came=Sight(), sent=(bare,), seen=sight(FIRST)))) == (
        ["first", "bare"],
        ["first"],
    )


def unseen(trace: Trace) -> tuple[str, bool]:
    """Why a trace is no evidence, and whether there could be some."""
    with pytest.raises(Unseen) as caught:
        THERE.judge(trace)
    return caught.value.reason, caught.value.applicable


def test_a_trace_without_a_cut_is_no_evidence() -> None:
    """Nor one in which something else went wrong."""
    step = lose("s", A, point="in-reply")
    raised = Event(0, step, "raised", error="unknown", text="OSError: no")
    refused = replace(raised, error="Rejected", text="Rejected: no")
    assert unseen(Trace(MANIFEST, ())) == ("no connection was to be cut", False)
    assert unseen(Trace(MANIFEST, (raised,))) == ("a step beside the cuts raised OSError: no", True)
    assert unseen(Trace(MANIFEST, (refused,))) == (
        "a step beside the cuts raised Rejected: no",
        False,
    )


def test_a_cut_is_drawn() -> None:
    """Where it fell, if it did, and what came of each operation after it."""
    with pytest.raises(Broken) as caught:
        UNLOCKED.judge(after(cut(passed=4, written=RAISED)))
    assert caught.value.picture == (
        'cut     before-reply of exchange 5 of an append to "s-0"\n'
        'append  raises "OSError: no"\n'
        "load    3 entries\n"
        "retry   passes\n"
        "load    3 entries\n"
        'append  raises "OSError: no"\n'
        "load    4 entries"
    )
    made = caught.value.drawing
    assert storelaw_schemas.problems("harness/drawing", made) == ()
    assert made is not None
    assert (made["how"], len(made["came"])) == ("cut", 6)
    assert made["place"] == 'before-reply of exchange 5 of an append to "s-0"'


def test_a_fault_without_a_cut_is_drawn_too() -> None:
    """Of an append that had no such exchange."""
    with pytest.raises(Broken) as caught:
        UNLOCKED.judge(after(cut(), cut(struck=False, came=Sight(), written=RAISED)))
    assert caught.value.picture.startswith(
        'cut     nowhere of an append to "s-0"\nappend  passes\n'
    )


FAILURE = r"""
honest-by-wire broke a law: a_cut_off_batch_leaves_what_is_promised

    store = medium.open()
    cut off before-reply: store.append("s", [a, b]); then again, then append [c]  # a = {"type": "message", "id": "2", "created_a ... essage": {"role": "user", "content": []}}; b = {"type": "message", "id": "3", "created_a ... essage": {"role": "user", "content": []}}; c = {"type": "message", "id": "after", "creat ... t": [{"type": "text", "text": "after"}]}}

expected  all of it or nothing
observed  ["2-0"]

    cut     before-reply of exchange 1 of an append to "s-0"
    append  raises "ConnectionError: nothing is known of append: the connection ended"
    load    2 entries
    retry   passes
    load    3 entries
    append  passes
    load    4 entries

because   a batch that was cut off is there as far as the manifest's batch allows.
law       Of a batch that was cut off there is all or nothing where batches are atomic, else a beginning.
rerun     storelaw check acme --law a_cut_off_batch_leaves_what_is_promised --seed 0
"""


def test_a_failure_is_told_whole() -> None:
    """Which cut of which append, and what came of it."""
    verdict = hold(WHOLE, zoo.SendsEntryByEntry, "battery", target="acme")
    assert verdict.failure is not None
    assert text(verdict.failure) == FAILURE.strip("\n")


# ----------------------------------------------------------- the honest store


def test_the_honest_store_behaves_by_wire(tmp_path: Any) -> None:
    """Errors keep their names on the way, a closed client is closed, and strange words are told."""
    medium = WireHonest(tmp_path)
    client = medium.open()
    try:
        with pytest.raises(Rejected, match="no JSON object"):
            client.append("s", [{"id": "1", "bad": object()}])
        client.append("s", [A])
        with pytest.raises(EntryConflict, match="'1' is known with another payload"):
            client.append("s", [said("1", "other")])
        with pytest.raises(RuntimeError, match="has no attribute 'nothing'"):
            client.ask("nothing")
        assert client.load("s") == [A]
        client.close()
        client.close()
        with pytest.raises(ValueError, match="the client is closed"):
            client.load("s")
    finally:
        medium.destroy()


def test_a_server_that_ends_takes_its_clients_along(tmp_path: Any) -> None:
    """Whoever is still connected learns that nobody answers."""
    medium = WireDuplicates(tmp_path)
    client = medium.open()
    medium.destroy()
    with pytest.raises(ConnectionError, match="nothing is known of load"):
        client.load("s")
    client.close()
