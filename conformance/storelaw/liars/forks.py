"""Liars about forks."""

from typing import Any

from storelaw.liars.honest import HonestExplicit, HonestMedium, HonestStore, Log
from storelaw.liars.registry import liar
from storelaw.values import Entry


@liar("a_fork_holds_the_log_up_to_its_entry", kinds=["F33"], most=4)
class CutsBeforeTheEntry(HonestMedium):
    """Leaves the entry out at which it forks."""

    class store(HonestStore):
        def branch_of(self, log: Log, end: int) -> list[Entry]:
            return super().branch_of(log, end if end == len(log.entries) else end - 1)


@liar("a_fork_leaves_its_parent_unchanged", kinds=["F33"], most=4)
class CutsTheParent(HonestMedium):
    """Takes what comes after the fork away from the parent."""

    class store(HonestStore):
        def branch_of(self, log: Log, end: int) -> list[Entry]:
            branch = super().branch_of(log, end)
            del log.entries[end:]
            return branch


@liar("a_fork_and_its_parent_are_independent", kinds=["F33", "F50"], most=4)
class SharesTheLog(HonestMedium):
    """Gives the child the parent's own list."""

    class store(HonestStore):
        def branch_of(self, log: Log, end: int) -> list[Entry]:
            return log.entries if end == len(log.entries) else super().branch_of(log, end)


@liar("a_fork_at_an_unknown_entry_leaves_nothing_behind", kinds=["F33", "F19"], most=3)
class MakesTheChildFirst(HonestMedium):
    """Makes the child before it looks for the entry."""

    class store(HonestStore):
        def fork(self, session: Any, new: Any, at: str | None = None) -> Any:
            log = self.known(session)
            ids = [each.get("id") for each in log.entries]
            if at is not None and at not in ids and self.found(new) is None:
                self.data.logs[self.key(new)] = Log(self.branch_of(log, len(ids)))
            return super().fork(session, new, at)


@liar("a_fork_at_an_unknown_entry_leaves_nothing_behind", kinds=["F33"], most=2)
class ForksTheWholeLog(HonestMedium):
    """Takes an entry that it doesn't find for the last one."""

    class store(HonestStore):
        def fork(self, session: Any, new: Any, at: str | None = None) -> Any:
            ids = [each.get("id") for each in self.known(session).entries]
            return super().fork(session, new, at if at in ids else None)


@liar("a_fork_to_a_taken_id_is_refused", kinds=["F33", "F15"], most=3)
class WritesOverTheTaken(HonestMedium):
    """Writes the child over the session that has the id."""

    class store(HonestStore):
        def fork(self, session: Any, new: Any, at: str | None = None) -> Any:
            self.data.logs.pop(self.key(new), None)
            return super().fork(session, new, at)


@liar("a_fork_is_recorded_with_its_parent", kinds=["F33"], most=4)
class CopiesTheRecord(HonestExplicit):
    """Copies the parent's record along with the log."""

    class store(HonestStore):
        def fork(self, session: Any, new: Any, at: str | None = None) -> Any:
            super().fork(session, new, at)
            self.known(new).record = {**self.known(session).record, "id": new}
            return new


@liar("forking_an_unknown_session_is_not_found", kinds=["F33", "F39"], most=1)
class ForksNothing(HonestExplicit):
    """Makes an empty child of a session that it doesn't have."""

    class store(HonestStore):
        def fork(self, session: Any, new: Any, at: str | None = None) -> Any:
            if self.found(session) is None:
                self.create(new)
                return new
            return super().fork(session, new, at)
