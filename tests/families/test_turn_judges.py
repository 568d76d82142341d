"""The judges of the turn laws come to an end, whatever a store answers and a reduction leaves."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from storelaw.clauses import Law, registered
from storelaw.failures import Broken
from storelaw.families import (
    appender_contents,
    appender_copies,
    appender_inbox,
    appender_reads,
    appender_writes,
    memory_chains,
    memory_queries,
    memory_rows,
    memory_rules,
)
from storelaw.liars.turns_honest import TurnsHonest
from storelaw.player import play
from storelaw.trace import Trace

FAMILIES = (
    *(appender_contents, appender_copies, appender_inbox, appender_reads, appender_writes),
    *(memory_chains, memory_queries, memory_rows, memory_rules),
)
LAWS = [e for e in registered() if e.judge.__module__ in {each.__name__ for each in FAMILIES}]

#: Answers that no right door gives.
ODD: tuple[Any, ...] = (None, "text", [None, 7], [{"id": 7}], {"entries": "x"}, {"truncated": 1})


#: How a step may end.
ENDS: tuple[tuple[Any, str | None], ...] = (
    ("ok", None),
    ("raised", "unknown"),
    ("raised", "Rejected"),
    ("skipped", None),
)


def shapes(trace: Trace) -> Iterator[Trace]:
    """The trace with each odd answer, and without entries, logs, values, or its end."""
    for answer in ODD:
        for outcome, error in ENDS:
            yield _odd(trace, answer, outcome, error)
    yield from (_shorn(trace), _blind(trace), _bare(trace), trace.upto(2))


def _odd(trace: Trace, answer: Any, outcome: Any, error: str | None) -> Trace:
    events = tuple(
        replace(each, value=answer, outcome=outcome, error=error) if each.step.do == "ask" else each
        for each in trace.events
    )
    return replace(trace, events=events)


def _shorn(trace: Trace) -> Trace:
    """A trace whose entries have lost their members, as in a program that is reduced."""
    events = tuple(replace(each, passed=tuple({} for _ in each.passed)) for each in trace.events)
    return replace(trace, events=events)


def _blind(trace: Trace) -> Trace:
    """A trace in which nothing is known of the store."""
    return replace(trace, events=tuple(replace(each, logs={}) for each in trace.events))


def _bare(trace: Trace) -> Trace:
    """A trace whose steps have lost their values."""
    events = tuple(
        replace(e, step=replace(e.step, args={"method": e.step.name})) if e.step.do == "ask" else e
        for e in trace.events
    )
    return replace(trace, events=events)


def judged(law: Law, trace: Trace) -> bool:
    """Whether a judge comes to an end that is no fault of its own."""
    try:
        law.judge(trace)
    except Broken:
        return True
    return True


@pytest.mark.parametrize("law", LAWS, ids=[each.name for each in LAWS])
def test_judges_are_total(law: Law) -> None:
    """Odd answers, failures and steps that were reduced never make a judge fail in itself."""
    for each in law.battery(TurnsHonest.manifest):
        assert all(judged(law, one) for one in shapes(play(each, TurnsHonest)))
