"""Sessions that harm the log that they work on."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from storelaw.liars.log_honest import LogDuplicates, LogHonest, varying
from storelaw.liars.registry import liar
from storelaw_reference import log


class _Moving(log.Session):
    def _copies(self, entries: Sequence[log.Entry], base: str | None) -> list[log.Entry]:
        copies = super()._copies(entries, base)
        gone = {each["id"] for each in entries}
        rest = [each for each in self._storage.read() if each["id"] not in gone]
        self._storage.clear()
        self._storage.append(*rest)
        return copies


@liar("what_is_in_the_log_stays", kinds=["F36"], most=7)
class RebaseMoves(LogHonest):
    """Takes the entries that it copies out of the log."""

    variants = varying(refs=_Moving)


class _Deleting(log.Session):
    def clear(self) -> None:
        self._storage.clear()


@liar("what_is_in_the_log_stays", also=["clear_keeps_the_history"], kinds=["F37"], most=3)
class ClearDeletes(LogHonest):
    """Deletes the history when the session is cleared (H5)."""

    variants = varying(refs=_Deleting)


class _Overwriting(log.Session):
    def checkout(self, target: str | None = None) -> None:
        super().checkout(target)
        known = self._storage.read()
        places = [i for i, each in enumerate(known) if each["type"] == "session/checkout"]
        self._storage.clear()
        self._storage.append(*(each for i, each in enumerate(known) if i not in places[:-1]))


@liar("what_is_in_the_log_stays", also=["a_checkout_is_one_control_entry"], most=3)
class KeepsOneCheckout(LogHonest):
    """Keeps only the last checkout in the log (H4)."""

    variants = varying(refs=_Overwriting)


class _Busybody(log.Session):
    def build_state(self, target: str | None = None) -> dict[str, Any]:
        self._write([self._ref("seen", None)])
        return super().build_state(target)


@liar("a_question_writes_nothing", kinds=["F39"], most=3)
class NotesItsReaders(LogHonest):
    """Writes a ref when it is asked for the state."""

    variants = varying(refs=_Busybody)


class _TakesAll(log.Session):
    def _require_new(self, now: log.Snapshot, drafts: Sequence[log.Entry]) -> None:
        pass


@liar("a_known_entry_does_no_damage", kinds=["F31"], most=3)
class TakesKnownEntries(LogDuplicates):
    """Stores an entry a second time, under the parent that it is itself (D-AP-1)."""

    variants = varying(refs=_TakesAll)


class _OneByOne(log.Session):
    def _write(self, batch: Sequence[log.Entry]) -> None:
        for each in batch:
            super()._write([each])


@liar("a_refused_operation_leaves_nothing", kinds=["F19"], most=4)
class WritesOneByOne(LogHonest):
    """Hands entries and their control entry to the storage one by one (D-AP-5)."""

    variants = varying(refs=_OneByOne)


class _Eager(log.Session):
    def append(self, *entries: Any) -> list[log.Entry]:
        return [one for each in entries for one in super(_Eager, self).append(each)]


@liar(
    "a_refused_operation_leaves_nothing",
    also=["the_control_entry_comes_last"],
    kinds=["F19"],
    most=3,
)
class ChecksOneByOne(LogHonest):
    """Checks and stores the entries of an append one after the other."""

    variants = varying(refs=_Eager)


class _Blocked(log.Session):
    _failed = False

    def append(self, *entries: Any) -> list[log.Entry]:
        if self._failed:
            raise log.SessionError("storage", "an earlier operation failed")
        try:
            return super().append(*entries)
        except Exception:
            self._failed = True
            raise


@liar("a_failure_does_not_block_the_next", most=4)
class StaysBlocked(LogHonest):
    """Takes nothing more once an append has failed."""

    variants = varying(refs=_Blocked)


class _Unchecked(log.Session):
    def _require_sound(self, log: Any, drafts: Any) -> None:
        pass


@liar("a_control_entry_is_checked_before_it_is_stored", kinds=["F29"], most=3)
class StoresAnyControl(LogHonest):
    """Stores control entries as it gets them (D-AP-12)."""

    variants = varying(refs=_Unchecked)


class _PassingOver(log.Session):
    def _unowned(self, log: Sequence[log.Entry]) -> list[log.Entry]:
        return []


@liar("a_foreign_log_is_refused_or_seen", kinds=["F49"], most=3)
class PassesOverPlainLogs(LogHonest):
    """Shows an empty history over a log without refs (D-AP-17)."""

    variants = varying(refs=_PassingOver)


class _Lenient(log.Session):
    def _raw(self) -> list[log.Entry]:
        seen = self._storage.read()
        return [each for each in seen if {"id", "type", "data", "timestamp"} <= each.keys()]


@liar("a_foreign_log_is_refused_or_seen", kinds=["F49"], most=3)
class SkipsBareInputs(LogHonest):
    """Skips what is no entry, as logs of an earlier format hold (G1)."""

    variants = varying(refs=_Lenient)


class _Swallowing(log.Session):
    def _write(self, batch: Sequence[log.Entry]) -> None:
        with suppress(log.SessionError):
            super()._write(batch)


@liar("what_was_taken_is_in_the_log", kinds=["F20"], most=4)
class SwallowsFailures(LogHonest):
    """Answers as if all were well when the storage fails (Q1)."""

    variants = varying(refs=_Swallowing)
