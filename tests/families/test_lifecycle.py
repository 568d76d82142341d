"""The laws of lifecycle: none accuses a store that is right."""

from typing import Any

import pytest

from storelaw.clauses import Law, Seen, registered
from storelaw.families import edits, forks, lifecycle, listing, records, removal
from storelaw.liars import edits as edits_liars
from storelaw.liars import lifecycle as lifecycle_liars
from storelaw.liars import records as records_liars
from storelaw.liars.failing import FailingHonestMedium, PrefixHonestMedium
from storelaw.liars.honest import (
    EXPLICIT,
    MANIFEST,
    OPTIONS,
    HonestExplicit,
    HonestMedium,
    HonestStore,
    Log,
    claiming,
)
from storelaw.media.reference import IdempotentReferenceMedium, ReferenceMedium
from storelaw.medium import Medium
from storelaw.model.lives import wanted
from storelaw.player import play
from storelaw.program import Step, append, call, load, opened, program, reopened
from storelaw.samples import said
from storelaw.trial import hold
from storelaw.values import Entry

MODULES = (lifecycle, records, listing, removal, edits, forks)
LAWS = [each for each in registered() if each.judge.__module__ in {m.__name__ for m in MODULES}]
BY_NAME = {each.name: each for each in LAWS}
RIGHT: list[type[Medium]] = [
    ReferenceMedium,
    IdempotentReferenceMedium,
    HonestMedium,
    HonestExplicit,
    FailingHonestMedium,
    PrefixHonestMedium,
    edits_liars.HonestIndex,
    lifecycle_liars.HonestSingle,
    records_liars.HonestUpdated,
]


@pytest.mark.parametrize("medium", RIGHT, ids=[each.__name__ for each in RIGHT])
def test_no_law_accuses_a_store_that_is_right(medium: type[Medium]) -> None:
    """Every law is held on it, or says why it does not apply."""
    verdicts = [hold(each, medium, "battery") for each in LAWS]

    assert [each for each in verdicts if each.outcome == "broken" or each.fault] == []


def test_every_law_is_held_by_some_store() -> None:
    """No law of the family is out of reach of the right stores."""
    for law in LAWS:
        assert any(hold(law, each, "battery").outcome == "held" for each in RIGHT), law.name


def judged(name: str, medium: type[Medium], *steps: Step) -> str | Seen | None:
    """What a law says of a program on a medium."""
    return BY_NAME[name].judge(play(program(*steps), medium))


class Silent(HonestExplicit):
    """Declares no option, promises nothing, and has one handle at once."""

    manifest = claiming(
        EXPLICIT,
        name="silent",
        durable=False,
        closed_is_final=True,
        handles=1,
        equality="json",
        options=dict.fromkeys(OPTIONS),
    )


class NoneForMissing(HonestMedium):
    """Gives None for a session that it doesn't have, and makes one for an append of nothing."""

    manifest = claiming(
        MANIFEST,
        name="none-for-missing",
        options={"unknown_session": "none", "empty_append": None},
    )

    class store(HonestStore):
        """Answers None."""

        def unknown(self, session: Any) -> Any:
            return None

        def append(self, session: Any, entries: list[Entry]) -> None:
            super().append(session, entries)
            self.data.logs.setdefault(self.key(session), Log())


class Creating(HonestMedium):
    """Declares that an append of nothing creates its session; keeps few entries."""

    manifest = claiming(MANIFEST, name="creating", keep=3, options={"empty_append": "creates"})


class Minted(HonestMedium):
    """Gives the ids itself, or has none."""

    manifest = claiming(MANIFEST, name="minted", options={"ids": "minted"})


class Nameless(HonestMedium):
    """Knows no ids of entries."""

    manifest = claiming(MANIFEST, name="nameless", entry_id=None)


@pytest.mark.parametrize("medium", [Silent, NoneForMissing, Creating, Minted, Nameless])
def test_no_law_accuses_a_store_that_declares_little(medium: type[Medium]) -> None:
    """What is not declared is not enforced."""
    verdicts = [hold(each, medium, "battery") for each in LAWS]

    assert [each.law for each in verdicts if each.outcome == "broken" or each.fault] == []


@pytest.mark.parametrize("law", [each for each in LAWS if each.programs])
def test_generated_programs_accuse_no_right_store(law: Law) -> None:
    """A quick run of a generated law on the honest stores holds."""
    assert hold(law, HonestMedium, "quick").outcome == "held"
    assert hold(law, HonestExplicit, "quick").outcome == "held"


def test_what_an_undeclared_store_does_is_noted() -> None:
    """The notes say which value of an option was seen."""
    assert hold(BY_NAME["an_empty_append_creates_no_session"], NoneForMissing, "battery").notes == (
        "saw empty_append: creates",
    )
    assert hold(BY_NAME["an_unknown_session_is_answered_as_declared"], Silent, "battery").notes == (
        "saw unknown_session: empty",
    )
    verdict = hold(
        BY_NAME["deleting_an_unknown_session_is_answered_as_declared"], Silent, "battery"
    )
    assert verdict.notes


def test_a_record_is_another_one_after_a_delete() -> None:
    """A session that is made again has a record of its own."""
    steps = [call("create", "s"), call("record", "s"), call("delete", "s")]
    again = [call("create", "s", parent="p"), call("record", "s")]

    assert judged("the_record_is_written_once", HonestExplicit, *steps, *again) is None
    assert judged("the_record_is_written_once", Silent, *steps[:2], reopened()) is None


def test_a_delete_ends_what_was_cleared() -> None:
    """After a delete an append to an unknown session may raise."""
    a = said("1")
    steps = [call("create", "s"), append("s", a), call("clear", "s"), call("delete", "s")]

    assert judged("a_cleared_session_stays_usable", HonestExplicit, *steps, append("s", a)) is None


def test_a_load_that_raised_tells_nothing_of_a_pop() -> None:
    """Only a reading can show what came back."""
    name = "an_append_after_a_pop_follows_what_is_left"

    assert judged(name, HonestExplicit, load("s"), call("pop", "s")) is None


def test_the_words_for_an_answer_of_an_unknown_session() -> None:
    """Declared, seen before, or any of the three."""
    assert wanted(HonestMedium.manifest, "empty") == "an empty list"
    assert wanted(Silent.manifest, "none") == "None, as before"
    assert wanted(Silent.manifest, None) == "None or an empty list or SessionNotFound is raised"


def test_a_time_without_a_zone_or_that_is_no_time_is_not_read() -> None:
    """Records of other formats are left alone."""
    manifest = HonestMedium.manifest
    naive = {"created_at": "2026-01-01T00:00:00"}

    assert records.instant_of(naive, manifest, "created_at") is None
    assert records.instant_of({"created_at": 7}, manifest, "created_at") is None
    assert records.instant_of(None, manifest, "created_at") is None


def test_what_a_store_that_is_not_durable_forgets_is_no_disturbance() -> None:
    """A reopen may empty a session whose store promises nothing, and a skipped step does nothing."""
    a = said("1")
    steps = [call("create", "s"), append("s", a), load("s"), append("s"), opened(1), reopened()]

    assert judged("an_empty_append_changes_no_log", Silent, *steps, load("s")) is None
    assert judged("an_empty_append_changes_no_log", HonestExplicit, *steps, load("s")) is None


def test_the_parent_of_a_key_in_parts_is_its_last_part() -> None:
    """A record may name its parent as the whole key."""
    manifest = claiming(MANIFEST, key_parts=("project", "session"))

    assert records.parent_of({"parent": ("p", "s")}, manifest) == "s"
    assert records.parent_of({"parent_id": "s"}, manifest) == "s"
