"""The isolation family: its laws hold where they should, and its liars do no more than lie."""

from typing import Any

import pytest

from storelaw.clauses import Law, Seen, registered
from storelaw.errors import Rejected
from storelaw.failures import Broken
from storelaw.families import aliasing, handles, isolation, keys, reach
from storelaw.liars import Liar, liars
from storelaw.liars import aliasing as aliasing_liars
from storelaw.liars import handles as handle_liars
from storelaw.liars import isolation as isolation_liars
from storelaw.liars import keys as key_liars
from storelaw.liars import reach as reach_liars
from storelaw.liars.honest import MANIFEST, HonestExplicit, HonestMedium, HonestStore, claiming
from storelaw.liars.keys import KeyedStore, keyed
from storelaw.manifest import Manifest
from storelaw.media.reference import IdempotentReferenceMedium, ReferenceMedium
from storelaw.medium import Medium
from storelaw.model.owners import judge_apart, looked, losses, same_entry, under
from storelaw.player import play
from storelaw.program import (
    Key,
    Program,
    Step,
    append,
    bad,
    call,
    closed,
    list_sessions,
    load,
    meddle,
    opened,
    program,
    reopened,
)
from storelaw.samples import said
from storelaw.trace import Event, Trace
from storelaw.trial import hold

_FAMILY = {each.__name__ for each in (isolation, reach, keys, aliasing, handles)}
_LIARS = {
    each.__name__
    for each in (isolation_liars, reach_liars, key_liars, aliasing_liars, handle_liars)
}
LAWS = [each for each in registered() if each.judge.__module__ in _FAMILY]
LIARS = [each for each in liars() if each.medium.__module__ in _LIARS]


class HonestKeys(HonestMedium):
    """The honest store with keys of three parts, the last of which may be left out."""

    manifest = keyed("honest-keys")

    class store(KeyedStore):
        pass


class HonestProbes(HonestMedium):
    """The honest store with an id that it could give a meaning to."""

    manifest = claiming(MANIFEST, name="honest-probes", probe_ids=("latest", "main"))


class MintedOnly(HonestMedium):
    """The honest store, which says that ids are its own."""

    manifest = claiming(MANIFEST, name="minted", options={"ids": "minted"})


MEDIA = (
    HonestMedium,
    HonestExplicit,
    HonestKeys,
    HonestProbes,
    ReferenceMedium,
    IdempotentReferenceMedium,
)


def named(name: str) -> Law:
    """The law of a name."""
    return next(each for each in LAWS if each.name == name)


def judged(name: str, played: Program, medium: type[Medium] = HonestMedium) -> str | Seen | None:
    """The note of a law on a run."""
    return named(name).judge(play(played, medium))


def traced(*events: tuple[Step, str, Any], manifest: Manifest = MANIFEST) -> Trace:
    """A trace of steps with their outcomes and answers; what raised has no identity."""
    made = [
        Event(
            index,
            step,
            "raised" if outcome == "raised" else "skipped" if outcome == "skipped" else "ok",
            value=value,
            error="unknown" if outcome == "raised" else None,
            passed=tuple(step.expanded()),
            given=step.expanded(),
        )
        for index, (step, outcome, value) in enumerate(events)
    ]
    return Trace(manifest, tuple(made))


@pytest.mark.parametrize("medium", MEDIA, ids=lambda each: each.manifest.name)
def test_the_laws_hold_on_stores_that_are_right(medium: type[Medium]) -> None:
    """No law of the family accuses an honest store, by battery or by generation."""
    for each in LAWS:
        verdict = hold(each, medium, "quick")
        assert verdict.outcome in ("held", "not applicable"), each.name


def test_every_law_is_held_somewhere() -> None:
    """The honest stores of this module open every law of the family."""
    for law in LAWS:
        assert any(hold(law, each, "battery").outcome == "held" for each in MEDIA), law.name


@pytest.mark.parametrize("liar", LIARS, ids=lambda each: each.name)
def test_a_liar_can_be_driven_by_its_whole_battery(liar: Liar) -> None:
    """A liar lies, and does not fall over: each program of its law runs to its end."""
    battery = list(named(liar.breaks).battery(liar.medium.manifest))
    for each in battery:
        assert len(play(each, liar.medium).events) == len(each)


