"""Wrecks of a performance: torn writes, damage, killed processes, and visits to what is left."""

from pathlib import Path
from typing import Any, ClassVar

import pytest

from storelaw.driver import Driver
from storelaw.errors import MediumFault, SessionNotFound
from storelaw.kills import ROUNDS, Kills
from storelaw.liars.crash_honest import FileHonest, FileStore
from storelaw.manifest import Manifest
from storelaw.medium import Medium
from storelaw.player import play
from storelaw.program import append, call, load, program
from storelaw.samples import said
from storelaw.trace import Event
from storelaw.victims import Heard, Victims
from storelaw.visits import Visits
from storelaw.worker import current
from storelaw.wreckage import Killed, Sight, Torn
from storelaw.wrecks import AFTER, MOST, damage, deed, kill, tear

from .plain import PlainMedium

A, B = said("1"), said("2")
BEGUN = (call("create", "s"), append("s", A))


def last(medium: type[Medium], *steps: Any) -> Event:
    """The last event of a program."""
    return play(program(*steps), medium).events[-1]


class CountingStore(FileStore):
    """Keeps the number of its sessions in a file beside them."""

    def made(self, path: Path, data: bytes) -> None:
        """Count, too."""
        super().made(path, data)
        number = len(list(self.folder.glob("*.lines")))
        (self.folder / "number").write_text(str(number))


class Counting(FileHonest):
    """A medium of it."""

    store = CountingStore


def test_a_torn_append_is_looked_at_on_copies() -> None:
    """Every cut, by a fresh handle before and after a further append."""
    event = last(FileHonest, *BEGUN, tear("s", B))
    torn: Torn = event.value
    assert event.passed == (B,)
    assert (torn.before.log, torn.whole.log) == ([A], [A, B])
    assert torn.tried == torn.possible == torn.cuts[-1].of - 1
    cut = torn.cuts[0]
    assert (cut.kept, cut.tail, cut.seen.log, cut.then.log) == (1, "", [A], [A, AFTER])
    assert cut.written == Sight()
    assert [each.step.do for each in event.nested] == ["load", "record", "append"]


def test_a_torn_creation_is_looked_at_with_its_record() -> None:
    """It is created again, if it can be."""
    event = last(FileHonest, tear("s"))
    torn: Torn = event.value
    assert (torn.record.value, torn.whole.log) == ({"id": "s"}, [])
    assert torn.before.error == "SessionNotFound"
    empty = torn.cuts[-1]
    assert (empty.left, empty.created) == (b"", True)
    assert empty.seen.text == empty.record.text == "Unreadable: a file has no record"
    assert [each.step.do for each in event.nested] == ["load", "record", "create"]


def test_further_files_lie_there_as_before_and_as_after() -> None:
    """Nobody knows which of them a crash would have reached."""
    torn: Torn = last(Counting, tear("s")).value
    assert {each.others for each in torn.cuts} == {"new", "old"}


def test_a_wreck_takes_a_power() -> None:
    """Without it the step is skipped, and names it."""
    skipped = [last(PlainMedium, each) for each in (tear("s", B), damage("s", 0, "cut"))]
    assert [(e.outcome, e.text) for e in skipped] == [("skipped", "files"), ("skipped", "damage")]


def test_a_write_that_raises_is_not_torn() -> None:
    """The event says what was raised."""
    event = last(FileHonest, tear("s", B))
    assert (event.raised, event.error, event.nested) == (True, "SessionNotFound", ())


def test_damage_is_done_by_the_medium() -> None:
    """To one append, in each of the ways."""
    for how in ("junk", "cut", "zero"):
        event = last(FileHonest, *BEGUN, append("s", B), damage("s", 0, how), load("s"))
        assert event.raised
        assert event.text.startswith("Unreadable: a line can't be read")


def test_a_killed_writer_is_looked_at() -> None:
    """At each moment of a sweep: what it was told, what is there, what a retry brings."""
    event = last(FileHonest, *BEGUN, kill("s"))
    killed: Killed = event.value
    assert killed.base.log == [A]
    assert killed.inside >= 1
    assert len({each.session for each in killed.kills}) == len(killed.kills)
    assert all(len(each.sent) == each.answered for each in killed.kills)
    assert all(each.later.log[-1] == AFTER for each in killed.kills)
    assert {each.step.do for each in event.nested} >= {"load", "append"}


@pytest.mark.parametrize("way", ["create", "fork"])
def test_a_killed_maker_is_looked_at(way: Any) -> None:
    """The session that was due, and the one that was made last."""
    killed: Killed = last(FileHonest, *BEGUN, kill("s", way)).value
    made = [each for each in killed.kills if each.answered]
    assert made
    base = [A] if way == "fork" else []
    assert all(each.last is not None and each.last.log == base for each in made)
    assert all(each.later.log == [*base, AFTER] for each in killed.kills)


class Settling(FileHonest):
    """Notes that it was asked to settle."""

    settled: ClassVar[list[str]] = []

    def settle(self) -> None:
        """Note it."""
        self.settled.append(self.name)


