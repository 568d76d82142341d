"""The laws of the views family: none accuses views that are right."""

from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from storelaw.clauses import Law, registered
from storelaw.failures import Broken
from storelaw.liars import Liar, liars
from storelaw.liars.honest import HonestExplicit, HonestMedium
from storelaw.liars.views import HonestViews
from storelaw.manifest import Manifest
from storelaw.media.reference import ReferenceMedium
from storelaw.medium import Medium
from storelaw.model.projections import model_view, transcript_view
from storelaw.model.sights import MODEL, TRANSCRIPT
from storelaw.paths import chained, summary
from storelaw.program import Key, Step, act, add, run, session, view
from storelaw.samples import assistant, calls, custom, meta, note, result, user
from storelaw.trace import Event, Trace
from storelaw.trial import hold
from storelaw.values import Entry, copied, same

MODULES = (
    "views",
    "transcripts",
    "purity",
    "tolerance",
    "summaries",
    "inputs",
    "session_views",
    "compaction",
    "summarizer",
    "aftermath",
)
for name in MODULES:
    import_module(f"storelaw.families.{name}")
    import_module(f"storelaw.liars.{name}")

OURS = {f"storelaw.families.{name}" for name in MODULES}
LAWS = {each.name: each for each in registered() if each.judge.__module__ in OURS}
LIARS = [each for each in liars() if each.breaks in LAWS]
EMPTY = Manifest(name="bare", doors=frozenset({"store", "views"}))


PATHS: tuple[list[Entry], ...] = (
    [],
    chained(user("u"), note("n"), assistant("a")),
    chained(user("u1"), assistant("a"), user("u2"), summary("C", "u2"), user("u3")),
    chained(user("u1"), summary("C", "u2"), user("u2")),
    chained(user("u1"), summary("C"), user("u2")),
)
VIEWS: dict[str, Callable[[list[Entry]], list[Entry]]] = {
    MODEL: model_view,
    TRANSCRIPT: transcript_view,
}


def _trace(*events: Event, **sessions: str) -> Trace:
    return Trace(EMPTY, events, {}, sessions)


def _seen(which: str, path: list[Any], value: Any, **more: Any) -> Event:
    return Event(0, view(which, path), value=value, **more)


@pytest.mark.parametrize("medium", [ReferenceMedium, HonestViews, HonestMedium, HonestExplicit])
@pytest.mark.parametrize("law", LAWS.values(), ids=lambda law: law.name)
def test_an_honest_medium_holds(law: Law, medium: type[Medium]) -> None:
    """No law of the family accuses a medium that is right, and each is evaluated where it applies."""
    verdict = hold(law, medium, "battery")
    brings = law.door != "views" or "views" in medium.manifest.doors
    assert (verdict.outcome, verdict.fault) == ("held" if brings else "not applicable", "")


@pytest.mark.parametrize(
    "law", [each for each in LAWS.values() if each.programs], ids=lambda law: law.name
)
def test_generated_programs_accuse_nobody(law: Law) -> None:
    """A quick run of generated programs finds nothing against right views and sessions."""
    verdict = hold(law, HonestViews, "quick")
    assert verdict.outcome == "held", verdict.reason
    assert verdict.evidence.generated > 0


@pytest.mark.parametrize(
    "each", [e for e in LIARS if issubclass(e.medium, HonestViews)], ids=lambda each: each.name
)
def test_a_liar_about_views_is_right_elsewhere(each: Liar, tmp_path: Path) -> None:
    """A view liar has one fault: for some of a few plain paths it shows what the rules say."""
    right = 0
    for which, expected in VIEWS.items():
        for path in PATHS:
            medium = each.medium(tmp_path)
            with suppress(ValueError, KeyError, IndexError):
                shown = getattr(medium, which)(copied(path))
                right += same(expected(path), shown)
    assert right >= len(PATHS)


def test_a_view_that_raises_elsewhere_is_not_this_laws_matter() -> None:
    """Laws on one kind of path leave errors on another to their own law."""
    empty = Event(0, view(MODEL, []), "raised", text="IndexError")
    plain = Event(0, view(MODEL, chained(user("u"))), "raised", text="IndexError")
    LAWS["a_view_answers_for_every_path"](_trace(empty))
    LAWS["an_empty_path_has_empty_views"](_trace(plain))
    LAWS["an_anchor_that_is_not_found_keeps_nothing"](_trace(plain))


