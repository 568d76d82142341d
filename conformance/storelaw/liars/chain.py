"""Liars about the chain: sessions that let an ephemeral entry, or a failed one, into it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from storelaw.engine import EngineSession
from storelaw.liars.honest import HonestMedium
from storelaw.liars.registry import liar
from storelaw.media.reference import ReferenceMedium
from storelaw.samples import is_ephemeral
from storelaw.values import Entry as Json
from storelaw_reference.transcript import Entry, Header, Session, SessionExists


@liar(
    "an_ephemeral_entry_never_reaches_the_store",
    also=[
        "an_answer_that_is_marked_ephemeral_never_reaches_the_store",
        "an_append_of_only_ephemeral_entries_does_not_call_the_store",
    ],
    kinds=["F40"],
    most=2,
)
class KeepsTheMark(HonestMedium):
    """Stores ephemeral entries with their mark, off the chain."""

    class session_class(Session):
        def _commit(self, drafts: Sequence[Entry]) -> list[Entry]:
            settled = self._assigned(drafts)
            if settled:
                self._store([json for json, _ in settled])
            for _, entry in settled:
                self._admit(entry)
            return [entry for _, entry in settled]


@liar(
    "an_answer_that_is_marked_ephemeral_never_reaches_the_store",
    kinds=["F40"],
    most=2,
)
class LooksAtTheInputOnly(HonestMedium):
    """Takes the mark off what the model and its hooks bring."""

    class session_class(Session):
        def _answered(self, message: Any) -> Any:
            return super()._answered(replace(message, injected=None, origin=""))


class Direct:
    """A handle that creates a session by its first append, as a session's store."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle

    def create(self, session_id: str, parent: str | None = None) -> None:
        """Refuse an id that holds entries; else the first append creates."""
        if self.load(session_id):
            raise SessionExists(session_id)

    def load(self, session_id: str) -> list[Json]:
        """The stored log."""
        log: list[Json] = self._handle.load(session_id)
        return log

    def append(self, session_id: str, entries: list[Json]) -> None:
        """Put entries at its end."""
        self._handle.append(session_id, entries)


class _Renaming(EngineSession):
    """Gives every ephemeral entry of an append one and the same id."""

    name = ""

    def append(self, entries: list[Json]) -> list[Json]:
        return [self._named(each) for each in super().append(entries)]

    def _named(self, entry: Json) -> Json:
        return {**entry, "id": self.name} if is_ephemeral(entry) else entry


class _AllAlike(_Renaming):
    name = "ephemeral"


@liar("an_ephemeral_entry_gets_an_id_of_its_own", most=2)
class NamesOnlyWhatItStores(HonestMedium):
    """Gives an ephemeral entry no id."""

    def open_session(self, handle: Any, session_id: Any) -> EngineSession:
        """A session that tells no id of what it doesn't store."""
        return _Renaming(Session.open(Direct(handle), session_id))


@liar("an_ephemeral_entry_gets_an_id_of_its_own", most=2)
class NamesThemAllAlike(HonestMedium):
    """Gives all ephemeral entries one id."""

    def open_session(self, handle: Any, session_id: Any) -> EngineSession:
        """A session that tells the same id of all that it doesn't store."""
        return _AllAlike(Session.open(Direct(handle), session_id))


@liar("the_entries_of_a_session_include_the_ephemeral_ones", most=3)
class ReadsItsEntriesBack(HonestMedium):
    """Tells as its entries what the store holds."""

    class session_class(Session):
        def entries(self) -> list[Entry]:
            return [each for each in super().entries() if not self._is_ephemeral(each)]


@liar("an_ephemeral_entry_hangs_off_the_chain", most=3)
class LeavesThemRootless(HonestMedium):
    """Gives an ephemeral entry no parent."""

    class session_class(Session):
        def _parent_of(self, draft: Entry, leaf: str) -> str:
            return "" if self._is_ephemeral(draft) else leaf


