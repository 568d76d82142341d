"""Sessions: the engine that runs, branches, forks and compacts, over any store.

As in `chains`, each rule sits in one small method that a subclass can break.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Self

from storelaw_reference.transcript.chains import Chain
from storelaw_reference.transcript.entries import CompactionEntry, Entry, MessageEntry, is_turn
from storelaw_reference.transcript.errors import Rejected, Stale
from storelaw_reference.transcript.events import Event, Receipt
from storelaw_reference.transcript.forks import Copy, rekeyed, remapped
from storelaw_reference.transcript.messages import Message, user_message
from storelaw_reference.transcript.repair import repaired
from storelaw_reference.transcript.views import model_view, transcript_view

Model = Callable[[list[Message]], Iterable[Message]]
Summarize = Callable[[list[Message]], str]

INSTRUCTION = "Summarize the conversation so far, so that it can go on from your summary alone."
"""The user message that a summarizer reads last (PI-C8)."""


class Session(Chain):
    """One open session; `Session.open` makes it.

    No lock is held while a model, a summarizer or a publisher runs, so each
    may call back.
    """

    _running = False
    _closed = False

    def messages(self) -> list[Message]:
        """Return the history that a model would read: the model view, repaired.

        Rules: PI-V1, PI-C5, PI-S1, PI-S2, PI-E5.
        """
        return self._history()

    def transcript(self) -> list[Entry]:
        """Return the path as a person sees it. Rules: PI-V2, PI-C10, PI-E5."""
        return list(transcript_view(self.path()))

    def run(self, drafts: Iterable[Entry], model: Model) -> list[Receipt]:
        """Store the input, call the model once, and store each message as it comes.

        Return a receipt for the durable input, then one for each stored
        message. If the model or the store fails, the error propagates and
        what is stored stays. Raises `Rejected`, with nothing stored, for
        something that can't be called, on a closed session, and during
        another run.
        Rules: PI-A9, PI-A10, PI-A11, PI-E4, PI-E7, PI-E8, PI-E10, PI-V3, PI-V4,
        PI-V5, PI-S5, PI-X1, PI-X2, PI-N3, PI-L10.
        """
        given = list(drafts)
        if not callable(model):
            raise Rejected(model, "a model is called")
        self._begin()
        try:
            return self._turn(given, model)
        finally:
            self._running = False

    def branch(self, entry_id: str) -> None:
        """Move the leaf to a durable entry of this session; nothing is written.

        Raises `Rejected` for any other id, the leaf unmoved.
        Rules: PI-B1, PI-B2, PI-B4, PI-B5, PI-E6.
        """
        with self._lock:
            before, self._leaf = self._leaf, self._target(entry_id)
        self._publish(Event("session_branched", self.id, from_leaf_id=before, leaf_id=entry_id))

    def fork(self, new_id: str) -> Self:
        """Copy the path into a new session of that id, and return it open.

        Raises `SessionExists` for a taken id. After a failed copy the same
        id may be tried again.
        Rules: PI-F1, PI-F2, PI-F3, PI-F4, PI-F5, PI-F6, PI-F7, D-PI-2, D-PI-7.
        """
        with self._lock:
            leaf = self._leaf
            log = self._nursery.deliver(new_id, self.id, self._copied(self._inherited()))
        child = self._opened(new_id, log)
        self._publish(Event("session_forked", new_id, self.id, from_leaf_id=leaf))
        self._publish(Event("session_init", new_id, self.id, leaf_id=child.leaf))
        return child

    def compact(self, summarize: Summarize, keep_turns: int) -> CompactionEntry | None:
        """Put a summary in place of all but the last `keep_turns` turns of the path.

        Return the stored entry, or None where there is nothing to summarize.
        Raises `Stale`, with nothing stored, if the leaf moved meanwhile, and
        `Rejected` for a negative number.
        Rules: PI-C1, PI-C2, PI-C3, PI-C4, PI-C8, PI-C9, PI-X3, D-PI-5, D-PI-15.
        """
        if keep_turns < 0:
            raise Rejected(keep_turns, "a number of turns is 0 or more")
        with self._lock:
            leaf, path = self._leaf, self.path()
        cut = self._first_kept(path, keep_turns)
        if cut is None:
            return None
        draft = self._compaction(path, cut, summarize)
        with self._lock:
            self._require_leaf(leaf)
            (entry,) = self._commit([draft])
        self._publish(
            Event("session_compacted", self.id, from_leaf_id=leaf, leaf_id=entry.header.id)
        )
        assert isinstance(entry, CompactionEntry)
        return entry

    def close(self) -> None:
        """Let no further run begin; everything else goes on working. Rule: PI-L10."""
        self._closed = True

    # Running

    def _begin(self) -> None:
        with self._lock:
            if self._closed or self._running:
                raise Rejected(self.id, "closed" if self._closed else "another run is active")
            self._running = True

    def _turn(self, drafts: Sequence[Entry], model: Model) -> list[Receipt]:
        with self._lock:
            history = self._history()
            given = self._commit(drafts)
            receipts = [self._receipt(given)]
        self._tell(receipts[0])
        for message in model([*history, *self._input_messages(given)]):
            receipts.extend(self._answered(message))
        return receipts

    def _history(self) -> list[Message]:
        return self._repaired(self._model_view(self.path()))

    def _model_view(self, path: Sequence[Entry]) -> Sequence[Message]:
        return model_view(path)

    def _repaired(self, messages: Sequence[Message]) -> list[Message]:
        return list(repaired(messages))

    def _input_messages(self, given: Sequence[Entry]) -> list[Message]:
        """What of this turn's input the model reads."""
        return [entry.message for entry in given if isinstance(entry, MessageEntry)]

    def _answered(self, message: Message) -> list[Receipt]:
        """Take in one message of the model; an ephemeral one gets no receipt."""
        with self._lock:
            receipt = self._receipt(self._commit([MessageEntry(message)]))
        if not receipt.entries:
            return []
        self._tell(receipt)
        return [receipt]

    def _receipt(self, entries: Sequence[Entry]) -> Receipt:
        return Receipt(tuple(each for each in entries if not self._is_ephemeral(each)), self._leaf)

    def _tell(self, receipt: Receipt) -> None:
        self._publish(Event("agent", self.id, leaf_id=receipt.leaf, entries=receipt.entries))

    # Branching and forking

    def _target(self, entry_id: str) -> str:
        """The leaf behind a branch."""
        if not self._branchable(entry_id):
            raise Rejected(entry_id, "no stored entry of this session to branch to")
        return entry_id

    def _branchable(self, entry_id: str) -> bool:
        return entry_id in self._durable

    def _inherited(self) -> Sequence[Entry]:
        """What of this session a fork carries: the active path only."""
        return self.path()

    def _copied(self, path: Sequence[Entry]) -> Copy:
        """What a fork puts into the child."""
        ids = {entry.header.id: self._drawn() for entry in path}
        copies = self._rekeyed(path, list(ids.values()))
        return Copy(tuple(ids), [self._codec.encode(self._remapped(each, ids)) for each in copies])

    def _rekeyed(self, path: Sequence[Entry], new_ids: Sequence[str]) -> list[Entry]:
        """The path in one chain under new ids, creation times kept."""
        return rekeyed(path, new_ids)

    def _remapped(self, entry: Entry, ids: Mapping[str, str]) -> Entry:
        """A copied entry, with what it says of other entries put into the child's ids."""
        return remapped(entry, ids)

    def _opened(self, session_id: str, log: Sequence[dict[str, Any]]) -> Self:
        return type(self)(
            self._backing,
            session_id,
            log,
            new_id=self._new_id,
            now=self._now,
            publish=self._publish,
            codec=self._codec,
        )

    # Compacting

    def _turns(self, path: Sequence[Entry]) -> list[int]:
        """The places on the path where a turn begins."""
        return [place for place, entry in enumerate(path) if is_turn(entry)]

    def _first_kept(self, path: Sequence[Entry], keep_turns: int) -> int | None:
        """The place of the first entry that stays verbatim; None if there is nothing to do."""
        turns = self._turns(path)
        if len(turns) <= keep_turns:
            return None
        return turns[-keep_turns] if keep_turns else len(path)

    def _compaction(self, path: Sequence[Entry], cut: int, summarize: Summarize) -> CompactionEntry:
        messages = self._summary_input(path[:cut])
        anchor = path[cut].header.id if cut < len(path) else ""
        return CompactionEntry(summarize(messages), anchor, self._tokens(messages))

    def _summary_input(self, prefix: Sequence[Entry]) -> list[Message]:
        return [*self._repaired(self._model_view(prefix)), user_message(INSTRUCTION)]

    def _tokens(self, messages: Sequence[Message]) -> int:
        """What the last answer in the prefix reports as used; 0 without one."""
        answers = [message for message in messages if message.role == "assistant"]
        return answers[-1].usage.total() if answers else 0

    def _require_leaf(self, leaf: str) -> None:
        if self._leaf != leaf:
            raise Stale(leaf, f"it is {self._leaf!r} now")
