"""Filters together, filters on nothing, filters on a long log."""

from typing import Any

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.families.window import any_filter, generated, judge_slice, read_by, seen_whole
from storelaw.manifest import Manifest
from storelaw.model.windows import identity, windows
from storelaw.narrative import Words
from storelaw.program import Many, Program, append, call, load, program
from storelaw.samples import custom
from storelaw.strategies.windows import hourly, pairs, usable
from storelaw.trace import Event, Trace

_SOURCE = ["kit-window"]


# ------------------------------------------------------------- joint filters


def _joint(manifest: Manifest) -> list[Program]:
    values = {"after": "e2", "before": "e6", "since": "2026-01-01T02:30:00Z"}
    counts = {"last": 2, "first": 2}
    reads = [{name: {**values, **counts}[name] for name in each} for each in pairs(manifest)]
    bounds = usable(manifest, ("after", "before", "since"))
    most = [{name: values[name] for name in bounds}] if len(bounds) > 2 else []
    return [read_by(*reads, *most, size=8)]


@law(
    family="window",
    source=_SOURCE,
    incidents=["F08", "F12"],
    battery=_joint,
    applies=lambda manifest: None if pairs(manifest) else "no two filters go together",
    programs=generated("after", "before", "since", "last", "first"),
    weight=4,
)
def several_filters_apply_jointly(trace: Trace) -> None:
    """Several filters apply together: the bounds first, the count last.

    A store breaks it by taking the last n and bounding those, or by heeding one filter of
    two: a page is then short, or goes beyond its end.
    """
    for window in windows(trace):
        if len(window.names()) > 1:
            judge_slice(trace, window, "several filters apply together: bounds first, counts last.")


_SELECTIVE: dict[str, Any] = {
    "last": 1,
    "first": 1,
    "after": "e4",
    "before": "e2",
    "since": "2026-01-01T04:30:00Z",
}


@law(
    family="window",
    source=_SOURCE,
    incidents=["F12"],
    battery=lambda manifest: [
        program(
            append("s", *hourly(5)),
            load("s"),
            *(load("s", **{each: _SELECTIVE[each]}) for each in usable(manifest, _SELECTIVE)),
            load("s"),
        )
    ],
    applies=any_filter(*_SELECTIVE),
)
def a_filter_is_never_ignored(trace: Trace) -> None:
    """A filter that the store takes has an effect: a selective value leaves something out.

    A store breaks it by taking the argument and reading on without it, on one path or on
    all: the caller has no way to see it but the length of the answer.
    """
    for window in windows(trace):
        right = window.slices()
        whole = window.event.ok and trace.same(window.full, window.observed)
        if whole and right is not None and not any(trace.same(window.full, e) for e in right):
            broken(
                window.event,
                expected=right[0],
                observed=window.observed,
                because="a filter that the store takes is never ignored.",
            )


def _bounded_by_nothing(manifest: Manifest) -> list[Program]:
    return [read_by(*({each: "never"} for each in usable(manifest, ("after", "before"))))]


@law(
    family="window",
    source=["kit-window"],
    incidents=["F08"],
    battery=_bounded_by_nothing,
    applies=any_filter("after", "before"),
)
def an_unknown_bound_never_gives_a_part(trace: Trace) -> str | None:
    """A bound of an id that the session does not hold is refused, or gives all or nothing.

    A store breaks it by seeking the place where the id would stand, and giving what lies
    beyond.
    """
    notes: dict[str, None] = {}
    for window in windows(trace):
        names = [each for each in window.names() if each in ("after", "before")]
        held = [identity(each) for each in window.full]
        if len(window.names()) == 1 and names and window.filters[names[0]] not in held:
            seen = seen_whole(trace, window)
            if seen is None:
                broken(
                    window.event,
                    expected=Words("nothing, all or an error"),
                    observed=window.observed,
                    because="an id that the session does not hold bounds no part of it.",
                )
            notes[f"saw an unknown {names[0]}: {seen}"] = None
    return "; ".join(notes) or None


