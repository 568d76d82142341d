"""The log profile's agent: when it compacts, what a summary is made of, and who reads it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis.strategies import SearchStrategy

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.log_samples import asked, told
from storelaw.manifest import Manifest
from storelaw.model.agents import Deed, inputs_in, of_type, turns
from storelaw.model.replays import Projection, is_summary, projection, read_of
from storelaw.program import Program, Step, ask, program
from storelaw.strategies import agents
from storelaw.strategies.agents import INIT, compacting, filling, turn
from storelaw.trace import Trace
from storelaw.values import Entry, is_object

LIVE = (compacting(), INIT)

SAME = "an agent reads the same over a session and over a plain log."


def lives(_: Manifest) -> SearchStrategy[Program]:
    """Lives of an agent that compacts."""
    return agents.compactions()


def _say(deed: Deed, expected: object, observed: object, because: str) -> None:
    broken(deed.event, expected=expected, observed=observed, because=because)


def _tried(trace: Trace) -> Iterator[Deed]:
    """The turns of agents that compact."""
    return (e for e in turns(trace) if "compactor" in e.named and "default_ref" not in e.named)


def _is_full(deed: Deed) -> bool:
    settings = deed.named["compactor"]
    most: float = settings["context_length"] * settings["threshold"]
    return deed.tokens >= most


def _summary(deed: Deed) -> Any:
    """What the summarizer of a turn answers; ``None`` where it fails, or there is none."""
    call = deed.arguments.get("summarize", {}).get("$call", {})
    return None if call.get("fails") else call.get("answers")


@dataclass(frozen=True, slots=True)
class Compacted:
    """A turn that compacted: its log before the compaction, and what the compaction does."""

    deed: Deed
    before: Sequence[Entry]
    told: Projection


def _compacted(trace: Trace) -> Iterator[Compacted]:
    for each in _tried(trace):
        found = projection(each.after)
        if found and found.compact not in each.before and each.event.ok:
            yield Compacted(each, [*found.covered, *found.kept], found)


@law(
    family="log_agent",
    door="agent",
    acts={"turn"},
    source=["AP-M1"],
    battery=[
        program(*LIVE, turn("u1"), filling("u2", tokens=89), turn("u3")),
        program(*LIVE, filling("u1", tokens=0), turn("u2")),
    ],
    programs=lives,
)
def a_context_with_room_is_not_compacted(trace: Trace) -> None:
    """Below the threshold a turn stores no compaction.

    An agent breaks it by counting its turns, or by reading the threshold as a number of tokens.
    """
    for each in _tried(trace):
        if not _is_full(each) and of_type(each.added, "compact"):
            _say(each, [], of_type(each.added, "compact"), "there was room in the context.")


@law(
    family="log_agent",
    door="agent",
    acts={"turn"},
    source=["AP-M1"],
    battery=[
        program(*LIVE, turn("u1"), filling("u2"), turn("u3")),
        program(*LIVE, filling("u1"), turn("u2"), filling("u3", summary="sum 2"), turn("u4")),
    ],
)
def a_full_context_is_compacted_once(trace: Trace) -> None:
    """A turn whose tokens reach the threshold stores one compaction, with the summary.

    An agent breaks it by waiting until the context is over: the next request is refused.
    """
    for each in _tried(trace):
        summary, found = _summary(each), of_type(each.added, "compact")
        due = each.event.ok and _is_full(each) and isinstance(summary, str) and summary.strip()
        if due and (found or _is_coverable(each)):
            said = [one.get("summary") for one in found if is_object(one)]
            if said != [summary]:
                _say(each, [summary], said, "a full context is compacted once.")


def _is_coverable(deed: Deed) -> bool:
    """Whether there is input beside what is to stay, and no call that could hold it back."""
    _, inputs = read_of(deed.after)
    return len(inputs) > deed.named["compactor"]["preserve"] and not any(map(_is_call, inputs))


def _is_call(item: Any) -> bool:
    return is_object(item) and item.get("type") == "function_call"


@law(
    family="log_agent",
    door="agent",
    acts={"turn"},
    source=["AP-M1"],
    battery=[
        program(*LIVE, turn("u1"), filling("u2", fails=True), turn("u3")),
    ],
    programs=lives,
)
def a_failed_turn_compacts_nothing(trace: Trace) -> None:
    """A turn that did not go through stores no compaction.

    An agent breaks it by compacting in its clean-up.
    """
    for each in _tried(trace):
        if each.event.raised and of_type(each.added, "compact"):
            _say(each, [], of_type(each.added, "compact"), "only a success compacts.")


@law(
    family="log_agent",
    door="agent",
    acts={"turn"},
    source=["AP-M1", "AP-M3"],
    battery=[program(*LIVE, turn("u1"), filling("u2"), turn("u3"))],
    programs=lives,
)
def a_compaction_keeps_what_it_covers_in_the_log(trace: Trace) -> None:
    """What was in the log before a compaction is in it afterwards, as it was.

    An agent breaks it by deleting what it has summarized: nobody can ever look at it again.
    """
    for each in _tried(trace):
        start = each.after[: len(each.before)]
        if not trace.same(each.before, start):
            _say(each, each.before, start, "a compaction is an entry more, and nothing less.")


_PRESERVING = [
    program(compacting(preserve=n), INIT, turn("u1"), turn("u2"), filling("u3"), turn("u4"))
    for n in (0, 1, 2, 3)
]


@law(
    family="log_agent",
    door="agent",
    acts={"turn"},
    source=["AP-M5"],
    battery=_PRESERVING,
    programs=lives,
)
def the_last_inputs_stay_word_for_word(trace: Trace) -> None:
    """Of the input entries before a compaction the last ``preserve`` ones are not covered.

    An agent breaks it by counting from the wrong end, or by covering everything.
    """
    for each in _compacted(trace):
        _, wanted = read_of(each.before)
        keep = each.deed.named["compactor"]["preserve"]
        last = wanted[len(wanted) - min(keep, len(wanted)) :]
        kept = inputs_in(each.told.kept)
        if last and not trace.same(last, kept[-len(last) :]):
            _say(each.deed, last, kept, "the last inputs stay as they are.")


@law(
    family="log_agent",
    door="agent",
    acts={"turn"},
    source=["AP-M5"],
    battery=_PRESERVING,
)
def no_more_inputs_stay_than_were_asked_for(trace: Trace) -> None:
    """Where no call would be parted from its output, exactly ``preserve`` inputs stay.

    An agent breaks it by counting turns: an input and its answer are two entries, and four
    inputs stay where two should.
    """
    for each in _compacted(trace):
        kept, keep = inputs_in(each.told.kept), each.deed.named["compactor"]["preserve"]
        if len(kept) > keep and not any(_is_call(one) for one in inputs_in(each.before)):
            _say(each.deed, kept[len(kept) - keep :], kept, "preserve counts input entries.")


_PAIR = [asked("c1"), told("c1")]


@law(
    family="log_agent",
    door="agent",
    acts={"turn"},
    source=["D-AP-13"],
    battery=[
        program(*LIVE, turn("u1"), filling("u2", outputs=_PAIR), turn("u3")),
        program(
            *LIVE, turn("u1"), turn("u2", answer=[asked("c1")]), filling(told("c1"), outputs=[])
        ),
    ],
    programs=lives,
    weight=2,
)
def a_compaction_never_parts_a_call_from_its_output(trace: Trace) -> None:
    """If a kept input is the output of a call, the call is kept too.

    An agent breaks it by counting inputs back and cutting there: the model reads an output
    that belongs to nothing, and its provider refuses the request.
    """
    for each in _compacted(trace):
        calls = _calls(each.told.covered, "function_call")
        answered = _calls(each.told.covered, "function_call_output")
        parted = [
            one
            for one in _calls(each.told.kept, "function_call_output")
            if calls.count(one) > answered.count(one)
        ]
        if parted:
            _say(each.deed, [], parted, "a call and its output stay together.")


def _calls(entries: Sequence[Entry], kind: str) -> list[Any]:
    """The call ids of the inputs of a kind."""
    found = [one for one in inputs_in(entries) if is_object(one) and one.get("type") == kind]
    return [one.get("call_id") for one in found]


@law(
    family="log_agent",
    door="agent",
    acts={"turn"},
    source=["AP-M4", "AP-M5"],
    battery=[
        program(*LIVE, turn("u1"), filling("u2"), turn("u3")),
        program(*LIVE, turn("u1"), filling("u2"), turn("u3"), filling("u4", summary="sum 2")),
    ],
    programs=lives,
)
def a_summary_is_made_of_what_it_covers(trace: Trace) -> None:
    """The summarizer reads the covered inputs that no summary covers yet, in order, and no kept one.

    An agent breaks it by showing it the whole history: the last turns are read twice.
    """
    for each in _compacted(trace):
        shown = [one for one in each.deed.summarized[:1] for one in one]
        wanted = inputs_in(each.told.covered)
        if projection(each.before) is None and shown and not trace.same(wanted, shown):
            _say(each.deed, wanted, shown, "a summary is made of what it covers.")


_SECOND = program(
    *LIVE, turn("u1"), filling("u2"), turn("u3"), filling("u4", summary="sum 2"), turn("u5")
)


@law(
    family="log_agent",
    door="agent",
    acts={"turn"},
    source=["AP-M4"],
    incidents=["F36"],
    battery=[_SECOND],
    programs=lives,
)
def a_later_summary_is_made_of_the_earlier_one(trace: Trace) -> None:
    """A second compaction shows its summarizer the first summary, and no text that it covers.

    An agent breaks it by starting from the raw log again, or by leaving the first summary
    out: what it said is forgotten.
    """
    for each in _compacted(trace):
        earlier = projection(each.before)
        shown = [one for one in each.deed.summarized[:1] for one in one]
        if earlier is None or not shown:
            continue
        gone = [one for one in inputs_in(earlier.covered) if one in shown]
        if not is_summary(shown[0], earlier) or gone:
            _say(each.deed, earlier.summary, shown, "a summary is made of the projection.")


def _failing(*summaries: Any) -> Program:
    turns_of = [filling(f"u{n}", summary=each) for n, each in enumerate(summaries)]
    return program(*LIVE, turn("u"), *turns_of, turn("last"))


@law(
    family="log_agent",
    door="agent",
    acts={"turn"},
    source=["AP-M6"],
    battery=[_failing(None, ""), _failing(None, "sum", None), _failing("", " ")],
)
def a_failed_summary_stores_no_compaction(trace: Trace) -> None:
    """Where the summarizer raises, or answers with nothing, no compaction is stored.

    An agent breaks it by storing an empty summary: the model has forgotten everything.
    """
    failures: dict[Any, int] = {}
    for each in _tried(trace):
        label, found = each.event.step.on, of_type(each.added, "compact")
        failures[label] = _failures(each, failures.get(label, 0))
        if 0 < failures[label] < 3 and found:
            _say(each, [], found, "without a summary nothing is compacted.")


def _failures(deed: Deed, before: int) -> int:
    """How many summaries have failed in a row, by what their summarizers answer."""
    if not deed.summarized:
        return before
    summary = _summary(deed)
    return 0 if isinstance(summary, str) and summary.strip() else before + 1


@law(
    family="log_agent",
    door="agent",
    acts={"turn"},
    source=["AP-M6"],
    battery=[_failing(None, None, None), _failing(None, "", None)],
)
def the_third_failed_summary_gives_up(trace: Trace) -> None:
    """After three failures in a row one compaction with a fixed summary is stored.

    An agent breaks it by trying for ever: the context stays full, and each turn pays for it.
    """
    failures: dict[Any, int] = {}
    for each in _tried(trace):
        label, found = each.event.step.on, of_type(each.added, "compact")
        before = failures.get(label, 0) % 3
        failures[label] = _failures(each, before)
        if failures[label] == 3 and len(found) != 1:
            _say(each, ["one compaction"], found, "the third failure stores a fixed summary.")


@law(
    family="log_agent",
    door="agent",
    acts={"turn"},
    source=["AP-M8", "AP-M2"],
    battery=[program(*LIVE, turn("u1"), filling("u2"), turn("u3")), _SECOND],
    programs=lives,
    weight=2,
)
def the_next_turn_reads_the_compaction(trace: Trace) -> None:
    """A turn after a compaction reads its summary, then the kept inputs, then what followed.

    An agent breaks it by compacting behind the turn's back: the next request is as long as
    the one that was too long.
    """
    for each in _tried(trace):
        found, rest = read_of(each.before)
        if found is None or not each.shown:
            continue
        shown = each.shown[0]
        wanted = [*rest, *each.event.passed]
        told_first = bool(shown) and is_summary(shown[0], found)
        if not told_first or not trace.same(wanted, shown[1:]):
            _say(each, [found.summary, *wanted], shown, "the next turn reads the compaction.")


def _life(label: str, key: str, ref: str | None = None) -> tuple[Step, ...]:
    return (
        compacting(label, key, ref),
        ask(label, "init"),
        filling("u1", "u2", on=label),
        turn("u3", on=label),
    )


@law(
    family="log_agent",
    door="agent",
    acts={"turn"},
    source=["AP-M7"],
    battery=[program(*_life("A", "s"), *_life("B", "t", "main"))],
)
def an_agent_reads_the_same_over_a_session(trace: Trace) -> None:
    """Over a session an agent shows its runner what it shows it over a plain log.

    An agent breaks it by reading a session's branch without its compactions.
    """
    shown: dict[bool, list[Deed]] = {True: [], False: []}
    for each in turns(trace):
        shown["default_ref" in each.named].append(each)
    for plain, over in zip(shown[False], shown[True], strict=False):
        if _alike(plain, over) and not trace.same(plain.event.prompts, over.event.prompts):
            _say(over, list(plain.event.prompts), list(over.event.prompts), SAME)


def _alike(one: Deed, other: Deed) -> bool:
    return one.event.step.args == other.event.step.args and one.event.passed == other.event.passed
