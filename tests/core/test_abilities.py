"""The smoke check: what a medium can do, and whose fault it is if it can't be driven."""

import asyncio
import atexit
import threading
import weakref
from pathlib import Path
from typing import Any, ClassVar

import pytest

from storelaw.abilities import abilities, give_up, left_behind
from storelaw.errors import MediumFault
from storelaw.liars.honest import HonestExplicit, HonestMedium
from storelaw.manifest import Manifest
from storelaw.medium import OPERATIONS, Medium
from storelaw.values import Entry
from storelaw.worker import Overdue


class Single:
    """A store with append_one and load."""

    def __init__(self) -> None:
        self.log: list[Entry] = []

    def append_one(self, session_id: str, entry: Entry) -> None:
        """Append."""
        self.log.append(entry)

    def load(self, session_id: str) -> Any:
        """Load."""
        return self.log


class SingleMedium(Medium):
    """Its medium."""

    manifest = Manifest(name="single")

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self.store: Any = Single()

    def open(self) -> Any:
        """The one store."""
        return self.store


def fault(medium: type[Medium]) -> str:
    """The message with which a medium is refused."""
    with pytest.raises(MediumFault) as caught:
        abilities(medium)
    return str(caught.value)


def test_operations_and_powers_are_found() -> None:
    """What the handle offers, less what the manifest leaves out, and the medium's powers."""
    known = abilities(HonestMedium)
    assert known.operations == set(OPERATIONS) - {"append_one", "create", "record", "refresh"}
    assert known.powers == {"clock"}
    assert {"create", "record"} <= abilities(HonestExplicit).operations


def test_single_appends_count_as_append() -> None:
    """A store with ``append_one`` can be held to the laws of append."""
    assert abilities(SingleMedium).operations == {"append_one", "append", "load"}


def test_a_medium_is_started_and_probed_once() -> None:
    """Dear set-up happens once in each process, and is undone at its end."""
    calls: list[str] = []

    class Starting(HonestMedium):
        @classmethod
        def start(cls) -> None:
            """Note it."""
            calls.append("start")

        @classmethod
        def stop(cls) -> None:
            """Note it."""
            calls.append("stop")

    assert abilities(Starting) is abilities(Starting)
    assert calls == ["start"]
    atexit.unregister(Starting.stop)


def test_a_medium_without_a_manifest_is_refused() -> None:
    """The message says what to add."""

    class Bare(Medium):
        """No manifest."""

    assert fault(Bare) == (
        "medium: Bare has no manifest; add manifest = storelaw.Manifest(name=...)"
    )


def test_a_start_that_raises_is_the_mediums_fault() -> None:
    """The message says where; the same fault is told for every further law."""

    class Failing(HonestMedium):
        @classmethod
        def start(cls) -> None:
            """Fail."""
            raise OSError("no d\u00e4mon")

    message = "medium: honest raised in start(): OSError: no d\\xe4mon"
    assert [fault(Failing), fault(Failing)] == [message, message]


class Lame(SingleMedium):
    """A medium whose handle lacks or breaks something."""

    handle: ClassVar[Any] = None

    def open(self) -> Any:
        """The handle."""
        return type(self).handle()


class Refusing(Single):
    """Refuses plain entries."""

    def append_one(self, session_id: str, entry: Entry) -> None:
        """Refuse."""
        raise ValueError("no")


class Wordy(Single):
    """Gives text."""

    def load(self, session_id: str) -> Any:
        """A text."""
        return "[]"


class Silent(Single):
    """Gives nothing."""

    def load(self, session_id: str) -> Any:
        """None, even after an append."""
        return None


class Loadless:
    """No load."""

    def append(self, session_id: str, entries: list[Entry]) -> None:
        """Append."""


class Stub(Loadless):
    """Stubs only."""

    def load(self, session_id: str) -> Any:
        """Not there."""
        raise NotImplementedError


@pytest.mark.parametrize(
    ("handle", "message"),
    [
        (
            Refusing,
            "medium: single can't be driven: append of a plain entry raised ValueError: no",
        ),
        (
            Wordy,
            (
                "medium: single can't be driven: load after an append gave a str; "
                "give a list of entries, oldest first"
            ),
        ),
        (
            Silent,
            (
                "medium: single can't be driven: load after an append gave a NoneType; "
                "give a list of entries, oldest first"
            ),
        ),
        (
            Loadless,
            "medium: the handle of single has no load; define it on the object that open() returns",
        ),
        (
            object,
            (
                "medium: the handle of single has no append and no load; "
                "define it on the object that open() returns"
            ),
        ),
        (Stub, "medium: single can't be driven: load raised NotImplementedError"),
    ],
)
def test_a_store_that_cannot_be_driven_breaks_no_law(handle: Any, message: str) -> None:
    """The smoke check says what is missing, before any law is tried."""
    assert fault(type("Lamer", (Lame,), {"handle": handle})) == message


def test_a_medium_that_hangs_in_open_is_given_up() -> None:
    """The hang is told once more for each law without hanging again."""
    gate = threading.Event()
    opened: list[int] = []

    class Hanging(SingleMedium):
        manifest = Manifest(name="hanging", operation_timeout=0.05)

        def open(self) -> Any:
            """Hang."""
            opened.append(1)
            gate.wait()

    with pytest.raises(Overdue, match=r"medium: open\(\) took longer than 0.05 s"):
        abilities(Hanging)
    assert "took longer" in fault(Hanging)
    gate.set()
    assert opened == [1]


def test_a_medium_can_be_given_up_later() -> None:
    """After a hang in a law, no further law is tried."""

    class Later(HonestMedium):
        """Good at first."""

    abilities(Later)
    give_up(Later, MediumFault("medium: it hung"))
    assert fault(Later) == "medium: it hung"


def test_an_open_event_loop_is_left_behind() -> None:
    """A loop that a medium never closes is found, dead weak references notwithstanding."""
    loops: list[asyncio.AbstractEventLoop] = []

    class Looping(HonestMedium):
        def __init__(self, workdir: Path) -> None:
            super().__init__(workdir)
            loops.append(asyncio.new_event_loop())

    class Gone:
        """Soon dead."""

    proxy = weakref.proxy(Gone())
    assert left_behind(Looping) == ("event loops",)
    for each in loops:
        each.close()
    assert left_behind(HonestMedium) == ()
    with pytest.raises(ReferenceError):
        str(proxy)
