"""The window family: its laws hold where they should, and its liars do no more than lie."""

from typing import Any

import pytest

from storelaw.clauses import Law, Seen, registered
from storelaw.failures import Broken
from storelaw.families import retention, slices, window
from storelaw.liars import Liar, liars
from storelaw.liars import retention as retention_liars
from storelaw.liars import slices as slice_liars
from storelaw.liars import window as window_liars
from storelaw.liars.honest import MANIFEST, HonestExplicit, HonestMedium, claiming
from storelaw.liars.retention import KeepingStore, keeping
from storelaw.manifest import Manifest
from storelaw.medium import Medium
from storelaw.model.retention import role, units
from storelaw.model.windows import identity, instant, windows
from storelaw.player import play
from storelaw.program import Program, Step, append, call, list_sessions, load, program
from storelaw.samples import said
from storelaw.strategies.windows import filters_of, hour, hourly, pairs, usable
from storelaw.trace import Event, Trace
from storelaw.trial import hold
from storelaw.values import Entry

_FAMILY = {each.__name__ for each in (window, slices, retention)}
_LIARS = {each.__name__ for each in (window_liars, slice_liars, retention_liars)}
LAWS = [each for each in registered() if each.judge.__module__ in _FAMILY]
LIARS = [each for each in liars() if each.medium.__module__ in _LIARS]


class KeepsThree(HonestMedium):
    """The honest store that keeps the newest three entries."""

    manifest = keeping("keeps-three")

    class store(KeepingStore):
        pass


class KeepsThreePairs(HonestMedium):
    """The honest store that keeps the newest three pairs."""

    manifest = keeping("keeps-three-pairs", "pairs")

    class store(KeepingStore):
        pass


class KeepsThreeTurns(HonestMedium):
    """The honest store that keeps the newest three turns."""

    manifest = keeping("keeps-three-turns", "turns")

    class store(KeepingStore):
        pass


class OnlyLast(HonestMedium):
    """The honest store with one filter."""

    manifest = claiming(name="only-last", filters=frozenset({"last"}))


MEDIA = (HonestMedium, HonestExplicit, KeepsThree, KeepsThreePairs, KeepsThreeTurns, OnlyLast)


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
        )
        for index, (step, outcome, value) in enumerate(events)
    ]
    return Trace(manifest, tuple(made))


def slices_of(full: list[Any], **filters: Any) -> list[list[Any]] | None:
    """What a filtered read beside a full one may give."""
    trace = traced((load("s"), "ok", full), (load("s", **filters), "ok", []))
    return next(windows(trace)).slices()


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


# ---------------------------------------------------------------------- model


def test_the_slices_of_a_log() -> None:
    """Bounds are exclusive, counts come last, and more than there is gives all there is."""
    log = hourly(5)
    assert slices_of(log, last=2) == [log[3:]]
    assert slices_of(log, last=9) == [log]
    assert slices_of(log, first=2) == [log[:2]]
    assert slices_of(log, after="e2") == [log[2:]]
    assert slices_of(log, before="e2") == [log[:1]]
    assert slices_of(log, after="e1", before="e5", last=2) == [log[2:4]]
    assert slices_of(log, since=hour(3)) == [log[2:], log[3:]]
    assert slices_of(log, since="2026-01-01T03:30:00+02:00", first=1) == [log[1:2]]


@pytest.mark.parametrize(
    "filters",
    [{"last": -1}, {"last": "2"}, {"last": 1, "first": 1}, {"after": "never"}, {"since": "soon"}],
)
def test_filters_that_say_nothing_have_no_slice(filters: dict[str, Any]) -> None:
    """Negative counts, two counts, unknown bounds and times that are none judge nothing."""
    assert slices_of(hourly(3), **filters) is None


def test_entries_without_a_time_have_no_slice_by_time() -> None:
    """A log whose time stamps can't be read is not judged by them."""
    assert slices_of([{"id": "1"}], since=hour(1)) is None
    assert slices_of(["no entry"], since=hour(1)) is None
    assert slices_of([{"id": "1"}], first=1) == [[{"id": "1"}]]


def test_an_instant_is_read_in_any_zone() -> None:
    """Offsets count, a time without one is UTC, and other values are no time."""
    assert instant("2026-01-01T02:00:00+02:00") == instant("2026-01-01T00:00:00")
    assert instant("soon") is None
    assert instant(7) is None


def test_an_identity_is_an_entrys_id() -> None:
    """What is no object has no identity."""
    assert identity({"id": "1"}) == "1"
    assert identity("1") is None


