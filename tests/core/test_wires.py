"""The wires of a performance: an append by way of a proxy, cut off and looked at."""

import threading
from pathlib import Path
from typing import Any, ClassVar

import pytest

from storelaw import wires
from storelaw.cutoffs import AFTER, MOST, Cutoff, Cutoffs, Place, lose, numbered
from storelaw.errors import MediumFault, Rejected
from storelaw.liars.wire_honest import Client, Line, Server, WireDuplicates, WireHonest
from storelaw.manifest import Manifest
from storelaw.medium import Medium
from storelaw.narrative import program_lines
from storelaw.player import Notes, play
from storelaw.program import Program, program
from storelaw.proxy import Way
from storelaw.samples import said
from storelaw.trace import Event
from storelaw.wreckage import Sight

from .plain import PlainMedium

A, B = said("1"), said("2")


def last(medium: type[Medium], step: Any, notes: Notes | None = None) -> Event:
    """The event of a program of one step."""
    return play(program(step), medium, notes).events[-1]


def found(medium: type[Medium], point: Place = "before-reply") -> tuple[Cutoff, ...]:
    """The cut appends of two entries."""
    cutoffs: Cutoffs = last(medium, lose("s", A, B, point=point)).value
    return cutoffs.found


def ids(sight: Sight) -> list[str]:
    """The ids of the entries of a log."""
    return [each["id"] for each in sight.log]


# -------------------------------------------------------------------- as data


def test_each_append_has_a_session_and_ids_of_its_own() -> None:
    """Entries without an id stay without one."""
    bare = {"type": "custom", "kind": "note"}
    step = numbered(lose("s", A, bare, point="in-reply"), 3)
    assert (step.do, step.session) == ("append", "s-3")
    assert step.expanded() == [{**A, "id": "1-3"}, bare]


def test_a_step_is_saved_and_read_back() -> None:
    """A program with cuts is data like any other."""
    made = program(lose("s", A, point="before-request", then=B))
    assert Program.of(made.data()) == made


def test_a_step_is_told_on_one_line() -> None:
    """What is cut off, where, and what comes then."""
    lines = list(program_lines(program(lose("s", A, B, point="in-reply"))))
    assert lines[1].split("  #")[0] == (
        'cut off in-reply: store.append("s", [a, b]); then again, then append [c]'
    )


@pytest.mark.parametrize(
    ("came", "outcome"),
    [
        (Sight(), "ok"),
        (Sight(None, "Rejected", "Rejected: no"), "failed"),
        (Sight(None, "unknown", "OSError: no"), "unknown"),
    ],
)
def test_a_client_knows_one_of_three_things(came: Sight, outcome: str) -> None:
    """That its append passed, that it was refused, or nothing."""
    none = Sight()
    assert Cutoff("s-0", 0, True, (), (), came, none, none, none, none, none).outcome == outcome


# --------------------------------------------------------------------- as played


@pytest.mark.parametrize(
    ("point", "stored"), [("before-request", []), ("before-reply", ["1-0", "2-0"])]
)
def test_an_append_is_cut_off_in_each_of_its_exchanges(point: Place, stored: list[str]) -> None:
    """The first one here; the second append has no second one, and passes."""
    cut, passed = found(WireHonest, point)
    assert (cut.session, cut.passed, cut.struck, cut.outcome) == ("s-0", 0, True, "unknown")
    assert cut.came.text == "ConnectionError: nothing is known of append: the connection ended"
    assert ids(cut.seen) == ["first-0", *stored]
    assert ids(cut.again) == ["first-0", "1-0", "2-0"]
    assert ids(cut.later) == ["first-0", "1-0", "2-0", "after-0"]
    assert (cut.retried, cut.written) == (Sight(), Sight())
    assert [each["id"] for each in (*cut.before, *cut.sent)] == ["first-0", "1-0", "2-0"]
    assert (passed.session, passed.struck, passed.outcome) == ("s-1", False, "ok")
    assert ids(passed.seen) == ["first-1", "1-1", "2-1"]


def test_half_a_reply_is_none() -> None:
    """The append is stored, and its client doesn't know."""
    cut, _ = found(WireHonest, "in-reply")
    assert (cut.outcome, ids(cut.seen)) == ("unknown", ["first-0", "1-0", "2-0"])


def test_a_retry_is_made_by_another_client() -> None:
    """A store without ids keeps both."""
    cut, _ = found(WireDuplicates)
    assert ids(cut.again) == ["first-0", "1-0", "2-0", "1-0", "2-0"]


def test_the_event_says_what_passed() -> None:
    """The entries of the step, and each operation that passed in it once."""
    notes = Notes()
    event = last(WireHonest, lose("s", A, B, point="before-reply"), notes)
    assert event.passed == (A, B)
    assert [(each.step.do, each.ok) for each in event.nested] == [("load", True), ("append", True)]
    assert notes.left == set()


def test_a_medium_without_a_route_is_passed_over() -> None:
    """The step names what it lacks."""
    event = last(PlainMedium, lose("s", A, point="before-reply"))
    assert (event.outcome, event.text, event.nested) == ("skipped", "route", ())


class Chatty(Client):
    """Asks for the log time and again before it appends."""

    def sent(self, session: str, entries: list[Any]) -> None:
        """More requests than anybody cuts."""
        for _ in range(MOST):
            self.load(session)
        super().sent(session, entries)


class ChattyMedium(WireHonest):
    """A medium of it."""

    store = Chatty


