"""Liars about what is deleted or cleared."""

from pathlib import Path
from typing import Any, ClassVar

from storelaw.errors import SessionNotFound
from storelaw.liars.honest import (
    MANIFEST,
    Data,
    HonestExplicit,
    HonestMedium,
    HonestStore,
    Log,
    claiming,
)
from storelaw.liars.registry import liar
from storelaw.values import Entry


@liar(
    "a_deleted_session_is_unknown",
    also=[
        "the_list_names_exactly_the_sessions_that_load",
        "deleting_an_unknown_session_is_answered_as_declared",
    ],
    kinds=["F57"],
    most=4,
)
class DeletesTheEntriesOnly(HonestExplicit):
    """Deletes the entries and leaves the record."""

    class store(HonestStore):
        def delete(self, session: Any) -> None:
            self.known(session).entries.clear()


@liar(
    "a_deleted_session_is_unknown",
    also=[
        "the_list_names_exactly_the_sessions_that_load",
        "a_deleted_session_never_comes_back",
    ],
    kinds=["F57", "F58"],
    most=3,
)
class DeletesNothing(HonestMedium):
    """Says that it deletes."""

    class store(HonestStore):
        def delete(self, session: Any) -> None:
            self.usable()


class Tombs(Data):
    """Data that keeps deleted logs."""

    def __init__(self) -> None:
        super().__init__()
        self.dead: dict[Any, list[Entry]] = {}


class TombStore(HonestStore):
    """A store that marks what it deletes."""

    data: Tombs

    def delete(self, session: Any) -> None:
        """Put the log aside."""
        log = self.found(session)
        if log is not None:
            self.data.dead[self.key(session)] = log.entries
        super().delete(session)


class TombMedium(HonestMedium):
    """The medium of stores that mark what they delete."""

    store: ClassVar[type[HonestStore]] = TombStore

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self.data: Tombs = Tombs()


@liar(
    "a_deleted_session_never_comes_back",
    also=["a_recreated_session_forgets_its_ids"],
    kinds=["F58"],
    mutants=["append after delete brings old entries back"],
    most=4,
)
class AppendRevives(TombMedium):
    """Marks a session as deleted; the next append takes the mark away."""

    class store(TombStore):
        def stored(self, log: Log, entries: list[Entry]) -> None:
            keys = [key for key, each in self.data.logs.items() if each is log]
            log.entries[:0] = [e for key in keys for e in self.data.dead.pop(key, [])]
            super().stored(log, entries)


@liar("a_deleted_session_never_comes_back", kinds=["F58"], most=4)
class ReopenRevives(TombMedium):
    """Writes its cache of entries back under a session that was made again, when it closes."""

    class store(TombStore):
        def close(self) -> None:
            super().close()
            for key, entries in self.data.dead.items():
                if key in self.data.logs:
                    self.data.logs[key].entries[:0] = entries


@liar("deleting_an_unknown_session_is_answered_as_declared", kinds=["F08"], most=1)
class DeleteRaises(HonestMedium):
    """Claims that a delete of nothing passes, and raises."""

    class store(HonestStore):
        def delete(self, session: Any) -> None:
            if self.found(session) is None:
                raise SessionNotFound(repr(session))
            super().delete(session)


@liar("deleting_an_unknown_session_is_answered_as_declared", kinds=["F08"], most=4)
class SecondDeleteRaises(TombMedium):
    """Declares nothing; passes over a session that never was, and raises for a deleted one."""

    manifest = claiming(MANIFEST, options={"unknown_delete": None})

    class store(TombStore):
        def delete(self, session: Any) -> None:
            if self.found(session) is None and self.key(session) in self.data.dead:
                raise SessionNotFound(repr(session))
            super().delete(session)


@liar("a_cleared_session_is_empty", kinds=["F57"], most=3)
class ClearsAPage(HonestMedium):
    """Clears the first two entries: a page of its engine."""

    class store(HonestStore):
        def clear(self, session: Any) -> None:
            self.usable()
            log = self.found(session)
            if log is not None:
                del log.entries[:2]


@liar("a_cleared_session_stays_usable", kinds=["F58"], most=4)
class ClearDropsTheRecord(HonestExplicit):
    """Drops the session's record when it clears the entries, and wants it for an append."""

    class store(HonestStore):
        def clear(self, session: Any) -> None:
            super().clear(session)
            self.known(session).record["cleared"] = True

        def append(self, session: Any, entries: list[Entry]) -> None:
            if entries and self.known(session).record.get("cleared"):
                raise SessionNotFound(repr(session))
            super().append(session, entries)


@liar("a_cleared_session_stays_usable", kinds=["F20"], most=4)
class ClearSwallows(HonestMedium):
    """Loses the first append after a clear."""

    class store(HonestStore):
        def clear(self, session: Any) -> None:
            super().clear(session)
            log = self.found(session)
            if log is not None:
                log.record["cleared"] = True

        def stored(self, log: Log, entries: list[Entry]) -> None:
            super().stored(log, [] if log.record.pop("cleared", False) else entries)
