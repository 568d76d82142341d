"""What an answer says: by tool, or in words where it calls none."""

from storelaw import turn_samples as t
from storelaw.clauses import law
from storelaw.model import timeline_sights as sights
from storelaw.model.timeline_sights import TIMELINE, judge
from storelaw.strategies.timelines import shown
from storelaw.trace import Trace
from storelaw.values import Entry


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V4"],
    battery=[
        shown(TIMELINE, [t.user(0), t.answer(1, "let me see", t.reply("Two files."), "done")]),
        shown(TIMELINE, [t.answer(1, "let me see", t.reply("Two files."), t.use("look", id="c2"))]),
    ],
)
def a_reply_by_tool_is_all_that_an_answer_says(trace: Trace) -> None:
    """Where an answer speaks by its reply tool, that text alone is shown.

    The words around it are the model's notes to itself; showing both says everything twice.
    """
    judge(trace, sights.texts, "the text of the reply tool is all that is shown of the answer.")


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V4"],
    battery=[shown(TIMELINE, [t.answer(1, t.reply("one", "c1"), t.reply("two", "c2"))])],
)
def replies_of_one_answer_are_joined_by_a_blank_line(trace: Trace) -> None:
    """Several replies by tool in one answer are one message, a blank line between them.

    Taking the first or the last of them drops what the agent said.
    """
    judge(trace, sights.texts, "the replies of one answer are joined by a blank line.")


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V5"],
    battery=[
        shown(TIMELINE, [t.user(0), t.answer(1, "let me look", t.use("weather")), t.answer(2)]),
    ],
)
def words_beside_a_call_are_not_shown(trace: Trace) -> None:
    """An answer that calls tools, and says nothing by tool, shows nothing.

    Its words announce the call; they were never meant for the user.
    """
    judge(trace, sights.texts, "an answer with calls and no reply by tool shows nothing.")


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V6"],
    battery=[
        shown(TIMELINE, [t.answer(1, "one", "two")]),
        shown(TIMELINE, [t.user(0, "one", "", "two")]),
        shown(TIMELINE, [t.user(0, " one\n", t.words("two "))]),
    ],
)
def text_blocks_are_joined_by_a_blank_line(trace: Trace) -> None:
    """The texts of a turn are one message, a blank line between them, each as it is.

    Joined without one, the last word of a block grows into the first of the next.
    """
    judge(
        trace, sights.texts, "the texts that aren't empty are joined by a blank line, as they are."
    )


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V7"],
    battery=[
        shown(TIMELINE, [t.user(0), t.answer(1, "   "), t.user(2, "\n\t"), t.answer(3)]),
        shown(TIMELINE, [t.user(0), t.answer(1, ""), t.turn(2, "user")]),
        shown(TIMELINE, [t.user(0), t.answer(1, t.reply("  "))]),
    ],
)
def blank_messages_are_not_shown(trace: Trace) -> None:
    """A turn that has nothing but blanks to show is no item.

    It would be an empty bubble.
    """
    judge(trace, sights.texts, "a turn with nothing but blanks to show is no message.")


def _unreadable(given: bytes | None) -> list[Entry]:
    return [t.user(0), t.answer(1, "aside", t.use(t.RESPOND, given))]


@law(
    family="turn_timeline",
    door="timeline",
    operations=(),
    acts={TIMELINE},
    source=["OA-V8", "OA-V5"],
    incidents=["F17"],
    battery=[
        shown(TIMELINE, _unreadable(b'{"text": "hal')),
        shown(TIMELINE, _unreadable(b"plain words")),
        shown(TIMELINE, _unreadable(b'["text"]')),
        shown(TIMELINE, _unreadable(b'{"text": 7}')),
        shown(TIMELINE, _unreadable(b"\xff\xfe")),
        shown(TIMELINE, _unreadable(b"")),
        shown(TIMELINE, _unreadable(None)),
        shown(TIMELINE, _unreadable(b"[" * 100_000)),
    ],
)
def an_argument_that_cannot_be_read_is_none(trace: Trace) -> None:
    """A reply whose argument is no JSON object with a text is a call like any other.

    A stream that broke off leaves half an argument in the log for ever; showing it raw,
    or failing on it, spoils every later look at the session.
    """
    judge(trace, sights.texts, "an argument that can't be read counts as absent: nothing is shown.")