@pytest.mark.parametrize(
    "honest",
    [isolation_liars.Keyed, isolation_liars.Matched, reach_liars.Reaching, handle_liars.Collated],
    ids=lambda each: each.__name__,
)
def test_what_liars_vary_is_honest(honest: type[HonestStore]) -> None:
    """The stores of which liars change one method hold every law as they are."""

    class Honest(HonestMedium):
        store = honest

    for each in LAWS:
        assert hold(each, Honest, "battery").outcome in ("held", "not applicable"), each.name


def test_a_collation_leaves_real_retries_alone() -> None:
    """An entry that is sent again is stored once, by the honest base of the collating liars."""

    class Honest(HonestMedium):
        store = handle_liars.Collated

    trace = play(program(append("s", said("1")), append("s", said("1")), load("s")), Honest)
    assert trace.events[-1].value == [said("1")]


# ------------------------------------------------------------------- belonging


def test_entries_are_told_apart_by_id_or_by_payload() -> None:
    """An id decides where it is the caller's; the payload where the store mints ids."""
    callers, minted = traced(), traced(manifest=MintedOnly.manifest)
    one, renamed = said("1", "hello"), said("9", "hello")
    assert same_entry(callers, one, said("1", "other"))
    assert not same_entry(callers, one, renamed)
    assert same_entry(minted, one, renamed)
    assert not same_entry(callers, {"type": "custom"}, {"type": "custom"})
    assert not same_entry(callers, one, "no object")
    assert not same_entry(callers, None, one)


@pytest.mark.parametrize(
    ("key", "parent", "lies"),
    [
        ("s", "s", True),
        ("s1", "s", False),
        (("p", "s"), ("p",), True),
        (("p1", "s"), ("p",), False),
        (("s",), "s", False),
    ],
)
def test_a_key_lies_under_its_leading_parts(key: Key, parent: Key, lies: bool) -> None:
    """Whole parts count, not the beginning of a text."""
    assert under(key, parent) is lies


def test_a_look_is_an_unfiltered_load() -> None:
    """No session is nothing; other steps, filtered loads and other errors are no look."""
    missing = Event(0, load("s"), "raised", error="SessionNotFound")
    assert looked(missing) == []
    assert looked(Event(0, load("s"), "raised", error="unknown")) is None
    assert looked(Event(0, load("s", last=1), value=[])) is None
    assert looked(Event(0, load("s"), "skipped")) is None
    assert looked(Event(0, append("s"), value=None)) is None
    assert looked(Event(0, load("s"), value=None)) == []


def test_a_refused_id_is_a_note() -> None:
    """An id that is refused breaks nothing; the law says that it saw it."""
    trace = traced(
        (append("S", said("1")), "raised", None),
        (load("S"), "ok", []),
        (load("s"), "skipped", None),
    )
    assert judge_apart(trace, "because") == "an id of the family was refused"


def test_an_accepted_session_that_cannot_be_read_is_lost() -> None:
    """A load that raises after an accepted append breaks the law, whatever it raises."""
    trace = traced((append("s", said("1")), "ok", None), (load("s"), "raised", None))
    with pytest.raises(Broken, match="can be read under the same id"):
        judge_apart(trace, "because")


def test_the_entries_of_a_parent_belong_to_its_fork() -> None:
    """A fork shows what its parent held without leaking it."""
    forked = program(append("s", said("1")), call("fork", "s", new="t"), load("t"))
    assert judge_apart(play(forked, HonestMedium), "because") is None


def test_what_was_taken_is_no_loss() -> None:
    """A loss is what is missing although nothing was taken from the session."""
    steps = (append("s", said("1"), said("2")), load("s"))
    taken = program(*steps, call("pop", "s"), load("s"), call("clear", "s"), load("s"))
    assert list(losses(play(taken, HonestMedium))) == []
    lost = traced((load("s"), "ok", [said("1")]), (load("s"), "ok", []))
    assert [each.before for each in losses(lost)] == [[said("1")]]


def test_what_a_limit_pruned_is_no_loss() -> None:
    """Where a store keeps so much, an append may take from its own session."""
    events: tuple[tuple[Step, str, Any], ...] = (
        (load("s"), "ok", [said("1")]),
        (append("s", said("2")), "ok", None),
        (load("s"), "ok", [said("2")]),
    )
    assert list(losses(traced(*events, manifest=claiming(name="keeps", keep=1)))) == []
    assert len(list(losses(traced(*events)))) == 1