@pytest.mark.parametrize("law", LAWS.values(), ids=lambda law: law.name)
@pytest.mark.parametrize("value", [None, "text", [], [None], {"a": 1}], ids=repr)
def test_a_judge_answers_for_every_value(law: Law, value: Any) -> None:
    """Whatever a view or session answers, a law gives a verdict and not an error of its own."""
    path = chained(user("u"), note("n"), calls("k", "c"), summary("C", "u"), meta("m"))
    log: dict[Key, list[Entry] | None] = {"s": path}
    steps = [session("s"), run(user("u")), act("messages"), act("transcript"), act("compact")]
    events = [
        *(_seen(which, each, value) for which in (MODEL, TRANSCRIPT) for each in (path, [])),
        *(Event(1, each, value=value, logs=log, leaf="m", prompts=([],)) for each in steps),
        *(Event(2, each, "raised", text="no", logs=log, leaf="m") for each in steps),
        Event(3, view(MODEL, path), "raised", text="no"),
        Event(4, view(MODEL, path), "skipped"),
    ]
    with suppress(Broken):
        law(_trace(*events, A="s"))


def _broken(name: str, trace: Trace) -> str:
    with pytest.raises(Broken) as raised:
        LAWS[name](trace)
    return raised.value.because


def test_a_view_that_raises_breaks_the_general_laws() -> None:
    """An error on a path of valid entries is a broken view, whatever else it shows."""
    for which, name in (
        (MODEL, "the_model_view_is_the_messages_of_the_path"),
        (TRANSCRIPT, "the_transcript_is_the_path_without_injected_messages"),
    ):
        event = Event(0, view(which, chained(user("u"))), "raised", text="KeyError")
        assert _broken(name, _trace(event))


def test_a_refused_path_of_invalid_entries_is_no_fault() -> None:
    """A reduced program may hold a compaction without summary: refusing it is right."""
    torn = [{"type": "compaction", "id": "C"}]
    event = Event(0, view(MODEL, torn), "raised", text="KeyError")
    assert LAWS["a_view_answers_for_every_path"](_trace(event)) is None


def test_what_was_refused_is_noted() -> None:
    """Unknown types and blocks may be refused, and the law says that they were."""
    path = chained(user("u", {"type": "scent"}))
    blocks = Event(0, view(MODEL, path), "raised", text="unknown")
    assert LAWS["an_unknown_block_is_kept_or_refused"](_trace(blocks)) == "unknown blocks: refused"
    types = Event(0, view(TRANSCRIPT, [{**path[0], "type": "new"}]), "raised", text="unknown")
    note_of = LAWS["an_unknown_entry_type_is_not_skipped_in_silence"](_trace(types))
    assert note_of == "unknown types: refused"


def test_unknown_types_and_blocks_may_be_kept() -> None:
    """Shown as they are, they need no note."""
    path = chained(user("u", {"type": "scent"}))
    shown = _seen(MODEL, path, [path[0]["message"]])
    assert LAWS["an_unknown_block_is_kept_or_refused"](_trace(shown)) is None
    odd = [{**path[0], "type": "new"}]
    shown = _seen(TRANSCRIPT, odd, odd)
    assert LAWS["an_unknown_entry_type_is_not_skipped_in_silence"](_trace(shown)) is None


def test_a_custom_entry_may_lose_its_fields() -> None:
    """A view that doesn't know a kind need keep no more than header and kind (PI-R3)."""
    path = [custom("n", title="a", of={"b": 1})]
    law = LAWS["the_transcript_shows_each_entry_as_it_is"]
    law(_trace(_seen(TRANSCRIPT, path, [custom("n")])))
    assert _broken(law.name, _trace(_seen(TRANSCRIPT, path, [{**custom("n"), "kind": "other"}])))
    law(_trace(_seen(TRANSCRIPT, path, [custom("elsewhere")])))


def test_a_summary_may_stand_in_a_frame() -> None:
    """Words around the summary are no fault, as long as the user speaks them first."""
    path = chained(user("u"), summary("C"))
    framed = user("x", "So far: summary C. Go on.").entry["message"]
    for name in ("the_summary_comes_first_and_as_a_user_message", "the_latest_compaction_wins"):
        LAWS[name](_trace(_seen(MODEL, path, [framed])))
    assert _broken(
        "the_summary_comes_first_and_as_a_user_message",
        _trace(_seen(MODEL, path, [{**framed, "role": "assistant"}])),
    )