@liar("an_ephemeral_entry_hangs_off_the_chain", most=2)
class ChainsRemindersToEachOther(HonestMedium):
    """Hangs an ephemeral entry off the one before it, even an ephemeral one."""

    class session_class(Session):
        def _assigned(self, drafts: Sequence[Entry]) -> Any:
            settled: list[tuple[dict[str, Any], Entry]] = []
            previous = self._leaf
            for json, entry in super()._assigned(drafts):
                if self._is_ephemeral(entry):
                    entry = replace(entry, header=replace(entry.header, parent_id=previous))
                previous = entry.header.id
                settled.append((json, entry))
            return settled


@liar(
    "an_ephemeral_entry_does_not_move_the_leaf",
    also=["every_stored_parent_is_stored"],
    kinds=["F29"],
    most=2,
)
class MovesTheLeafWithEverything(HonestMedium):
    """Lets each call end with the leaf on the last entry, ephemeral or not."""

    class session_class(Session):
        def _admit(self, entry: Entry) -> None:
            super()._admit(entry)
            self._leaf = entry.header.id


@liar("an_append_of_only_ephemeral_entries_does_not_call_the_store", most=3)
class HandsOverAnEmptyBatch(HonestMedium):
    """Calls the store for every append, if with nothing."""

    class session_class(Session):
        def _commit(self, drafts: Sequence[Entry]) -> list[Entry]:
            if drafts and all(self._is_ephemeral(each) for each in drafts):
                self._store([])
            return super()._commit(drafts)


@liar(
    "every_stored_parent_is_stored",
    also=[
        "an_ephemeral_entry_does_not_move_the_leaf",
        "an_ephemeral_entry_hangs_off_the_chain",
        "each_entry_of_a_batch_hangs_off_the_one_before",
    ],
    kinds=["F29", "F30"],
    most=3,
)
class ChainsThroughTheEphemeral(HonestMedium):
    """Puts ephemeral entries into the chain like all others."""

    class session_class(Session):
        def _advance(self, leaf: str, entry: Entry) -> str:
            return entry.header.id


@liar("a_stored_entry_comes_after_its_parent", kinds=["F29"], most=2)
class WritesBackToFront(HonestMedium):
    """Hands the store each batch with its last entry first."""

    class session_class(Session):
        def _store(self, batch: list[dict[str, Any]]) -> None:
            super()._store(batch[::-1])


@liar(
    "each_entry_of_a_batch_hangs_off_the_one_before",
    kinds=["F29"],
    most=2,
)
class HangsTheBatchOffTheLeaf(HonestMedium):
    """Gives every entry of a batch the leaf that the batch began at."""

    class session_class(Session):
        def _parent_of(self, draft: Entry, leaf: str) -> str:
            return leaf if self._is_ephemeral(draft) else self._leaf


@liar(
    "an_append_hangs_off_the_leaf",
    also=[
        "an_append_after_a_branch_grows_a_sibling",
        "a_run_is_one_chain",
        "two_live_sessions_grow_siblings",
        "a_fork_goes_on_from_the_end_of_its_path",
        "a_resumed_session_goes_on_from_the_stored_log",
        "a_compaction_appends_one_entry_at_the_leaf",
    ],
    most=4,
)
class HangsEveryTurnOffTheRoot(HonestMedium):
    """Takes the first entry of the log for the parent of each append."""

    class session_class(Session):
        def _parent_of(self, draft: Entry, leaf: str) -> str:
            if leaf != self._leaf or not self._durable or self._is_ephemeral(draft):
                return leaf
            return next(iter(self._durable))


@liar("the_leaf_is_the_last_durable_entry", most=2)
class CountsABatchForOne(HonestMedium):
    """Leaves the leaf on the first entry of a batch."""

    class session_class(Session):
        def append(self, drafts: Any) -> list[Entry]:
            entries = super().append(drafts)
            stored = [each for each in entries if not self._is_ephemeral(each)]
            if stored:
                self._leaf = stored[0].header.id
            return entries