# ------------------------------------------------------ empty, and unchanged


def _filtered_nothing(manifest: Manifest) -> list[Program]:
    names = usable(manifest, _SELECTIVE)
    reads = [load("s", **{each: _SELECTIVE[each]}) for each in names]
    return [
        program(append("other", *hourly(1)), load("other"), load("s"), *reads),
        program(append("s", *hourly(1)), call("clear", "s"), load("s"), *reads),
        program(call("create", "s"), load("s"), *reads),
    ]


@law(
    family="window",
    source=_SOURCE,
    incidents=["F08", "F48"],
    battery=_filtered_nothing,
    applies=any_filter(*_SELECTIVE),
)
def a_filter_on_nothing_gives_what_load_gives(trace: Trace) -> None:
    """A filtered read of an empty or unknown session gives what the full read gives there.

    A store breaks it by indexing into nothing, or by raising on one path and answering on
    the other. Where a bound names an entry that isn't there, an error is also right.
    """
    plain: dict[object, Event] = {}
    for event in trace.events:
        if event.step.do != "load":
            plain.clear()
        elif not event.step.args:
            plain[event.step.session] = event
        else:
            _judge_nothing(event, plain.get(event.step.session))


def _judge_nothing(event: Event, full: Event | None) -> None:
    if full is None or full.value or "skipped" in (full.outcome, event.outcome):
        return
    by_entry = {"after", "before"} & set(event.step.args)
    if event.raised and by_entry:
        return
    if (event.outcome, event.error, event.value) != (full.outcome, full.error, full.value):
        broken(event, expected=_told(full), observed=_told(event), because=_AS_LOAD)


_AS_LOAD = "a filtered read of nothing gives what the full read of nothing gives."


def _told(event: Event) -> Any:
    return Words(f"an error: {event.error}") if event.raised else event.value


@law(
    family="window",
    source=_SOURCE,
    incidents=["F39"],
    battery=lambda manifest: [
        program(
            append("s", *hourly(5)),
            load("s"),
            *(load("s", **{each: _SELECTIVE[each]}) for each in usable(manifest, _SELECTIVE)),
            load("s"),
        )
    ],
    applies=any_filter(*_SELECTIVE),
)
def a_filtered_read_changes_nothing(trace: Trace) -> None:
    """A filtered read leaves the log as it was.

    A store breaks it by keeping only what it was asked for.
    """
    before: dict[object, Any] = {}
    for event in trace.events:
        if event.step.do != "load":
            before.clear()
        elif event.ok and not event.step.args:
            known = before.setdefault(event.step.session, event.value)
            if not trace.same(known, event.value):
                broken(
                    event,
                    expected=known,
                    observed=event.value,
                    because="a filtered read leaves the log as it was.",
                )


# ------------------------------------------------------------------- long logs

_LONG = 1_001

#: The entries that make a log long: more than any other law writes.
_LEAST = 60


def _long(manifest: Manifest) -> list[Program]:
    values: dict[str, tuple[Any, ...]] = {
        "last": (_LONG - 1,),
        "first": (_LONG - 1,),
        "after": ("e-5",),
        "before": ("e-5",),
    }
    most = _LONG if manifest.keep is None else min(_LONG, manifest.keep)
    names = usable(manifest, values)
    reads = [load("s", **{each: value}) for each in names for value in values[each]]
    return [program(append("s", Many(custom("e"), most)), load("s"), *reads, load("s"))]


@law(
    family="window",
    source=_SOURCE,
    incidents=["F09"],
    battery=_long,
    applies=any_filter("last", "first", "after", "before"),
)
def a_window_is_exact_on_a_long_log(trace: Trace) -> None:
    """A window over a log of a thousand entries is as exact as over a short one.

    A store breaks it by a page of its engine: what lies on the next page can't be reached,
    and nothing says so.
    """
    for window in windows(trace):
        if len(window.full) >= _LEAST:
            judge_slice(trace, window, "a window is exact, however long the log is.")
