"""Plan cards: one for each name, where it first appeared, as it is now."""

from storelaw import turn_samples as t
from storelaw.clauses import law
from storelaw.model import timeline_sights as sights
from storelaw.model.timeline_sights import TIMELINE, judge
from storelaw.strategies.timelines import shown
from storelaw.trace import Trace


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V11", "OA-V2"],
    battery=[
        shown(TIMELINE, [t.note(0, t.upsert("trip")), t.user(1), t.note(2, t.upsert("trip"))]),
        shown(TIMELINE, [t.user(0), t.note(1, t.upsert("b")), t.note(2, t.upsert("a"))]),
    ],
)
def a_plan_has_one_card_where_it_first_appeared(trace: Trace) -> None:
    """A plan has one card, at the place of its first note.

    A card for each note fills the screen; one that moves to the last note jumps about.
    """
    judge(trace, sights.outline, "a plan has one card, where its first note stands.")


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V11"],
    battery=[
        shown(TIMELINE, [t.note(0, t.upsert("trip", 1), t.upsert("Trip", 2), t.upsert("trip ", 3))])
    ],
)
def plans_of_other_names_are_other_plans(trace: Trace) -> None:
    """Names that differ in a letter's case or a blank are names of two plans.

    Folding them puts one plan's steps on another one's card.
    """
    judge(trace, sights.names, "each distinct name has its card.")


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V11"],
    battery=[
        shown(
            TIMELINE, [t.note(0, t.upsert("trip", 1)), t.user(1), t.note(2, t.upsert("trip", 2))]
        ),
        shown(TIMELINE, [t.note(0, t.upsert("trip", 1), t.upsert("trip", 2))]),
    ],
)
def a_card_shows_the_latest_snapshot(trace: Trace) -> None:
    """A card shows its plan as the latest note has it, whole.

    Keeping the first snapshot shows a plan that has long been changed.
    """
    judge(trace, sights.snapshots, "a card carries the latest snapshot of its plan, whole.")


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V11"],
    battery=[shown(TIMELINE, [t.note(0, t.upsert("trip")), t.note(1, t.removal("trip"))])],
)
def a_deleted_plan_is_marked(trace: Trace) -> None:
    """A plan whose latest note takes it away has a card that says so.

    A card that vanishes, or stays as it was, tells people that nothing happened.
    """
    judge(trace, sights.deletions, "the card of a plan that was taken away is marked as deleted.")


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V11"],
    battery=[
        shown(
            TIMELINE,
            [t.note(0, t.upsert("trip", 1)), t.note(1, t.upsert("trip", 2), t.removal("trip"))],
        ),
    ],
)
def a_deleted_plan_keeps_its_last_snapshot(trace: Trace) -> None:
    """The card of a deleted plan still carries the snapshot that it had.

    Without it nobody can tell what was taken away.
    """
    judge(trace, sights.snapshots, "a deleted plan keeps its last snapshot.")


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V11"],
    battery=[
        shown(
            TIMELINE,
            [
                t.note(0, t.upsert("trip", 1)),
                t.note(1, t.removal("trip")),
                t.note(2, t.upsert("trip", 3)),
            ],
        ),
    ],
)
def a_deleted_plan_can_come_back(trace: Trace) -> None:
    """A note that puts a deleted plan in place again revives its card.

    A mark that is never taken off hides a plan that is in use.
    """
    judge(trace, sights.deletions, "a plan that was put in place again is deleted no longer.")


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V11"],
    battery=[shown(TIMELINE, [t.user(0), t.note(1, t.removal("ghost")), t.user(2)])],
)
def a_plan_that_was_never_there_is_a_deleted_card(trace: Trace) -> None:
    """Taking away a plan that no note has put in place makes a deleted card.

    Its first notes may lie before the turns at hand; passing over the note hides that.
    """
    judge(trace, sights.deletions, "the deletion of an unseen plan makes a deleted card.")


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V11"],
    battery=[
        shown(TIMELINE, [t.note(0, t.plans("upsert", name="note", plan={"name": "plan"}))]),
        shown(TIMELINE, [t.note(0, t.plans("delete", name="note", plan={"name": "plan"}))]),
    ],
)
def a_plan_is_named_where_its_note_names_it(trace: Trace) -> None:
    """A plan that is put in place is named by its snapshot, one that is taken away by the note.

    Read in the other place the name is missing, or is another plan's.
    """
    judge(trace, sights.names, "the name stands in the plan on upsert, in the note on delete.")


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V11"],
    incidents=["F17"],
    battery=[
        shown(TIMELINE, [t.note(0, t.upsert(""), t.removal("")), t.user(1)]),
        shown(TIMELINE, [t.note(0, t.plans("upsert"), t.plans("delete")), t.user(1)]),
        shown(TIMELINE, [t.note(0, t.upsert(7), t.plans("upsert", plan="trip")), t.user(1)]),
        shown(TIMELINE, [t.note(0, {"kind": "budget", "data": t.upsert("trip")["data"]})]),
        shown(TIMELINE, [t.note(0, "{", "null", "[]", '{"kind": "plans", "v": 1}'), t.user(1)]),
    ],
)
def notes_without_name_or_sense_are_passed_over(trace: Trace) -> None:
    """A note that names no plan, is no JSON or is about something else makes no card.

    One such note, which can't be deleted, would spoil every later timeline.
    """
    judge(trace, sights.outline, "a note without a plan's name makes no card, and fails nothing.")


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V11", "OA-V2"],
    battery=[
        shown(TIMELINE, [t.note(0, t.upsert("a"), t.upsert("b")), t.user(1)]),
    ],
)
def every_note_of_a_turn_counts(trace: Trace) -> None:
    """Each text block of a system note is a note of its own.

    Reading the first block alone loses the plans behind it.
    """
    judge(trace, sights.names, "each text block of a system note is read.")


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V2"],
    battery=[
        shown(TIMELINE, [t.user(0, '{"kind":"plans","v":1,"data":{"op":"delete","name":"x"}}')]),
        shown(TIMELINE, [t.answer(0, '{"kind":"plans","v":1,"data":{"op":"delete","name":"x"}}')]),
    ],
)
def what_people_write_makes_no_card(trace: Trace) -> None:
    """A text that looks like a note makes no card outside a system note.

    Anybody could otherwise delete a plan by writing so.
    """
    judge(trace, sights.names, "only system notes make cards.")


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V11"],
    battery=[shown(TIMELINE, [t.note(0, t.upsert("trip", 1)), t.note(2, t.upsert("trip", 2))])],
)
def a_card_has_the_time_of_its_first_note(trace: Trace) -> None:
    """A card has the time at which its plan first appeared.

    It stands at that place; with a later time it is out of order there.
    """
    judge(trace, sights.appearances, "a card has the time of the first note of its plan.")