def test_a_window_has_a_full_read_beside_it() -> None:
    """A write between, a full read that failed, or one that changed leaves no window."""
    full, filtered = (load("s"), "ok", [said("1")]), (load("s", last=1), "ok", [said("1")])
    write = (append("s", said("2")), "ok", None)
    assert len(list(windows(traced(full, filtered)))) == 1
    assert len(list(windows(traced(full, filtered, write)))) == 1
    assert len(list(windows(traced(full, filtered, full)))) == 1
    assert len(list(windows(traced(full, (list_sessions(), "ok", ["s"]), filtered)))) == 1
    nothing: list[Any] = []
    other = ((load("t"), "ok", nothing), (load("t", last=1), "ok", nothing))
    changed: tuple[Step, str, list[Any]] = (load("s"), "ok", [])
    assert [e.event.step.session for e in windows(traced(*other, full, filtered, changed))] == ["t"]
    assert list(windows(traced(full, write, filtered))) == []
    assert list(windows(traced((load("s"), "raised", None), filtered))) == []
    assert list(windows(traced((load("s"), "ok", None), filtered))) == []
    assert list(windows(traced(full, (load("s", last=1), "skipped", None)))) == []


def test_no_answer_is_an_empty_window() -> None:
    """A store may answer nothing with ``None``."""
    trace = traced((load("s"), "ok", [said("1")]), (load("s", last=0), "ok", None))
    assert next(windows(trace)).observed == []


# ----------------------------------------------------------------- the judges


def test_a_filtered_read_that_raises_breaks_its_law() -> None:
    """A filter that the manifest names is served."""
    trace = traced((load("s"), "ok", [said("1")]), (load("s", last=1), "raised", None))
    with pytest.raises(Broken) as caught:
        named("the_last_entries_are_the_newest_in_ascending_order").judge(trace)
    assert caught.value.observed == "an error"


def test_a_bound_of_time_may_exclude_its_instant() -> None:
    """Either way at the very instant is right, and noted."""
    log = hourly(2)
    trace = traced((load("s"), "ok", log), (load("s", since=hour(1)), "ok", log[1:]))
    assert named("since_selects_by_the_instant").judge(trace) == "saw since: exclusive"
    since = program(append("s", *log), load("s"), load("s", since=hour(1)), load("s", last=1))
    assert judged("since_selects_by_the_instant", since) == "saw since: inclusive"
    vague = traced((load("s"), "ok", log), (load("s", since="soon"), "ok", log))
    assert named("since_selects_by_the_instant").judge(vague) is None


def test_a_count_of_zero_is_judged_alone() -> None:
    """A zero beside another filter, and another count, are other laws' matters."""
    full, whole = (load("s"), "ok", [said("1")]), [said("1")]
    law = named("a_count_of_zero_gives_nothing")
    assert law.judge(traced(full, (load("s", last=0, after="1"), "ok", whole))) is None
    assert law.judge(traced(full, (load("s", last=1), "ok", []))) is None


@pytest.mark.parametrize("liar", LIARS, ids=lambda each: each.name)
def test_a_liar_can_be_driven_by_its_whole_battery(liar: Liar) -> None:
    """A liar lies, and does not fall over: each program of its law runs to its end."""
    for each in named(liar.breaks).battery(liar.medium.manifest):
        assert len(play(each, liar.medium).events) == len(each)


def test_an_undeclared_negative_count_is_noted() -> None:
    """Nothing, all and an error are right where nothing is declared."""
    undeclared = claiming(options={"negative_count": None})
    full = (load("s"), "ok", [said("1"), said("2")])
    law = named("a_negative_count_does_what_is_declared")
    for outcome, value, seen in (
        ("ok", [], "nothing"),
        ("ok", full[2], "all"),
        ("raised", None, "raise"),
    ):
        trace = traced(full, (load("s", last=-1), outcome, value), manifest=undeclared)
        assert law.judge(trace) == f"saw negative_count: {seen}"


def test_a_declared_negative_count_is_enforced() -> None:
    """Where nothing is promised for a negative count, an error breaks the law."""
    full = (load("s"), "ok", [said("1"), said("2")])
    with pytest.raises(Broken) as caught:
        named("a_negative_count_does_what_is_declared").judge(
            traced(full, (load("s", last=-1), "raised", None))
        )
    assert (caught.value.expected, caught.value.observed) == ("nothing", "an error")


def test_negative_counts_beside_bounds_and_on_nothing_are_not_judged() -> None:
    """The law of negative counts looks at one count on a log that has entries."""
    law = named("a_negative_count_does_what_is_declared")
    full = (load("s"), "ok", [said("1")])
    assert law.judge(traced(full, (load("s", last=-1, after="1"), "raised", None))) is None
    assert law.judge(traced((load("s"), "ok", []), (load("s", last=-1), "raised", None))) is None


def test_an_unknown_bound_may_be_refused() -> None:
    """An error is right, and noted; a known bound is another law's matter."""
    law = named("an_unknown_bound_never_gives_a_part")
    full = (load("s"), "ok", [said("1")])
    refused = traced(full, (load("s", after="never"), "raised", None))
    assert law.judge(refused) == "saw an unknown after: raise"
    assert law.judge(traced(full, (load("s", after="1"), "ok", []))) is None


