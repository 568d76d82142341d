"""The laws of idempotency: none accuses a store that is right."""

from dataclasses import replace

import pytest

from storelaw.clauses import Law, registered
from storelaw.errors import Rejected
from storelaw.families import idempotency, payloads
from storelaw.liars import reappends
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
from storelaw.model.retries import Explanation
from storelaw.player import play
from storelaw.program import append, program
from storelaw.samples import said
from storelaw.trial import hold
from storelaw.values import Entry

MODULES = (idempotency, payloads)
LAWS = [each for each in registered() if each.judge.__module__ in {m.__name__ for m in MODULES}]
BY_NAME = {each.name: each for each in LAWS}
RIGHT: list[type[Medium]] = [
    ReferenceMedium,
    IdempotentReferenceMedium,
    HonestMedium,
    HonestExplicit,
    FailingHonestMedium,
    PrefixHonestMedium,
    reappends.FirstWins,
    reappends.LastWins,
    reappends.Rejects,
    reappends.Duplicates,
    reappends.Undeclared,
    reappends.UndeclaredDuplicates,
    reappends.UndeclaredUnique,
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


class Stamps(HonestMedium):
    """Changes what it stores."""

    class store(HonestStore):
        """Stamps each entry anew."""

        def kept(self, entry: Entry) -> Entry:
            return {**super().kept(entry), "created_at": "1970-01-01T00:00:00Z"}


class Silent(HonestExplicit):
    """Declares no option, promises nothing, and has one handle at once."""

    manifest = claiming(
        EXPLICIT,
        name="silent",
        durable=False,
        handles=1,
        batch="one",
        equality="json",
        options=dict.fromkeys(OPTIONS),
    )


class OneTable(HonestMedium):
    """Knows ids across sessions, as it says."""

    manifest = claiming(MANIFEST, name="one-table", options={"id_scope": "store"})

    class store(HonestStore):
        """Looks ids up everywhere."""

        def twin(self, entries: list[Entry], entry: Entry) -> Entry | None:
            stored = [each for log in self.data.logs.values() for each in log.entries]
            return super().twin([*stored, *entries], entry)


class SilentTable(OneTable):
    """Merges ids across sessions and payloads, and says nothing."""

    manifest = claiming(MANIFEST, name="silent-table", options={"id_scope": None})

    class store(OneTable.store):
        """Ignores what it knows."""

        def repeated(self, log: Log, twin: Entry, entry: Entry) -> None:
            """Nothing is said."""


class Minted(HonestMedium):
    """Gives the ids itself."""

    manifest = claiming(MANIFEST, name="minted", options={"ids": "minted"})


class Nameless(HonestMedium):
    """Knows no ids of entries."""

    manifest = claiming(MANIFEST, name="nameless", entry_id=None)


class Keeps(HonestMedium):
    """Keeps a few entries."""

    manifest = claiming(MANIFEST, name="keeps", keep=4, options={"ids": "caller"})


class RefusesUnnamed(HonestMedium):
    """Refuses an entry without an id."""

    class store(HonestStore):
        """Wants ids."""

        def taken(self, entries: list[Entry]) -> list[Entry]:
            if any("id" not in each for each in entries):
                raise Rejected("an entry has no id")
            return entries


@pytest.mark.parametrize(
    "medium", [Silent, Stamps, OneTable, Minted, Nameless, Keeps, RefusesUnnamed]
)
def test_no_law_accuses_a_store_of_another_kind(medium: type[Medium]) -> None:
    """What is not declared, or belongs to another family, is not this family's."""
    verdicts = [hold(each, medium, "battery") for each in LAWS]

    assert [each.law for each in verdicts if each.outcome == "broken" or each.fault] == []


@pytest.mark.parametrize("law", [each for each in LAWS if each.programs])
def test_generated_programs_accuse_no_right_store(law: Law) -> None:
    """A quick run of a generated law on stores of each kind holds."""
    for medium in (HonestMedium, HonestExplicit, Silent, reappends.Rejects):
        assert hold(law, medium, "quick").outcome == "held"


def test_ids_that_are_merged_across_sessions_are_left_to_isolation() -> None:
    """The retry law says nothing where another session's ids were refused or merged."""
    name = "a_retry_is_looked_up_in_its_own_session"

    assert "refused in another" in hold(BY_NAME[name], OneTable, "battery").notes[0]
    assert "missing in another" in hold(BY_NAME[name], SilentTable, "battery").notes[0]


def test_a_rule_is_told_in_words() -> None:
    """What each rule wants of an append that ended otherwise."""
    a, other = said("1"), said("1", "other")
    refused = program(append("s", a), append("s", other))
    trace = play(refused, HonestMedium)
    passed = play(refused, reappends.Duplicates)

    for rule in ("duplicate", "first-wins", "last-wins"):
        found = Explanation(trace, rule).contradiction()
        assert found is not None
        assert found.expected == "the append passes"
    found = Explanation(passed, "reject").contradiction()
    assert found is not None
    assert found.expected == "the append is refused (reappend: reject)"


def test_an_error_of_another_identity_is_no_conflict() -> None:
    """Under a declared idempotent-or-conflict another payload raises EntryConflict."""
    trace = play(program(append("s", said("1")), append("s", said("1", "b"))), reappends.Rejects)
    strict = replace(trace, manifest=MANIFEST)

    assert Explanation(strict, "idempotent-or-conflict").contradiction() is not None


def test_a_missing_session_is_no_matter_of_retries() -> None:
    """An append to a session that was not created tells nothing of ids."""
    trace = play(program(append("s", said("1")), append("s", said("1"))), HonestExplicit)

    assert Explanation(trace, "reject").contradiction() is None


def test_what_a_store_declares_equal_is_no_near_equal_payload() -> None:
    """Pairs that a declared loss makes one are left out of the battery."""
    battery = BY_NAME["near_equal_payloads_are_other_payloads"].battery

    assert len(list(battery(claiming(MANIFEST, equality="json")))) < len(list(battery(MANIFEST)))