def test_there_is_a_last_cut() -> None:
    """An append of many exchanges is cut in the first of them."""
    cutoffs = found(ChattyMedium)
    assert [each.passed for each in cutoffs] == list(range(MOST))
    assert Cutoffs(cutoffs).struck == MOST


class Explicit(WireHonest):
    """A server where a session is created before it is written to."""

    class server(Server):
        def create(self, line: Line, session: str) -> None:
            """A new session."""
            self.store.create(session)

    class store(Client):
        def create(self, session: str) -> None:
            """A new session."""
            self.ask("create", session)
            self.created.append(session)

        created: ClassVar[list[str]] = []

    manifest = Manifest(name="explicit", options={"create": "explicit"})


def test_a_session_is_created_where_that_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them once, by a client whose connection is sound."""
    monkeypatch.setattr(Explicit.store, "created", [])
    assert len(found(Explicit)) == 2
    assert Explicit.store.created == ["s-0", "s-1"]


class Settling(WireHonest):
    """Notes that it was asked to settle."""

    settled: ClassVar[list[str]] = []

    def settle(self) -> None:
        """Note it."""
        self.settled.append(self.name)


def test_a_medium_may_settle_after_a_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server may be at work for a client that is gone."""
    monkeypatch.setattr(Settling, "settled", [])
    assert len(found(Settling)) == len(Settling.settled) == 2


class Clumsy(WireHonest):
    """A client that can't be closed once it has lost its connection."""

    class store(Client):
        broken = False

        def lost(self, error: Exception, do: str, *args: Any) -> Any:
            """Remember it."""
            self.broken = True
            return super().lost(error, do, *args)

        def close(self) -> None:
            """Raise, if there is a reason."""
            super().close()
            if self.broken:
                raise OSError("it is gone")


def test_who_lost_its_connection_need_not_close_well() -> None:
    """What matters is the log."""
    assert [each.struck for each in found(Clumsy)] == [True, False]


# ------------------------------------------------------------------------ faults


class Unmoved(WireHonest):
    """Has a route, and takes none."""

    def route(self, through: Way) -> None:
        """Nothing."""


class Lost(WireHonest):
    """A route that can't be had."""

    def route(self, through: Way) -> None:
        """Raise."""
        raise OSError("no way")


class Unclosable(WireHonest):
    """A client that can't be closed."""

    class store(Client):
        def close(self) -> None:
            """Raise."""
            super().close()
            raise OSError("stuck")


UNASKED = (
    "medium: honest-by-wire's route() did not ask for a way; call through(host, port) "
    "with the server's, and let open() connect to the answer"
)


@pytest.mark.parametrize(
    ("medium", "words"),
    [
        (
            Unmoved,
            UNASKED,
        ),
        (Lost, "medium: honest-by-wire raised in route(): OSError: no way"),
        (
            Unclosable,
            "medium: honest-by-wire raised in close(): OSError: stuck",
        ),
    ],
)
def test_a_medium_that_fails_is_at_fault(medium: type[Medium], words: str) -> None:
    """The message says what it did."""
    with pytest.raises(MediumFault) as caught:
        found(medium)
    assert str(caught.value) == words


class WaitingStore(Client):
    """Waits at its medium's gate before it appends, if another client was cut off."""

    medium: Any = None

    def sent(self, session: str, entries: list[Any]) -> None:
        """Wait."""
        if self.medium.cut:
            self.medium.gate.wait()
        super().sent(session, entries)

    def lost(self, error: Exception, do: str, *args: Any) -> Any:
        """Keep everybody else out."""
        self.medium.cut = True
        return super().lost(error, do, *args)


class Waiting(WireHonest):
    """Where one client was cut off, all others wait until the end."""

    store = WaitingStore

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self.cut, self.gate = False, threading.Event()

    def open(self) -> Client:
        """A further client."""
        made = super().open()
        setattr(made, "medium", self)  # noqa: B010
        return made

    def destroy(self) -> None:
        """Let them go."""
        self.gate.set()
        super().destroy()


def test_nobody_is_waited_for_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits is left alone, and no further append is cut."""
    monkeypatch.setattr(wires, "LIMIT", 0.05)
    (cut,) = found(Waiting)
    late = Sight(None, "unknown", "TimeoutError: nothing came of it within 0.05 s")
    assert (cut.retried, cut.written) == (late, late)
    assert ids(cut.later) == ["first-0", "1-0", "2-0"]
    assert AFTER["id"] == "after"


def test_a_fault_of_another_client_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes from another thread."""

    class LateUnclosable(WireHonest):
        """A client that can't be closed on another thread."""

        class store(Client):
            def close(self) -> None:
                """Raise there."""
                super().close()
                if threading.get_ident() != self.thread:
                    raise OSError("stuck")

            thread = 0

        def open(self) -> Client:
            """Note the thread of the first."""
            made = super().open()
            type(made).thread = type(made).thread or threading.get_ident()  # type: ignore[attr-defined]
            return made

    with pytest.raises(MediumFault) as caught:
        found(LateUnclosable)
    assert str(caught.value) == (
        "medium: honest-by-wire raised in close() of a handle after a crash: OSError: stuck"
    )


def test_what_goes_wrong_beside_the_cuts_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing was cut where the session could not be begun."""

    def refused(*_: object) -> None:
        raise Rejected("not today")

    monkeypatch.setattr(Client, "sent", refused)
    event = last(WireHonest, lose("s", A, point="before-reply"))
    assert (event.error, event.text, event.nested) == ("Rejected", "Rejected: not today", ())