def test_a_message_that_is_kept_as_well_is_not_gone() -> None:
    """A covered message that equals a kept one may be shown once, for the kept one."""
    path = chained(user("u1", "yes"), user("u2", "yes"), summary("C", "u2"))
    shown = [user("x", "summary C").entry["message"], path[1]["message"]]
    for name in (
        "messages_before_the_anchor_leave_the_view",
        "a_compaction_shows_no_message_twice",
    ):
        LAWS[name](_trace(_seen(MODEL, path, shown)))


def test_views_of_two_paths_may_be_equal_where_the_rules_say_so() -> None:
    """Two paths that differ in a custom entry have one model view."""
    one, two = chained(user("u")), chained(user("u"), note("n"))
    said = [one[0]["message"]]
    LAWS["a_view_of_another_path_is_another"](
        _trace(_seen(MODEL, one, said), _seen(MODEL, two, said))
    )
    LAWS["a_view_of_the_same_path_is_the_same"](
        _trace(_seen(MODEL, one, said), _seen(MODEL, two, said), _seen(TRANSCRIPT, one, []))
    )


def test_legacy_laws_are_not_for_those_who_honour_the_flag() -> None:
    """A manifest that declares the old meaning is outside the laws that deny it."""
    honours = Manifest(name="old", options={"legacy_meta": "honoured"})
    for name in (
        "the_transcript_shows_legacy_meta_entries",
        "a_session_shows_legacy_meta_entries",
        "a_legacy_meta_entry_begins_a_turn",
    ):
        applies = LAWS[name].applies
        assert applies is not None
        assert applies(honours) == "option legacy_meta is honoured"
        assert applies(EMPTY) is None


OPEN = chained(user("u"), calls("k", "c"))
HELD = chained(user("u"), assistant("a"))


def _session(step: Step, value: Any, log: list[Any], **more: Any) -> tuple[Event, Event]:
    leaf = str(log[-1]["id"]) if log else ""
    opening = Event(0, session("s"), logs={"s": log}, leaf=leaf)
    return opening, Event(1, step, value=value, logs={"s": log}, leaf=leaf, **more)


def test_histories_with_unanswered_calls_are_left_to_repair() -> None:
    """Where a call has no result, no law of this family says what the model reads."""
    events = _session(run(user("v")), None, OPEN, prompts=([],))
    for name in (
        "the_model_reads_all_messages_of_its_input",
        "the_model_reads_what_preceded_its_run",
    ):
        LAWS[name](_trace(*events, A="s"))
    LAWS["the_messages_of_a_session_are_the_view_of_its_path"](
        _trace(*_session(act("messages"), [], OPEN), A="s")
    )


def test_a_session_without_a_leaf_is_not_judged_by_its_path() -> None:
    """A session that doesn't tell its leaf has no path to compare with."""
    opening = Event(0, session("s"), logs={"s": HELD})
    read = Event(1, act("messages"), value=[], logs={"s": HELD})
    longer = chained(user("u"), assistant("a"), user("v"))
    ran = Event(2, run(user("v")), logs={"s": longer}, prompts=([],))
    shortened = Event(3, act("compact", keep=0), logs={"s": longer}, prompts=([],))
    for law in LAWS.values():
        law(_trace(opening, read, ran, shortened, A="s"))


def test_a_reminder_may_not_be_lost_with_its_message_alone() -> None:
    """A message that is missing altogether is another law's matter."""
    told = result("r", "c", "ok", {"type": "reminder", "text": "x"})
    log = chained(user("u"), calls("k", "c"), told)
    law = LAWS["a_reminder_inside_a_tool_result_reaches_the_model"]
    law(_trace(*_session(run(user("v")), None, log, prompts=([],)), A="s"))
    stripped = {**log[2]["message"], "content": [{"type": "text", "text": "ok"}]}
    events = _session(run(user("v")), None, log, prompts=([stripped],))
    assert _broken(law.name, _trace(*events, A="s"))


def test_a_branch_or_reopening_ends_what_was_queued() -> None:
    """What was said during a compaction is expected on its own branch only."""
    queued = act("compact", during=(add(user("q")),))
    nested = (Event(0, add(user("q"))),)
    law = LAWS["what_is_said_during_a_compaction_is_heard"]
    opening = Event(0, session("s"), logs={"s": HELD}, leaf="a")
    compacted = Event(1, queued, nested=nested, logs={"s": HELD}, leaf="a")
    heard = Event(3, act("messages"), value=[], logs={"s": HELD}, leaf="a")
    branched = Event(2, act("branch", target="u"), logs={"s": HELD}, leaf="u")
    law(_trace(opening, compacted, branched, heard, A="s"))
    assert _broken(law.name, _trace(opening, compacted, heard, A="s"))