# ----------------------------------------------------------------------- ids


def test_an_id_that_is_not_plainly_legal_may_be_refused() -> None:
    """Only the plainly legal ids must be accepted."""
    name = "legal_session_ids_are_accepted"
    refused = traced((append("a/b", said("1")), "raised", None), (load("a/b"), "ok", []))
    assert named(name).judge(refused) is None


def test_long_ids_are_left_out_where_a_limit_is_declared() -> None:
    """The families and the legal ids end at the manifest's limit."""
    short = claiming(name="short", max_id=20)
    assert isolation.fits("tails")(short) == "ids end at 20 characters"
    battery = named("legal_session_ids_are_accepted").battery(short)
    assert all(len(each.steps[0].session) <= 20 for each in battery)


def test_ids_relate_when_one_begins_the_other() -> None:
    """Folded ids, cut ids and slugs relate; other ids and keys don't."""
    assert isolation.related("Tenant", "tenant")
    assert isolation.related("a/b", "a-b")
    assert not isolation.related("s", "t")
    assert not isolation.related("s", ("p", "s"))
    assert not isolation.related(("p", "s"), "s")


def test_a_listing_may_leave_out_what_was_emptied() -> None:
    """Only sessions that still show something must be listed."""
    trace = traced(
        (append("S", said("1")), "ok", None),
        (load("S"), "ok", [said("1")]),
        (call("delete", "S"), "ok", None),
        (list_sessions(), "ok", ["s"]),
    )
    assert named("listing_names_related_sessions_apart").judge(trace) is None


def test_a_folder_inside_the_directory_is_left_by_two_levels() -> None:
    """A store that keeps its files in a folder is found out by the ids that climb twice."""
    law = named("session_ids_never_reach_outside_the_directory")
    found = [
        each.steps[1].session
        for each in law.battery(MANIFEST)
        if play(each, isolation_liars.JoinsPathsInAFolder).outside
    ]
    assert found == ["../../x"]


def test_a_file_outside_is_shown_without_a_step_to_blame() -> None:
    """Whatever lies outside breaks the law, also where no id climbs."""
    trace = Trace(MANIFEST, (Event(0, load("s"), value=[]),), outside=("x",))
    with pytest.raises(Broken) as caught:
        named("session_ids_never_reach_outside_the_directory").judge(trace)
    assert caught.value.event is None


# ---------------------------------------------------------------------- keys


def test_laws_of_keys_need_parts() -> None:
    """Without parts, or without optional parts, the laws of keys say why they don't apply."""
    assert keys.parts(2)(MANIFEST) == "keys have no parts"
    single = claiming(name="single", key_parts=("session",))
    assert keys.parts(2)(single) == "keys have 1 parts"
    assert keys.optional(single) == "no part of a key may be left out"
    applies = named("listing_under_a_prefix_is_exact").applies
    assert applies is not None
    assert applies(single) == "keys have no leading parts"


def test_what_is_written_after_a_delete_may_be_read() -> None:
    """A child that is written anew lives, though its parent was deleted before."""
    parent, child = ("p", "s"), ("p", "s", "c")
    again = program(
        append(child, said("1")), call("delete", parent), append(child, said("2")), load(child)
    )
    name = "deleting_a_key_takes_what_lies_under_it"
    assert judged(name, again, HonestKeys) is None


@pytest.mark.parametrize(
    "name",
    ["deleting_a_key_leaves_what_shares_its_beginning", "deleting_a_session_is_no_pattern"],
)
def test_losses_without_a_delete_are_not_judged_here(name: str) -> None:
    """What a store loses by itself, or in part, is another law's matter."""
    whole, part = [said("1"), said("2")], [said("1")]
    assert named(name).judge(traced((load("s"), "ok", whole), (load("s"), "ok", []))) is None
    deleted = (call("delete", "t"), "ok", None)
    assert (
        named(name).judge(traced((load("s"), "ok", whole), deleted, (load("s"), "ok", part)))
        is None
    )


def test_a_listing_of_plain_ids_is_under_no_prefix() -> None:
    """A store that lists texts where keys have parts breaks the law, and nothing crashes."""
    trace = traced((list_sessions(prefix=("p1",)), "ok", ["s", ["p1", "s"]]))
    with pytest.raises(Broken) as caught:
        named("listing_under_a_prefix_is_exact").judge(trace)
    assert caught.value.observed == [["s"], ["p1", "s"]]


