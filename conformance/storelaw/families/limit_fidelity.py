"""What is read equals what was accepted: the limits that a store declares, on both sides."""

from collections.abc import Callable
from typing import Any, Final

from storelaw.aspects import (
    ACCEPTED,
    RAISED,
    Concern,
    Path,
    concerned,
    judge_accepted,
    judge_leaves,
    judge_no_trace,
    judge_there,
)
from storelaw.clauses import Applies, law
from storelaw.failures import broken
from storelaw.families.value_fidelity import (
    has_nul,
    has_surrogate,
    is_big_integer,
    nested,
    noting,
)
from storelaw.manifest import Manifest
from storelaw.narrative import Words
from storelaw.program import Key, Program, append, load, program
from storelaw.samples import custom, said
from storelaw.sizes import depth, largest, said_beyond, said_of_size, smallest
from storelaw.strategies.logs import guarded
from storelaw.trace import Event, Trace
from storelaw.values import Entry

REFUSED: Final = Words("the append raises")


def declares(name: str) -> Applies:
    """Outside the law unless the manifest declares a limit."""

    def applies(manifest: Manifest) -> str | None:
        return None if getattr(manifest, name) else f"manifest field {name} is undeclared"

    return applies


def judge_refused(trace: Trace, beyond: Callable[[Event, Entry], bool], because: str) -> None:
    """No append of an entry beyond the limit is acknowledged, and none leaves a trace."""
    for event in trace.of("append"):
        if event.ok and any(beyond(event, each) for each in event.passed):
            broken(event, expected=REFUSED, observed=ACCEPTED, because=because, kind="beyond")
    outside = [e for event in trace.of("append") for e in event.passed if beyond(event, e)]
    judge_no_trace(trace, lambda each: any(each is one for one in outside), because)


def judge_limit(
    trace: Trace, inside: Callable[[Entry], bool], beyond: Callable[[Entry], bool], because: str
) -> None:
    """What is inside a limit is accepted and comes back; what is beyond it is refused."""
    judge_refused(trace, lambda event, entry: beyond(entry), because)
    judge_accepted(trace, inside, because)
    judge_there(trace, inside, because)
    judge_leaves(trace, lambda path, value: _fills(path, value), because, anchor=1)


def _fills(path: Path, value: Any) -> bool:
    return len(path) > 2 and path[-1] not in ("role", "type")


def _sizes(manifest: Manifest) -> list[Program]:
    limit = manifest.max_entry or 0
    return [
        guarded(manifest, said_of_size("inside", limit)),
        guarded(manifest, said_beyond("beyond", limit)),
    ]


@law(
    family="fidelity",
    source=["kit-limits"],
    incidents=["F20", "F23"],
    applies=declares("max_entry"),
    battery=_sizes,
)
def the_declared_entry_size_holds_on_both_sides(trace: Trace) -> None:
    """An entry of the declared size is kept whole; a larger one is refused and leaves nothing.

    A limit that is off by one, or beyond which a store cuts and says nothing, is no limit.
    """
    limit = trace.manifest.max_entry or 0
    because = f"max_entry is {limit} bytes: up to there entries are kept, beyond it refused."
    judge_limit(
        trace,
        lambda each: 2 * largest(each) > limit >= largest(each),
        lambda each: smallest(each) > limit,
        because,
    )


def _depths(manifest: Manifest) -> list[Program]:
    limit = manifest.max_depth or 0
    inside = custom("inside", data=nested(max(limit - 2, 1)))
    beyond = custom("beyond", data=nested(limit + 1))
    return [guarded(manifest, inside), guarded(manifest, beyond)]


@law(
    family="fidelity",
    source=["kit-limits"],
    incidents=["F45"],
    applies=declares("max_depth"),
    battery=_depths,
)
def the_declared_depth_holds_on_both_sides(trace: Trace) -> None:
    """An entry of the declared depth is kept whole; a deeper one is refused, leaving nothing.

    Whether the entry itself and its leaves count is left open: a level is left free on
    either side.
    """
    limit = trace.manifest.max_depth or 0
    because = f"max_depth is {limit}: up to there entries are kept, beyond it refused."
    judge_limit(
        trace,
        lambda each: 2 < depth(each) < limit,
        lambda each: depth(each) > limit + 1,
        because,
    )


def _long_ids(manifest: Manifest) -> list[Program]:
    limit = manifest.max_id or 0
    inside, beyond = "i" * limit, "i" * (limit + 1)
    return [
        program(append(inside, said("a")), append(inside, said("end")), load(inside)),
        program(
            append(inside, said("a")),
            append(beyond, said("b")),
            load(beyond),
            load(inside),
        ),
    ]


def _length(session: Key) -> int:
    return len(session if isinstance(session, str) else session[-1])


@law(
    family="fidelity",
    source=["kit-limits"],
    incidents=["F52"],
    applies=declares("max_id"),
    battery=_long_ids,
)
def the_declared_id_length_holds_on_both_sides(trace: Trace) -> None:
    """A session id of the declared length works; a longer one is refused and leaves nothing.

    Columns that cut an id give two sessions one log.
    """
    limit = trace.manifest.max_id or 0
    because = f"max_id is {limit}: session ids up to there work, longer ones are refused."
    judge_refused(trace, lambda event, _: _length(event.step.session) > limit, because)
    for event in trace.of("append"):
        if event.raised and _length(event.step.session) <= limit:
            broken(event, expected=ACCEPTED, observed=RAISED, because=because, kind="refused")
    judge_there(trace, lambda each: each.get("id") != "end", because)


def is_big_float(path: Path, value: Any) -> bool:
    """Whether a float is near the end of the range of 64-bit floats."""
    return isinstance(value, float) and abs(value) > 1e300


_REFUSALS: Final[dict[str, tuple[Concern, Entry]]] = {
    "nul": (has_nul, noting("nul", "a\x00b")),
    "surrogates": (has_surrogate, noting("surrogates", "a\ud800b")),
    "big-integers": (is_big_integer, noting("big-integers", 2**53 + 1)),
    "big-floats": (is_big_float, noting("big-floats", 1e308)),
}


def _refusals(manifest: Manifest) -> list[Program]:
    return [guarded(manifest, _REFUSALS[each][1]) for each in sorted(manifest.refuses)]


@law(
    family="fidelity",
    source=["kit-limits", "kit-refusals"],
    incidents=["F20", "F41", "F42", "F46"],
    applies=declares("refuses"),
    battery=_refusals,
)
def what_is_declared_as_refused_is_refused(trace: Trace) -> None:
    """Values that the manifest says are refused make the append raise and leave nothing.

    Otherwise the caller, who relies on the error, goes on with a session that holds
    something else.
    """
    concerns = [_REFUSALS[each][0] for each in sorted(trace.manifest.refuses)]
    because = f"the manifest says that {', '.join(sorted(trace.manifest.refuses))} is refused."
    judge_refused(trace, lambda _, entry: any(concerned(entry, each) for each in concerns), because)
