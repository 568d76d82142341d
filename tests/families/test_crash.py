"""The laws of crashes: what they find repeats, none accuses a store that is right."""

from dataclasses import replace
from typing import Any

import pytest

import storelaw_schemas
from storelaw.errors import EntryConflict, Rejected, SessionExists
from storelaw.failures import Broken, Failure, Unseen
from storelaw.liars import kills as kills_liars
from storelaw.liars import liars
from storelaw.liars import tears as tears_liars
from storelaw.liars.crash_honest import MANIFEST, FileHonest, FileStore
from storelaw.liars.registry import Liar
from storelaw.media.jsonl import IdempotentJsonlMedium, JsonlMedium
from storelaw.media.log_jsonl import LogJsonlMedium
from storelaw.media.sqlite import IdempotentSqliteMedium
from storelaw.medium import Medium
from storelaw.model import remains
from storelaw.narrative import text
from storelaw.program import load, program
from storelaw.strangers.crashes import LengthPrefixed, LineForEachEntry, WritesLater
from storelaw.trace import Event, Trace
from storelaw.trial import breaks, hold
from storelaw.values import Entry
from storelaw.wreckage import Cut, Torn
from storelaw.wrecks import AFTER, damage, kill, tear

from .wrecked import BY_NAME, LAWS, RAISED, A, B, named, sight

LIARS = (tears_liars, kills_liars)
SUBJECTS = [each for each in liars() if each.medium.__module__ in {m.__name__ for m in LIARS}]
RIGHT: list[type[Medium]] = [
    LengthPrefixed,
    LineForEachEntry,
    WritesLater,
    JsonlMedium,
    IdempotentJsonlMedium,
    IdempotentSqliteMedium,
    LogJsonlMedium,
]


@pytest.mark.slow
@pytest.mark.parametrize("liar", SUBJECTS, ids=[each.name for each in SUBJECTS])
def test_a_liar_is_caught_each_time(liar: Liar) -> None:
    """A program that catches a liar does so whenever it is played: a crash hangs on no timing."""
    law, medium = BY_NAME[liar.breaks], liar.medium
    caught = next(each for each in law.battery(medium.manifest) if breaks(law, medium, [each]))

    assert all(breaks(law, medium, [caught]) for _ in range(3))


@pytest.mark.slow
@pytest.mark.parametrize("medium", RIGHT, ids=[each.__name__ for each in RIGHT])
def test_no_law_accuses_a_store_that_is_right(medium: type[Medium]) -> None:
    """Every law is held on it, or says why it does not apply."""
    verdicts = [hold(each, medium, "battery") for each in LAWS]

    assert [each for each in verdicts if each.outcome == "broken" or each.fault] == []


@pytest.mark.slow
def test_every_law_is_held_by_the_honest_store() -> None:
    """It is right too, and no law of the families is out of its reach."""
    held = [hold(law, FileHonest, "battery") for law in LAWS]
    assert {each.outcome for each in held} == {"held"}


def test_the_evidence_is_counted() -> None:
    """Cuts that were tried and possible; kills, and those inside an operation."""
    torn = hold(BY_NAME["a_torn_entry_is_absent_or_whole"], FileHonest, "battery")
    assert torn.evidence.seen["cuts possible"] > torn.evidence.seen["cuts tried"] > 100
    killed = hold(BY_NAME["a_killed_store_opens_again"], FileHonest, "battery").evidence.seen
    assert killed["kills"] == 19
    assert killed["kills inside an operation"] >= 12


def test_wrecks_are_told_in_a_line_each() -> None:
    """What was done when it came, and what was appended after it."""
    deaths = [kill("s", deed) for deed in ("append", "create", "fork")]
    steps = program(tear("s", A, then=B), tear("s"), *deaths, damage("s", 1, "junk"))
    told = text(Failure("law", "It holds.", "files", steps, [A], [], "it must.", None))
    lines = [each.split("  #")[0].strip() for each in told.splitlines()]

    assert lines[3:9] == [
        'torn: store.append("s", [a]); then store.append("s", [b])',
        'torn: store.create("s"); then store.append("s", [c])',
        "killed: a process that appends batches; then append [c]",
        "killed: a process that creates sessions; then append [c]",
        'killed: a process that forks "s"; then append [c]',
        'medium.damage("s", 1, "junk")',
    ]