class _Trusting(EngineSession):
    """Passes the callers' headers on to the session underneath."""

    def __init__(self, session: "_Titled") -> None:
        super().__init__(session)
        self._titled = session

    def append(self, entries: list[Json]) -> list[Json]:
        self._titled.titles = [str(each.get("id") or "") for each in entries]
        return super().append(entries)


class _Titled(Session):
    """Gives an entry the id that its caller wrote."""

    titles: Sequence[str] = ()

    def _assigned(self, drafts: Sequence[Entry]) -> list[tuple[dict[str, Any], Entry]]:
        settled = super()._assigned(drafts)
        for place, (title, (_, entry)) in enumerate(zip(self.titles, settled, strict=False)):
            if title and not self._is_ephemeral(entry):
                settled[place] = self._settled(entry, self._retitled(entry, title))
        return settled

    def _retitled(self, entry: Entry, title: str) -> Header:
        return replace(entry.header, id=title)


@liar("a_session_overwrites_the_header_of_a_draft", most=2)
class TrustsTheCaller(HonestMedium):
    """Keeps the id of a draft that has one."""

    def open_session(self, handle: Any, session_id: Any) -> EngineSession:
        """A session that reads the headers of drafts."""
        return _Trusting(_Titled.open(Direct(handle), session_id))


@liar("the_entries_of_one_append_share_a_creation_time", kinds=["F06"], most=2)
class AsksTheClockForEach(HonestMedium):
    """Stamps each entry of a batch for itself."""

    class session_class(Session):
        def _settled(self, draft: object, header: Header) -> tuple[dict[str, Any], Entry]:
            times = [self._now() for _ in range(4)]
            stamped = replace(header, created_at=times[-1].isoformat())
            return super()._settled(draft, stamped)


@liar(
    "the_ids_of_a_log_are_unique_and_not_empty",
    kinds=["F15", "F31"],
    most=5,
)
class DrawsAnIdTwice(ReferenceMedium):
    """Gives the fourth entry of a log the id of its first."""

    class session_class(Session):
        appends = False

        def append(self, drafts: Any) -> list[Entry]:
            self.appends = True
            try:
                return super().append(drafts)
            finally:
                self.appends = False

        def _drawn(self) -> str:
            if self.appends and len(self._durable) == 3:
                return next(iter(self._durable))
            return super()._drawn()


@liar(
    "the_ids_of_a_log_are_unique_and_not_empty",
    also=["a_fork_copies_the_active_path"],
    kinds=["F31"],
    most=2,
)
class GivesCustomEntriesNoId(HonestMedium):
    """Stores an entry of the application without an id."""

    class session_class(Session):
        def _store(self, batch: list[dict[str, Any]]) -> None:
            super()._store(
                [{**each, "id": ""} if each["type"] == "custom" else each for each in batch]
            )


@liar(
    "a_failed_append_does_not_move_the_leaf",
    also=["every_stored_parent_is_stored"],
    kinds=["F29"],
    most=3,
)
class MovesTheLeafFirst(HonestMedium):
    """Moves the leaf before the store has the entries."""

    class session_class(Session):
        def _commit(self, drafts: Sequence[Entry]) -> list[Entry]:
            settled = self._assigned(drafts)
            before = self._leaf
            for _, entry in settled:
                self._leaf = self._advance(self._leaf, entry)
            if batch := [json for json, entry in settled if not self._is_ephemeral(entry)]:
                self._store(batch)
            self._leaf = before
            for _, entry in settled:
                self._admit(entry)
            return [entry for _, entry in settled]


@liar("a_failed_append_leaves_no_entry_behind", kinds=["F29"], most=4)
class TakesEntriesInFirst(HonestMedium):
    """Keeps an entry in its own log that the store has refused."""

    class session_class(Session):
        def _store(self, batch: list[dict[str, Any]]) -> None:
            try:
                super()._store(batch)
            except Exception:
                self._log.extend(self._codec.decode(each) for each in batch)
                raise
