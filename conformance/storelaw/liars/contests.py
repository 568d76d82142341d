"""Liars that look first and act then: two clients look before either has acted."""

from typing import Any

from storelaw.errors import EntryConflict, SessionExists
from storelaw.liars.crowd_honest import ContestedMedium, LockedStore
from storelaw.liars.honest import Log
from storelaw.liars.registry import liar
from storelaw.values import Entry, copied, same


@liar("one_of_several_creators_wins", kinds=["F15"])
class LooksBeforeItCreates(ContestedMedium):
    """Looks for the session before it takes the lock."""

    class store(LockedStore):
        def create(self, session: Any, parent: Any = None) -> None:
            if self.found(session) is not None:
                raise SessionExists(repr(session))
            self.gap()
            with self.alone():
                self.data.logs.pop(self.key(session), None)
                super().create(session, parent)


@liar("a_session_deleted_beside_writers_stays_deleted", kinds=["F58", "F21"])
class PutsTheSessionBack(ContestedMedium):
    """Finds the session, then writes it with the new entries, whether it is still there or not."""

    class store(LockedStore):
        def append(self, session: Any, entries: list[Entry]) -> None:
            with self.alone():
                self.usable()
                log = self.writable(session, entries)
                batch = self.checked([self.kept(each) for each in entries])
            self.gap(6)
            with self.alone():
                self.stored(log, self.accepted(log, batch))
                if entries:
                    self.data.logs[self.key(session)] = log

        def delete(self, session: Any) -> None:
            self.gap(3)
            super().delete(session)


class CheckingStore(LockedStore):
    """Looks for known ids, and only then takes the lock and writes what seemed new."""

    def append(self, session: Any, entries: list[Entry]) -> None:
        with self.alone():
            self.usable()
            batch = self.checked([self.kept(each) for each in entries])
            log = self.writable(session, batch)
            fresh = self.accepted(log, batch)
        self.gap()
        with self.alone():
            self.written(log, fresh)

    def written(self, log: Log, fresh: list[Entry]) -> None:
        """Write what seemed new."""
        raise NotImplementedError

    def met(self, log: Log, entry: Entry) -> Entry | None:
        """What has come under the id of an entry meanwhile."""
        return self.twin(log.entries, entry)


@liar("one_of_several_payloads_under_an_id_wins", kinds=["F15"])
class OverlooksLateConflicts(ContestedMedium):
    """Leaves out what has come meanwhile, whatever its payload, and says that it is stored."""

    class store(CheckingStore):
        def written(self, log: Log, fresh: list[Entry]) -> None:
            self.stored(log, [each for each in fresh if self.met(log, each) is None])


@liar("an_entry_that_two_clients_append_is_stored_once", kinds=["F13", "F15"])
class StoresLateRetries(ContestedMedium):
    """Refuses another payload that has come meanwhile, and stores an equal one again."""

    class store(CheckingStore):
        def written(self, log: Log, fresh: list[Entry]) -> None:
            for each in fresh:
                twin = self.met(log, each)
                if twin is not None and not same(twin, each):
                    raise EntryConflict(f"{each['id']!r} is known with another payload")
            self.stored(log, fresh)


@liar("a_batch_refused_beside_writers_leaves_nothing", kinds=["F19"])
class StopsAtALateConflict(ContestedMedium):
    """Writes entry by entry, up to one under whose id another payload has come meanwhile."""

    class store(CheckingStore):
        def written(self, log: Log, fresh: list[Entry]) -> None:
            for each in fresh:
                twin = self.met(log, each)
                if twin is None:
                    self.stored(log, [each])
                else:
                    self.repeated(log, twin, each)


@liar("a_fork_beside_writers_is_a_beginning_of_its_parent", kinds=["F19"])
class CopiesTheNewest(ContestedMedium):
    """Counts the entries, and copies so many of the newest."""

    class store(LockedStore):
        def fork(self, session: Any, new: Any, at: str | None = None) -> Any:
            count = len(self.known(session).entries)
            self.gap()
            made = super().fork(session, new, at)
            if at is None:
                with self.alone():
                    newest = self.known(session).entries[-count:] if count else []
                    self.known(new).entries[:] = map(copied, newest)
            return made