# ------------------------------------------------------------ who is judged


def outcome(law: str, **claims: Any) -> tuple[str, str]:
    """The verdict on the honest store under other claims, and its reason."""

    class Claiming(FileHonest):
        """Says something else."""

        manifest = replace(MANIFEST, **claims)

    verdict = hold(BY_NAME[law], Claiming, "battery")
    return verdict.outcome, verdict.reason


def test_a_promise_opens_its_laws() -> None:
    """Nothing promised, nothing asked; a store that forgets is not asked either."""
    survive = "acknowledged_entries_survive_a_torn_append"
    batch = "a_torn_batch_is_absent_or_whole"
    assert outcome(survive, crash="none") == (
        "not applicable",
        "manifest field crash is 'none'",
    )
    assert outcome(survive, keep=40) == ("not applicable", "manifest field keep is 40")
    assert outcome(survive, crash="prefix-safe")[0] == "held"
    assert outcome(batch, crash="batch-atomic", batch="prefix")[0] == "held"
    assert outcome(batch, batch="prefix") == (
        "not applicable",
        "manifest field crash is 'acknowledged', batch is 'prefix'",
    )


def test_an_entry_that_is_not_shown_without_its_end_need_not_stay() -> None:
    """The law is about stores that show it; one without line feeds writes nothing of the kind."""
    law = BY_NAME["an_entry_without_its_line_feed_stays"]

    class Cautious(FileHonest):
        """Takes nothing that has no end."""

        class store(FileStore):
            def _batches(self, path: Any, lines: list[bytes]) -> Any:
                return super()._batches(path, [*lines[:-1], b""])

            def mended(self, path: Any, tail: bytes) -> bytes:
                self.decoded = self._none  # type: ignore[method-assign]
                return super().mended(path, tail)

            def _none(self, line: bytes) -> list[Entry]:
                raise ValueError

    verdicts = [hold(law, each, "battery") for each in (Cautious, LengthPrefixed)]
    assert [(each.outcome, each.reason) for each in verdicts] == [
        ("not applicable", "no entry is read whose line lacks its line feed"),
        ("not applicable", "the store writes nothing of the kind that is to be torn"),
    ]


# ------------------------------------------------------------- single judges


def torn(event: Event) -> Trace:
    """The trace of one torn write."""
    return Trace(MANIFEST, (event,))


@pytest.mark.parametrize(
    ("trace", "reason", "applicable"),
    [
        (Trace(MANIFEST, ()), "nothing was torn", False),
        (
            torn(Event(0, tear("s", B), "raised", error="unknown", text="OSError: no")),
            "the write that was to be torn raised OSError: no",
            True,
        ),
        (
            torn(Event(0, tear("s", B), "raised", error="Rejected", text="Rejected: no")),
            "the write that was to be torn raised Rejected: no",
            False,
        ),
        (
            torn(Event(0, tear("s", B), value=Torn(sight(A), sight(A, B), (), 0, 0))),
            "the write added nothing to the files that files() gives",
            True,
        ),
    ],
)
def test_a_torn_write_that_shows_nothing_is_no_evidence(
    trace: Trace, reason: str, applicable: bool
) -> None:
    """The reason says what was missing."""
    law = named("acknowledged_entries_survive_a_torn_append")
    with pytest.raises(Unseen) as caught:
        law.judge(trace)
    assert (caught.value.reason, caught.value.applicable) == (reason, applicable)


def test_a_store_may_be_right_with_either_state_of_its_other_files() -> None:
    """A cut counts only if it is wrong whichever of them a crash has left."""
    good = Cut("f", 1, 2, seen=sight(A), then=sight(A, AFTER))
    wrong = replace(good, seen=RAISED, others="old")
    law = named("acknowledged_entries_survive_a_torn_append")
    for cuts, holds in (((good, wrong), True), ((wrong,), False)):
        value = Torn(sight(A), sight(A, B), cuts, 1, 1)
        trace = torn(Event(0, tear("s", B), value=value, passed=(B,)))
        if holds:
            assert law.judge(trace) == {"cuts tried": 1, "cuts possible": 1}
        else:
            with pytest.raises(Broken) as caught:
                law.judge(trace)
            assert caught.value.picture == (
                "f: 1 of 2 bytes; the other files as before\n"
                "tail    \n"
                'load    raises "OSError: no"\n'
                "append  passes\n"
                "load    2 entries"
            )