def test_a_medium_may_settle_after_a_kill(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server may be at work for a client that is dead."""
    monkeypatch.setattr("storelaw.kills.HALTS", 0)
    monkeypatch.setattr(Settling, "settled", [])
    killed: Killed = last(Settling, kill("s", "create")).value
    assert len(Settling.settled) == len(killed.kills)


def test_a_sweep_without_a_hit_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few times, and no more."""
    monkeypatch.setattr(Kills, "_heard", lambda *_: Heard(pid=1, begun=MOST, answered=MOST))
    monkeypatch.setattr("storelaw.kills.ANSWERS", ())
    monkeypatch.setattr("storelaw.kills.HALTS", 1)
    killed: Killed = last(FileHonest, kill("s")).value
    assert len(killed.kills) == 2 * ROUNDS
    assert all(each.ended and not each.inside for each in killed.kills)
    assert killed.kills[0].due[0]["id"] == f"s-1-{MOST}-0"


def test_a_process_that_came_to_its_end_has_done_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is looked at is none of the sessions that it made."""
    monkeypatch.setattr(Kills, "_heard", lambda *_: Heard(pid=1))
    monkeypatch.setattr("storelaw.kills.ANSWERS", ())
    monkeypatch.setattr("storelaw.kills.HALTS", 0)
    ended = last(FileHonest, *BEGUN, kill("s", "fork")).value.kills[0]
    monkeypatch.setattr(Kills, "_heard", lambda *_: Heard(pid=1, begun=1, answered=1))
    sessions = {ended.session, last(FileHonest, *BEGUN, kill("s", "fork")).value.kills[0].session}
    assert sessions == {"s-1-0", "s-1-1"}


def test_a_process_that_failed_is_not_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fault is the medium's."""

    class Local(FileHonest):
        """No other process can import it."""

    ended: list[Victims] = []
    monkeypatch.setattr(Victims, "end", lambda self: ended.append(self))
    with pytest.raises(MediumFault, match="is defined inside a function"):
        play(program(kill("s")), Local)
    (helper,) = ended
    monkeypatch.undo()
    helper.end()


# -------------------------------------------------------------------- visits


class Door:
    """A handle that raises where it is told to."""

    def load(self, _: Any) -> Any:
        """Never."""
        raise SessionNotFound("s\u00f6")


class DoorMedium(Medium):
    """Opens and closes as a test says."""

    manifest = Manifest(name="door")
    opens: Any = Door()
    closes: Any = None

    def open(self) -> Any:
        """The handle, or what was put in its place."""
        if isinstance(self.opens, Exception):
            raise self.opens
        return self.opens

    def close(self, handle: Any) -> None:
        """Nothing, or what was put in its place."""
        if self.closes:
            raise self.closes


def paid(opens: Any = Door, closes: Exception | None = None) -> list[Sight]:
    """Two visits to such a medium."""
    medium = DoorMedium(Path())
    medium.opens, medium.closes = opens() if isinstance(opens, type) else opens, closes
    return Visits(Driver(medium.manifest, current())).paid(medium, load("s"), load("s"))


def test_what_a_visit_meets_is_told() -> None:
    """By its identity, in ASCII."""
    assert paid() == [Sight(None, "SessionNotFound", "SessionNotFound: s\\xf6")] * 2
    assert paid()[0].log == []


def test_a_medium_that_cant_be_opened_gives_nothing_to_see() -> None:
    """All steps come to the same."""
    assert paid(OSError("locked")) == [Sight(None, "unknown", "OSError: locked")] * 2


def test_the_kits_own_errors_are_raised() -> None:
    """By opening, by a step and by closing."""
    fault = MediumFault("medium: no")

    class Faulty:
        """A handle whose load is the medium's fault."""

        def load(self, _: Any) -> Any:
            """Never."""
            raise fault

    for opens in (fault, Faulty):
        with pytest.raises(MediumFault, match=r"^medium: no$"):
            paid(opens)
    with pytest.raises(MediumFault) as caught:
        paid(closes=OSError("busy"))
    assert str(caught.value) == (
        "medium: door raised in close() of a handle after a crash: OSError: busy"
    )


# --------------------------------------------------------------------- deeds


def test_the_deeds_of_a_process_have_names_of_their_own() -> None:
    """By its number and by their own."""
    plain = Manifest(name="plain")
    first = deed(kill("s"), 3, 7, plain)
    assert first.session == "s-3"
    assert [each["id"] for each in first.expanded()] == ["s-3-7-0", "s-3-7-1", "s-3-7-2"]
    assert deed(kill("s", "create"), 3, 7, plain) == call("create", "s-3-7")
    assert deed(kill("s", "fork"), 3, 7, plain) == call("fork", "s", new="s-3-7")


def test_a_batch_is_as_large_as_the_manifest_allows() -> None:
    """One entry where there are no batches; a text that fits."""
    small = Manifest(name="small", batch="one", max_entry=400)
    (entry,) = deed(kill("s"), 1, 0, small).expanded()
    assert entry["message"]["content"][0]["text"] == f"s-1-0-0 {'x' * 100}"
