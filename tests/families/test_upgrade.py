"""The laws of upgrades: how a store may fail at what an earlier version wrote."""

from typing import Any

import pytest

from storelaw.catalogue import law_of
from storelaw.failures import Unseen
from storelaw.liars.upgrade_honest import FiledRows, Later, LaterStore
from storelaw.recordings import FURTHER, Kept, restored, row
from storelaw.trace import Event, Trace
from storelaw.trial import hold
from storelaw.values import Entry

READ, TAKEN = "recorded_sessions_are_still_read", "recorded_sessions_take_further_appends"


class RefusesOldSessions(Later):
    """Reads what was there, and takes nothing more."""

    class store(LaterStore):
        def append(self, session: str, entries: list[Entry]) -> None:
            if self.old(session):
                raise OSError("read only")
            super().append(session, entries)


class MixesFormats(Later):
    """Can't read a file any more once it has added to it."""

    class store(LaterStore):
        def carried(self, old: bytes) -> bytes:
            return old + b"not json\n"


class NeverOpens(Later):
    """Refuses the folder as soon as there is something in it."""

    def open(self) -> Any:
        if any(self.workdir.iterdir()):
            raise OSError("an older database")
        return super().open()


class NeverReads(Later):
    """Opens, and can't read what it finds."""

    class store(LaterStore):
        def load(self, session: str) -> list[Entry]:
            if self.old(session):
                raise OSError("an older row")
            return super().load(session)


@pytest.mark.parametrize(
    ("medium", "law", "outcome", "because"),
    [
        (RefusesOldSessions, READ, "held", ""),
        (RefusesOldSessions, TAKEN, "broken", "it is taken"),
        (MixesFormats, READ, "held", ""),
        (MixesFormats, TAKEN, "broken", "what was appended"),
        (NeverOpens, READ, "broken", "a handle"),
        (NeverOpens, TAKEN, "not evaluated", "the store doesn't open on what an earlier"),
    ],
)
def test_each_way_to_fail_is_told_by_one_law(
    medium: Any, law: str, outcome: str, because: str
) -> None:
    """Reading and going on are two laws, and the second says nothing where the first breaks."""
    verdict = hold(law_of(law), medium, "battery")
    assert verdict.outcome == outcome
    told = verdict.reason if verdict.failure is None else str(verdict.failure.expected)
    assert because in told


def test_a_session_that_is_not_read_says_nothing_of_appends() -> None:
    """The law of appends is not evaluated, since the law of readings is broken."""
    verdict = hold(law_of(TAKEN), NeverReads, "battery")
    assert verdict.outcome == "not evaluated"
    assert verdict.reason == "what an earlier version wrote is not read"


def test_a_row_without_a_scope_is_nobodys() -> None:
    """A program that was shrunk too far is no evidence, and no fault of the kit."""
    found = Kept("sl0", {"n/s": []})
    put = Event(1, row("n/s", FURTHER), passed=({"id": "x"},))
    trace = Trace(FiledRows.manifest, (Event(0, restored("n/s"), value=found), put))
    with pytest.raises(Unseen, match="what an earlier version wrote is not read"):
        law_of("recorded_scopes_take_further_rows").judge(trace)
