"""Liars about requests and replies that are lost; with a sound connection all are right."""

from typing import Any

from storelaw.errors import EntryConflict, Rejected
from storelaw.liars.honest import Data, HonestStore, Log
from storelaw.liars.registry import liar
from storelaw.liars.wire_honest import Client, Line, Server, WireDuplicates, WireHonest
from storelaw.manifest import Manifest
from storelaw.values import Entry


@liar("an_acknowledged_append_outlives_its_connection", kinds=["F20"], most=1)
class ShrugsAtLostReplies(WireHonest):
    """Takes a broken connection for the end of an append that went well."""

    class store(Client):
        def lost(self, error: Exception, do: str, *args: Any) -> Any:
            return None


@liar(
    "a_cut_off_batch_leaves_what_is_promised",
    also=["a_conflict_is_refused_and_leaves_the_log"],
    kinds=["F19"],
    most=1,
)
class SendsEntryByEntry(WireHonest):
    """Claims whole batches and sends a request for each entry."""

    class store(Client):
        def sent(self, session: str, entries: list[Entry]) -> None:
            for each in entries:
                super().sent(session, [each])


@liar("a_lost_reply_is_no_refusal", kinds=["F13"], most=1)
class RefusesWhatItLost(WireHonest):
    """Makes a refusal of every error, one of the connection too."""

    class store(Client):
        def lost(self, error: Exception, do: str, *args: Any) -> Any:
            raise Rejected(f"{do} failed") from error


@liar("a_lost_reply_stores_no_entry_twice", kinds=["F13"], most=1)
class SendsAgain(WireDuplicates):
    """Sends a request again, on a fresh connection, whose reply was lost."""

    class store(Client):
        def lost(self, error: Exception, do: str, *args: Any) -> Any:
            self.close()
            self.connect()
            return self.ask(do, *args)


class LockingServer(Server):
    """Lets a client have a session to itself, from ``lock`` to ``unlock``."""

    def __init__(self, manifest: Manifest) -> None:
        self.owners: dict[str, Line] = {}
        super().__init__(manifest)

    def lock(self, line: Line, session: str) -> None:
        """Keep others out."""
        if self.owners.setdefault(session, line) is not line:
            raise TimeoutError("the session is locked")

    def unlock(self, line: Line, session: str) -> None:
        """Let others in."""
        del self.owners[session]


@liar(
    "a_cut_connection_leaves_no_lock",
    also=["a_retry_after_a_cut_stores_once"],
    kinds=["F19", "F25"],
    most=1,
)
class KeepsTheLockOfTheGone(WireHonest):
    """Waits for a client that is gone to give its lock back."""

    server = LockingServer

    class store(Client):
        def sent(self, session: str, entries: list[Entry]) -> None:
            self.ask("lock", session)
            try:
                super().sent(session, entries)
            finally:
                self.ask("unlock", session)


class Thankful(Client):
    """Tells the server that it has its reply."""

    def sent(self, session: str, entries: list[Entry]) -> None:
        """Two requests."""
        super().sent(session, entries)
        self.ask("thanks", session, entries)


class ThankedStore(HonestStore):
    """Overlooks the entries that it has stored and for which it was not thanked."""

    def __init__(self, data: Data, manifest: Manifest) -> None:
        super().__init__(data, manifest)
        self.overlooked: list[Entry] = []

    def stored(self, log: Log, entries: list[Entry]) -> None:
        """Put entries at the end, and wait for the thanks."""
        super().stored(log, entries)
        self.overlooked += entries

    def twin(self, entries: list[Entry], entry: Entry) -> Entry | None:
        """The stored entry with the same id, if its client has the reply."""
        return super().twin([each for each in entries if each not in self.overlooked], entry)


class LearningServer(Server):
    """Learns ids by the thanks."""

    def keeper(self, manifest: Manifest) -> HonestStore:
        """A store that must be thanked."""
        self.learning = ThankedStore(Data(), manifest)
        return self.learning

    def thanks(self, line: Line, session: str, entries: list[Entry]) -> None:
        """Learn the ids of a batch."""
        self.learning.overlooked = [e for e in self.learning.overlooked if e not in entries]


@liar("a_retry_after_a_cut_stores_once", kinds=["F13", "F15"], most=1)
class LearnsIdsByTheThanks(WireHonest):
    """Learns the ids of a batch when its client says that it has the reply."""

    store = Thankful
    server = LearningServer


class ReservingServer(Server):
    """Keeps the ids of a batch for its client until the thanks."""

    def __init__(self, manifest: Manifest) -> None:
        self.reserved: list[Entry] = []
        super().__init__(manifest)

    def append(self, line: Line, session: str, entries: list[Entry]) -> None:
        """Add a batch, if nobody else is about to."""
        if any(each in self.reserved for each in entries):
            raise EntryConflict("somebody else writes this entry")
        super().append(line, session, entries)
        self.reserved += entries

    def thanks(self, line: Line, session: str, entries: list[Entry]) -> None:
        """The batch is settled."""
        self.reserved = [each for each in self.reserved if each not in entries]


@liar("a_retry_after_a_cut_is_no_conflict", kinds=["F13", "F26"], most=1)
class ReservesForTheGone(WireHonest):
    """Takes the retry of a lost reply for another client's append under the same ids."""

    store = Thankful
    server = ReservingServer