def test_a_filter_on_nothing_is_compared_with_the_read_beside_it() -> None:
    """Without a full read, on a log with entries, or by an entry that isn't there: no verdict."""
    law = named("a_filter_on_nothing_gives_what_load_gives")
    nothing: tuple[Step, str, list[Any]] = (load("s"), "ok", [])
    raised = (load("s", last=1), "raised", None)
    assert law.judge(traced(raised)) is None
    assert law.judge(traced((load("s"), "ok", [said("1")]), raised)) is None
    assert law.judge(traced(nothing, (load("s", after="e1"), "raised", None))) is None
    assert law.judge(traced((load("s"), "skipped", None), raised)) is None
    assert law.judge(traced(nothing, (call("clear", "s"), "ok", None), raised)) is None
    with pytest.raises(Broken) as caught:
        law.judge(traced((load("s"), "raised", None), (load("s", last=1), "ok", [])))
    assert caught.value.expected == "an error: unknown"


def test_a_write_between_two_reads_may_change_the_log() -> None:
    """Only filtered reads may not change what the next full read gives."""
    law = named("a_filtered_read_changes_nothing")
    full = (load("s"), "ok", [said("1")])
    changed: tuple[Step, str, list[Any]] = (load("s"), "ok", [])
    assert law.judge(traced(full, (call("clear", "s"), "ok", None), changed)) is None
    assert law.judge(traced(full, (load("s"), "raised", None))) is None


# ------------------------------------------------------------- applicability


def test_laws_without_their_filters_do_not_apply() -> None:
    """A manifest that names no filter is outside every law of slices."""
    bare = claiming(filters=frozenset[str]())
    for each in LAWS:
        assert each.applies is not None
        assert each.applies(bare), each.name


def test_stores_that_mint_ids_are_not_asked_for_bounds() -> None:
    """Programs can't name the ids that a store gives."""
    for manifest in (claiming(options={"ids": "minted"}), claiming(entry_id=None)):
        assert usable(manifest, ("after", "before", "last")) == ["last"]
        assert window.callers_ids(manifest) == "ids are the store's"


def test_filters_pair_up() -> None:
    """A bound goes with each other bound and with each count; counts don't go together."""
    assert pairs(claiming(filters=frozenset({"last", "first"}))) == []
    assert pairs(claiming(filters=frozenset({"after", "since", "last"}))) == [
        ("after", "since"),
        ("after", "last"),
        ("since", "last"),
    ]


def test_a_battery_of_two_filters_has_no_triple() -> None:
    """Three bounds are asked for together only where there are three."""
    law = named("several_filters_apply_jointly")
    two = next(iter(law.battery(claiming(filters=frozenset({"after", "last"})))))
    assert [dict(e.args) for e in two.steps if e.args] == [{"after": "e2", "last": 2}]


def test_generated_filters_have_one_count() -> None:
    """Of two counts the first drawn is taken."""
    drawn = [("last", 2), ("first", 3), ("after", 4), ("since", 5)]
    assert filters_of(drawn, 4) == {"last": 2, "after": "e1", "since": hour(5)}


# ------------------------------------------------------------------ retention


def _roles(*roles: str) -> list[Entry]:
    return [said(f"{n}", role=each) for n, each in enumerate(roles)]


def test_logs_come_in_units_of_retention() -> None:
    """A pair is a question and its answer, a turn may have more in between."""
    pair, turn = ("user", "assistant"), ("user", "assistant", "tool_result", "assistant")
    assert units(_roles(*turn), "entries") == [[each] for each in _roles(*turn)]
    found = units(_roles(*pair, *pair), "pairs")
    assert found is not None
    assert [len(each) for each in found] == [2, 2]
    assert units(_roles(*turn), "turns") == [_roles(*turn)]
    for half, unit in (
        (("assistant",), "turns"),
        (("user",), "pairs"),
        (("user", "user"), "turns"),
        (turn, "pairs"),
    ):
        assert units(_roles(*half), unit) is None


def test_a_role_is_a_messages() -> None:
    """Entries without a message, and answers that are no entry, have no role."""
    assert role(said("1", role="user")) == "user"
    assert role({"message": "text"}) == ""
    assert role({"message": {"role": 7}}) == ""
    assert role("text") == ""


def test_halves_and_uncertain_logs_are_not_judged() -> None:
    """Where a log has no whole units, or nobody knows it, retention can't be judged."""
    half = program(append("s", said("1", role="user")), load("s"))
    unsure = traced(
        (append("s", said("1")), "raised", None),
        (load("s"), "ok", []),
        manifest=KeepsThree.manifest,
    )
    assert judged("retention_keeps_exactly_the_newest", half, KeepsThreePairs) is None
    assert named("retention_keeps_exactly_the_newest").judge(unsure) is None
    assert judged("retention_keeps_pairs_and_turns_whole", half, KeepsThreePairs) is None
    assert retention.unit_of("pairs")(KeepsThree.manifest) == "retention counts entries"