def test_an_append_that_raises_behind_a_tear_is_told() -> None:
    """With its words, in place of a log."""
    cut = Cut("f", 1, 2, left=b"x" * 50, seen=sight(A), written=RAISED, then=sight(A))
    event = Event(0, tear("s", B), value=Torn(sight(A), sight(A, B), (cut,), 1, 1), passed=(B,))
    with pytest.raises(Broken) as caught:
        named("an_append_behind_a_torn_tail_is_kept").judge(torn(event))
    assert (caught.value.expected, caught.value.observed) == (
        [A, AFTER],
        "the append raised OSError: no",
    )
    assert caught.value.picture.splitlines()[1] == f"tail    ... {'x' * 48}"
    made = caught.value.drawing
    assert storelaw_schemas.problems("harness/drawing", made) == ()
    assert made is not None
    assert (made["kind"], made["left"]) == ("bytes", (b"x" * 48).hex())


def test_entries_without_ids_of_the_callers_are_compared_without_them() -> None:
    """A store that gives the ids is asked for the rest."""
    manifest = replace(MANIFEST, options={**MANIFEST.options, "ids": "minted"})
    compares = remains.Remains(Trace(manifest, ()))
    assert compares.same([A], [{**A, "id": "other"}])
    assert not compares.same([A], [B])
    strict = remains.Remains(Trace(MANIFEST, ()))
    assert not strict.same([A], [{**A, "id": "other"}])


def test_an_entry_is_told_by_the_first_word_of_its_text() -> None:
    """Or by its JSON, where it has none."""
    odd: list[Any] = [1, {}, {"message": {}}, {"message": {"content": [{}]}}]
    assert remains.tags([A, *odd]) == [
        "1",
        "1",
        "{}",
        '{"message": {}}',
        '{"message": {"content": [{}]}}',
    ]


def test_damage_that_can_t_be_done_is_no_evidence() -> None:
    """The medium's power raised; and a session that is said to be unknown is hidden damage."""
    law = named("damage_before_the_tail_is_reported")
    step = damage("s", 0, "cut")
    with pytest.raises(Unseen, match=r"the medium's damage\(\) raised OSError: no"):
        law.judge(torn(Event(0, step, "raised", text="OSError: no")))
    lost = Event(1, load("s"), "raised", error="SessionNotFound")
    with pytest.raises(Broken) as caught:
        law.judge(Trace(MANIFEST, (Event(0, step), lost)))
    assert caught.value.observed == "there is no such session"


def test_the_honest_store_on_files_refuses_what_it_must(tmp_path: Any) -> None:
    """What is no JSON, a conflict, a taken id, an unknown entry, and work after close."""
    medium = FileHonest(tmp_path)
    store = medium.open()
    store.create("s", "p")
    assert store.record("s") == {"id": "s", "parent": "p"}
    store.append("s", [A])
    store.append("s", [A, {"type": "x"}])
    assert store.load("s") == [A, {"type": "x"}]
    refusals: list[list[Any]] = [[object()], [{**A, "type": "other"}]]
    for refused in refusals:
        with pytest.raises((Rejected, EntryConflict)):
            store.append("s", refused)
    with pytest.raises(SessionExists):
        store.create("s")
    with pytest.raises(Rejected):
        store.fork("s", "t", at="unknown")
    assert store.fork("s", "t", at="1") == "t"
    assert store.load("t") == [A]
    assert sorted(store.list_sessions()) == ["s", "t"]
    store.close()
    with pytest.raises(ValueError, match="the store is closed"):
        store.load("s")


def test_a_store_of_records_lists_its_sessions(tmp_path: Any) -> None:
    """By the records at the begin of its files."""
    store = LengthPrefixed(tmp_path).open()
    store.create("s")
    assert store.list_sessions() == ["s"]
