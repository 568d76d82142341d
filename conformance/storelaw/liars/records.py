"""Liars about records and headers."""

from datetime import UTC, datetime
from typing import Any

from storelaw.errors import SessionNotFound
from storelaw.liars.honest import HonestExplicit, HonestMedium, HonestStore
from storelaw.liars.registry import liar
from storelaw.values import Entry


@liar("the_record_names_the_parent_verbatim", kinds=["F33"], most=2)
class DropsTheParent(HonestExplicit):
    """Has no use for the parent, and forgets it."""

    class store(HonestStore):
        def create(self, session: Any, parent: Any = None) -> None:
            super().create(session)


@liar("the_record_names_the_parent_verbatim", most=1)
class ForeignKey(HonestExplicit):
    """Wants the parent to be a session of its own."""

    class store(HonestStore):
        def create(self, session: Any, parent: Any = None) -> None:
            if parent is not None:
                self.known(parent)
            super().create(session, parent)


@liar("the_record_is_written_once", most=5)
class CountsInTheRecord(HonestExplicit):
    """Folds the number of entries into the record."""

    class store(HonestStore):
        def record(self, session: Any) -> dict[str, Any]:
            return {**super().record(session), "entries": len(self.known(session).entries)}


@liar("the_record_of_an_unknown_session_is_not_found", kinds=["F39"], most=1)
class MakesUpARecord(HonestExplicit):
    """Makes up a record for a session that it doesn't have."""

    class store(HonestStore):
        def record(self, session: Any) -> dict[str, Any]:
            self.usable()
            if self.found(session) is None:
                return {"id": session, "created_at": "1970-01-01T00:00:00+00:00"}
            return super().record(session)


@liar("the_creation_time_is_the_clocks", kinds=["F06", "F47"], most=3)
class StampsWithItsOwnClock(HonestExplicit):
    """Dates sessions by a clock of its own."""

    class store(HonestStore):
        def create(self, session: Any, parent: Any = None) -> None:
            super().create(session, parent)
            own = datetime(2020, 1, 1, tzinfo=UTC)
            self.known(session).record["created_at"] = own.isoformat()


class UpdatedStore(HonestStore):
    """A store whose record has the time of the last append."""

    def create(self, session: Any, parent: Any = None) -> None:
        """A new session, updated now."""
        super().create(session, parent)
        self.touched(session)

    def append(self, session: Any, entries: list[Entry]) -> None:
        """Append, and move the time."""
        super().append(session, entries)
        self.touched(session)

    def touched(self, session: Any) -> None:
        """Move the time of a session."""
        self.known(session).record["updated_at"] = self.data.now().isoformat()


class HonestUpdated(HonestExplicit):
    """An honest store with an ``updated_at``."""

    store = UpdatedStore


@liar(
    "the_update_time_moves_with_an_append",
    kinds=["F06", "F11"],
    mutants=["mtime frozen at creation"],
    most=5,
)
class FrozenUpdate(HonestUpdated):
    """Writes the time of the last update when it creates a session, and never again."""

    class store(UpdatedStore):
        def touched(self, session: Any) -> None:
            record = self.known(session).record
            record.setdefault("updated_at", self.data.now().isoformat())


@liar("headers_agree_with_the_entries", kinds=["F11", "F44"], most=3)
class LateIndex(HonestMedium):
    """Writes the header of an entry when the next one comes."""

    class store(HonestStore):
        def headers(self, session: Any) -> list[Entry]:
            return super().headers(session)[:-1]


@liar("headers_never_change", kinds=["F06"], most=4)
class StampsAnew(HonestMedium):
    """Gives each header the time at which the log was last saved."""

    class store(HonestStore):
        def headers(self, session: Any) -> list[Entry]:
            headers = super().headers(session)
            return [{**each, "saved": len(headers)} for each in headers]


@liar("headers_of_an_unknown_session_are_answered_as_a_load", most=2)
class HeadersGuarded(HonestMedium):
    """Raises where it is asked for headers that it doesn't have."""

    class store(HonestStore):
        def headers(self, session: Any) -> list[Entry]:
            self.usable()
            if self.found(session) is None:
                raise SessionNotFound(repr(session))
            return super().headers(session)
