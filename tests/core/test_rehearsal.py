"""Programs rehearsed on an honest medium, and their calls made again on another."""

import random
from typing import Any

import pytest

from storelaw.liars.honest import HonestExplicit, HonestMedium, HonestStore
from storelaw.medium import Medium
from storelaw.player import play
from storelaw.program import Program, append, at_once, call, load, program, reopened, run, session
from storelaw.rehearsal import Call, Rehearsal, Repetition
from storelaw.samples import said, user
from storelaw.values import Entry

READS = program(append("s", said("a")), load("s"))
LONGER = program(append("s", said("a")), load("s"), call("pop", "s"))
INNER = program(session("s"), run(user("u"), during=(call("headers", "s"),)))


class Dropping(HonestMedium):
    """Gives nothing back."""

    class store(HonestStore):
        """The store."""

        def answered(self, log: Any, entries: list[Entry]) -> list[Entry]:
            """Nothing."""
            return []


class Raising(HonestMedium):
    """Fails at pop, and draws a number in each append."""

    class store(HonestStore):
        """The store."""

        def append(self, session: Any, entries: list[Entry]) -> None:
            """Change what ``random`` gives next."""
            random.random()
            super().append(session, entries)

        def pop(self, session: Any) -> Entry | None:
            """Fail."""
            raise OSError("no")


class Unopened(HonestMedium):
    """Can't be opened."""

    def open(self) -> Any:
        """Fail."""
        raise OSError("no")


class OnDisk(HonestMedium):
    """Has a directory that a law may look at."""

    needs_directory = True


def rehearsed(each: Program, honest: type[Medium] = HonestMedium) -> Call:
    """The last call of a program on an honest medium."""
    last = Rehearsal(honest).part(each).last
    assert last is not None
    return last


def test_a_rehearsal_notes_each_call_of_a_handle_with_its_outcome() -> None:
    """In order, the opening first; the way leads from the first call to the last."""
    way = rehearsed(program(append("s", said("a")), load("s", on=0), reopened())).way()
    assert [each.operation for each in way] == ["open", "append", "load", "close", "open", "close"]
    assert [each.number for each in way] == [0, 0, 0, 0, 1, 1]
    assert way[1].args == ("s", [said("a")])
    assert way[2].outcome == (repr([said("a")]), "")


def test_a_rehearsal_notes_what_an_honest_store_raises() -> None:
    """In words that tell the type."""
    way = rehearsed(program(call("record", "s")), HonestExplicit).way()
    assert way[1].outcome == ("", "SessionNotFound(\"'s'\")")


def test_a_rehearsal_notes_the_code_and_the_names_that_a_program_comes_to() -> None:
    """What no step asks for isn't among them; steps inside steps count."""
    rehearsal = Rehearsal(HonestMedium)
    reads, inner = rehearsal.part(READS), rehearsal.part(INNER)
    assert HonestStore.load.__code__ in reads.codes
    assert HonestStore.pop.__code__ not in reads.codes
    assert HonestStore.headers.__code__ in inner.codes
    assert {"append", "load"} <= reads.asked
    assert {"open_session", "run", "headers"} <= inner.asked


def test_a_program_is_rehearsed_once() -> None:
    """The same program gives the same part, and programs that begin alike share their calls."""
    rehearsal = Rehearsal(HonestMedium)
    assert rehearsal.part(READS) is rehearsal.part(READS)
    reads, longer = rehearsal.part(READS).last, rehearsal.part(LONGER).last
    assert reads is not None
    assert longer is not None
    assert reads.way()[:3] == longer.way()[:3]


@pytest.mark.parametrize("do", ["meddle", "clock", "fail_next"])
def test_calls_alone_do_not_repeat_every_program(do: str) -> None:
    """Steps that reach past the handle leave a program without a last call."""
    step = call(do, "s", what="loaded", fn="2026-01-01T00:00:00+00:00")
    assert Rehearsal(HonestMedium).part(program(load("s"), step)).last is None


@pytest.mark.parametrize("way", ["threads", "processes"])
def test_nothing_is_noted_beside_this_thread(way: str) -> None:
    """Such a program isn't rehearsed at all; what it asks for is known."""
    part = Rehearsal(Unopened).part(program(at_once("s", way, A=(call("pop", "s"),))))
    assert (part.beside, part.last, part.codes) == (True, None, frozenset())
    assert {"at_once", way, "pop"} <= part.asked


def test_tasks_are_rehearsed_like_any_other_program() -> None:
    """They are on this thread."""
    part = Rehearsal(HonestMedium).part(program(at_once("s", "tasks", A=(load("s"),))))
    assert not part.beside
    assert HonestStore.load.__code__ in part.codes


def test_the_honest_medium_agrees_with_itself() -> None:
    """Every call is answered alike, and calls that agreed aren't made again."""
    last = rehearsed(LONGER)
    repetition = Repetition(HonestMedium)
    assert repetition.agrees(last)
    assert repetition.agrees(last)


def test_another_answer_or_error_is_seen() -> None:
    """At the call where it comes, and for every program that goes through it."""
    rehearsal = Rehearsal(HonestMedium)
    reads, longer = rehearsal.part(READS).last, rehearsal.part(LONGER).last
    assert reads is not None
    assert longer is not None
    dropping, raising, unopened = map(Repetition, (Dropping, Raising, Unopened))
    assert [dropping.agrees(each) for each in (reads, longer)] == [False, False]
    assert [raising.agrees(each) for each in (reads, longer)] == [True, False]
    assert not unopened.agrees(reads)
    assert not Repetition(OnDisk).agrees(reads)


def test_a_repetition_leaves_random_as_it_was() -> None:
    """As a played program does."""
    last = rehearsed(READS)
    state = random.getstate()
    assert Repetition(Raising).agrees(last)
    assert random.getstate() == state


def test_a_taped_handle_shows_what_the_handle_has() -> None:
    """Attributes that are no operations come through as they are."""
    seen: list[Any] = []

    class Looking(HonestMedium):
        def close(self, handle: Any) -> Any:
            """Look at the handle."""
            seen.append(handle.is_closed)
            return super().close(handle)

    Rehearsal(Looking).part(READS)
    play(READS, Looking)
    assert seen == [False, False]
