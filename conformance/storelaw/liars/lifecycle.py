"""Liars about the life of a session."""

from typing import Any

from storelaw.errors import SessionNotFound
from storelaw.liars.honest import (
    MANIFEST,
    HonestExplicit,
    HonestMedium,
    HonestStore,
    Log,
    claiming,
)
from storelaw.liars.registry import liar
from storelaw.values import Entry


@liar(
    "a_created_session_loads_as_empty",
    also=[
        "a_session_without_entries_opens_again",
        "a_session_that_was_created_opens",
        "a_failed_fork_can_be_tried_again",
    ],
    kinds=["F48"],
    most=2,
)
class FindsByEntries(HonestExplicit):
    """Finds a session by its entries, so that one without any can't be loaded."""

    class store(HonestStore):
        def load(self, session: Any, **filters: Any) -> list[Entry]:
            if not self.known(session).entries:
                raise SessionNotFound(repr(session))
            return super().load(session, **filters)


@liar(
    "creating_a_taken_id_is_refused",
    also=["a_fork_onto_a_taken_id_is_refused"],
    kinds=["F15"],
    most=2,
)
class CreatesTwice(HonestExplicit):
    """Takes a second create for a get."""

    class store(HonestStore):
        def create(self, session: Any, parent: Any = None) -> None:
            if self.found(session) is None:
                super().create(session, parent)


@liar(
    "a_refused_create_leaves_the_log",
    also=["a_fork_onto_a_taken_id_is_refused"],
    kinds=["F15"],
    most=5,
)
class TruncatesBeforeItLooks(HonestExplicit):
    """Truncates the file before it finds that the id is taken."""

    class store(HonestStore):
        def create(self, session: Any, parent: Any = None) -> None:
            self.clear(session)
            super().create(session, parent)


@liar(
    "append_never_creates_where_create_exists",
    also=["a_replace_of_an_unknown_session_is_answered_as_an_append"],
    most=1,
)
class CreatesOnAppend(HonestExplicit):
    """Creates what is appended to."""

    class store(HonestStore):
        def append(self, session: Any, entries: list[Entry]) -> None:
            if entries and self.found(session) is None:
                self.create(session)
            super().append(session, entries)


@liar("an_empty_append_to_an_unknown_session_is_not_found", kinds=["F08"], most=1)
class ReturnsEarly(HonestExplicit):
    """Returns at once when there is nothing to append."""

    class store(HonestStore):
        def append(self, session: Any, entries: list[Entry]) -> None:
            if entries:
                super().append(session, entries)


@liar("an_empty_append_changes_no_log", kinds=["F08"], most=2)
class NoRowsNoStatement(HonestMedium):
    """Builds a statement without rows, which its engine refuses."""

    class store(HonestStore):
        def append(self, session: Any, entries: list[Entry]) -> None:
            if not entries and self.found(session) is not None:
                raise ValueError("near VALUES: syntax error")
            super().append(session, entries)


@liar("an_empty_append_changes_no_log", kinds=["F08"], most=4)
class WritesAnEmptyRecord(HonestMedium):
    """Writes a record for a batch of nothing."""

    class store(HonestStore):
        def append(self, session: Any, entries: list[Entry]) -> None:
            super().append(session, entries)
            log = self.found(session)
            if log is not None and not entries:
                log.entries.append({})


@liar(
    "an_empty_append_creates_no_session",
    kinds=["F08", "F39"],
    mutants=["empty append creates the session"],
    most=2,
)
class EmptyCreates(HonestMedium):
    """Makes a session for a batch of nothing."""

    class store(HonestStore):
        def append(self, session: Any, entries: list[Entry]) -> None:
            super().append(session, entries)
            self.data.logs.setdefault(self.key(session), Log())


@liar("reading_creates_nothing", kinds=["F39"], most=2)
class GetOrCreate(HonestMedium):
    """Makes a session that it is asked to load."""

    class store(HonestStore):
        def load(self, session: Any, **filters: Any) -> list[Entry]:
            self.data.logs.setdefault(self.key(session), Log())
            return super().load(session, **filters)


@liar(
    "an_unknown_session_is_answered_as_declared",
    also=["a_run_of_only_ephemeral_input_runs", "two_live_sessions_grow_siblings"],
    kinds=["F39"],
    most=1,
)
class EmptyForMissing(HonestExplicit):
    """Claims to raise for an unknown session and gives an empty list."""

    class store(HonestStore):
        def unknown(self, session: Any) -> list[Entry]:
            return []


@liar("an_unknown_session_is_answered_as_declared", kinds=["F39", "F48"], most=3)
class NoneUntilWritten(HonestMedium):
    """Declares nothing; raises for a missing session until anything was written."""

    manifest = claiming(MANIFEST, options={"unknown_session": None})

    class store(HonestStore):
        def unknown(self, session: Any) -> list[Entry]:
            if not self.data.logs:
                raise SessionNotFound(repr(session))
            return []


@liar("a_closed_handle_stays_closed", kinds=["F59"], most=2)
class OpensAnew(HonestMedium):
    """Opens its connection anew when it finds it closed."""

    class store(HonestStore):
        def usable(self) -> None:
            """Nothing is ever refused."""


class OneStore(HonestStore):
    """A store with a single path beside the batch path."""

    def append_one(self, session: Any, entry: Entry) -> None:
        """Append one entry."""
        self.append(session, [entry])


class HonestSingle(HonestMedium):
    """An honest store with both paths."""

    manifest = claiming(MANIFEST, name="honest-single")
    store = OneStore


@liar("append_one_is_an_append_of_one", kinds=["F56", "F12"], most=6)
class UncheckedSinglePath(HonestSingle):
    """Looks for known ids in the batch path only."""

    class store(OneStore):
        def append_one(self, session: Any, entry: Entry) -> None:
            self.usable()
            batch = self.checked([self.kept(entry)])
            self.stored(self.writable(session, batch), batch)