# ------------------------------------------------------------------- aliasing


def test_meddling_with_the_other_side_is_not_judged() -> None:
    """Each law of aliasing looks at one side: appended or loaded."""
    both = program(
        append("s", said("1")), load("s"), meddle("appended"), meddle("loaded"), load("s")
    )
    for liar, name in (
        (aliasing_liars.KeepsWhatItIsGiven, "changing_a_loaded_entry_changes_nothing_stored"),
        (aliasing_liars.GivesNestedValues, "changing_an_appended_entry_changes_nothing_stored"),
    ):
        assert judged(name, both, liar) is None
    assert judged("append_leaves_the_callers_entries_alone", both) is None


def test_a_held_list_is_judged_once_and_only_where_it_is_a_list() -> None:
    """Without a load before, or with an answer that is no list, there is nothing to compare."""
    name = "a_loaded_list_does_not_change_afterwards"
    held, nothing = [said("1")], None
    changed: tuple[Step, str, list[Any]] = (meddle("loaded"), "ok", [])
    assert named(name).judge(traced(changed)) is None
    assert named(name).judge(traced((load("s"), "ok", nothing), (changed[0], "ok", None))) is None
    assert (
        named(name).judge(traced((load("s"), "ok", held), (changed[0], "ok", held), changed))
        is None
    )
    assert (
        named(name).judge(traced((load("s"), "ok", held), (meddle("appended"), "ok", []))) is None
    )


def test_entries_that_are_no_json_are_not_compared() -> None:
    """What can't be compared after an append is left alone."""
    refused = program(append("s", bad(said("1"))), load("s"))
    assert judged("append_leaves_the_callers_entries_alone", refused) is None


def test_renamed_entries_are_compared_under_the_stores_names() -> None:
    """The caller's entries are compared as the store got them."""

    class Renamed(HonestMedium):
        manifest = claiming(name="renamed", entry_id="uuid", fields={"created_at": "at"})

    class Nameless(HonestMedium):
        manifest = claiming(name="nameless", entry_id=None)

    name = "append_leaves_the_callers_entries_alone"
    for medium in (Renamed, Nameless):
        assert judged(name, program(append("s", said("1")), load("s")), medium) is None


# -------------------------------------------------------------------- handles


def test_one_handle_at_a_time_leaves_these_laws_out() -> None:
    """A medium of one handle can't be asked about two."""
    assert handles.two_handles(claiming(name="one", handles=1)) == "one handle at a time"


def test_what_was_written_since_need_not_be_seen() -> None:
    """After a write only what the first handle showed since must be shown by the other."""
    trace = traced(
        (load("s"), "ok", [said("1")]),
        (call("pop", "s"), "ok", None),
        (load("s", on=1), "ok", []),
    )
    assert named("handles_see_each_others_entries").judge(trace) is None


def test_a_handle_that_is_opened_again_is_not_closed() -> None:
    """Errors on a closed handle, errors by name, and a new handle accuse nobody."""
    name = "closing_one_handle_leaves_the_others_working"
    again = program(
        closed(0), append("s", said("1")), reopened(0), append("s", said("2")), load("s")
    )
    assert judged(name, again) is None
    assert judged(name, program(opened(1), closed(1), load("s")), HonestExplicit) is None


def test_an_undeclared_scope_may_refuse() -> None:
    """Where the scope of ids is undeclared, a loud refusal is a note."""

    class Undeclared(HonestMedium):
        manifest = claiming(name="undeclared", options={"id_scope": None})

        class store(HonestStore):
            def append(self, session: Any, entries: list[Any]) -> None:
                if session == "t":
                    raise Rejected("known")
                super().append(session, entries)

    name = "an_entry_id_belongs_to_its_session"
    shared = program(append("s", said("1")), append("t", said("1")), load("s"))
    assert judged(name, shared, Undeclared) == "saw an entry id of another session refused"
    law = named(name)
    assert law.applies is not None
    assert law.applies(claiming(name="store", options={"id_scope": "store"}))


def test_a_refused_entry_id_is_a_note() -> None:
    """An entry with a hostile id may be refused."""
    trace = traced((append("s", said("e ")), "raised", None), (load("s"), "ok", []))
    assert named("related_entry_ids_are_different_entries").judge(trace) == "refused"
