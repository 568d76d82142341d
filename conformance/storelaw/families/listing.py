"""The list of sessions names exactly the sessions that load."""

from collections.abc import Iterator
from typing import Final, cast

from hypothesis.strategies import SearchStrategy

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.manifest import Manifest
from storelaw.model.lives import Lives
from storelaw.program import (
    Key,
    Program,
    append,
    call,
    list_sessions,
    load,
    program,
    reopened,
)
from storelaw.samples import custom, said
from storelaw.strategies.lives import lifecycles
from storelaw.trace import Event, Trace

A, B = said("1"), said("2")

#: A page that stores like to give; a list must not end there.
PAGE: Final = 100


def listings(trace: Trace) -> Iterator[tuple[Event, list[Key], list[Key]]]:
    """Each list of all sessions, with those that must be in it and those that must not."""
    lives, met = Lives(), dict[Key, None]()
    for event in trace.events:
        if event.step.do == "list_sessions" and event.ok and not event["prefix"]:
            living = [each for each in met if lives.lives(each)]
            yield event, living, [each for each in met if lives.unknown(each)]
        lives.feed(event)
        for each in (event.step.session, event["new"]):
            if each:
                met[each] = None


def named(event: Event) -> list[Key]:
    """The sessions that a list names."""
    return list(cast("list[Key]", event.value or []))


def _lives(_: Manifest) -> Iterator[Program]:
    begin = (append("a", A), append("b", B), append("c", A))
    yield program(*begin, load("a"), list_sessions())
    for change in (call("delete", "b"), call("clear", "b"), call("fork", "b", new="d")):
        yield program(*begin, change, list_sessions(), load("b"))
    yield program(*begin, call("delete", "b"), append("b", B), list_sessions(), load("b"))
    yield program(
        call("create", "a"), call("create", "d", parent="a"), append("a", A), list_sessions()
    )


def _generated(manifest: Manifest) -> SearchStrategy[Program]:
    return lifecycles()


@law(
    family="lifecycle",
    source=["kit-list"],
    incidents=["F11", "F57"],
    operations=["append", "load", "list_sessions"],
    battery=_lives,
    programs=_generated,
    weight=2,
)
def the_list_names_exactly_the_sessions_that_load(trace: Trace) -> None:
    """After any create, append, delete, clear or fork the list names the living sessions, each once.

    A store breaks it by an index that is written with some operations and not with others.
    """
    for event, living, dead in listings(trace):
        found = named(event)
        wrong = [each for each in found if each in dead or found.count(each) > 1]
        missing = [each for each in living if each not in found] if len(living) <= PAGE else []
        if wrong or missing:
            broken(
                event,
                expected=sorted(living, key=str),
                observed=sorted(found, key=str),
                because="the list names exactly the sessions that load.",
            )


def _many(_: Manifest) -> Iterator[Program]:
    yield program(append("s0", A), load("s0"), list_sessions())
    plain = custom("1")
    yield program(*(append(f"s{number}", plain) for number in range(PAGE + 1)), list_sessions())


@law(
    family="lifecycle",
    source=["kit-list"],
    incidents=["F09", "F11"],
    operations=["append", "load", "list_sessions"],
    battery=_many,
)
def the_list_is_whole_beyond_a_hundred_sessions(trace: Trace) -> None:
    """A list of more than a hundred sessions names them all.

    A store breaks it by a page of its engine that ends at a hundred, and says nothing.
    """
    for event, living, _ in listings(trace):
        found = named(event)
        missing = [each for each in living if each not in found]
        if len(living) > PAGE and missing and found:
            broken(
                event,
                expected=len(living),
                observed=len(found),
                because="a list of sessions is whole, however many there are.",
            )


@law(
    family="lifecycle",
    source=["PI-L8", "kit-list"],
    incidents=["F11"],
    operations=["append", "load", "list_sessions"],
    promises=["durable"],
    battery=[
        program(
            append("a", A), append("b", B), list_sessions(), reopened(), list_sessions(), load("a")
        )
    ],
)
def the_list_survives_a_reopen(trace: Trace) -> None:
    """A reopened store lists the sessions that it listed before.

    A store breaks it by an index in memory that fills as sessions are used.
    """
    before: list[Key] | None = None
    for event in trace.events:
        if event.step.do == "list_sessions" and event.ok and not event["prefix"]:
            found = sorted(named(event), key=str)
            if before is not None and found != before:
                broken(
                    event,
                    expected=before,
                    observed=found,
                    because="a reopen changes nothing in the list of sessions.",
                )
            before = found
        elif event.step.do not in ("reopen", "load"):
            before = None
