"""Liars about retries: each forgets, or misjudges, one rung of the ladder."""

import json
from pathlib import Path
from typing import Any

from storelaw.liars.failing import FailingHonestMedium, FailingStore
from storelaw.liars.honest import Data, HonestMedium, HonestStore, Log
from storelaw.liars.reappends import claims
from storelaw.liars.registry import liar
from storelaw.manifest import Manifest
from storelaw.values import Entry

#: The rungs above the plain retry that a store without any check misses too.
RUNGS = (
    "a_retried_batch_is_answered_as_declared",
    "an_overlapping_batch_adds_what_is_new",
    "a_retry_after_a_reopen_is_answered_as_declared",
    "a_retry_through_a_second_handle_is_answered_as_declared",
    "an_id_twice_in_one_batch_is_answered_as_declared",
    "cumulative_saves_are_answered_as_declared",
)


@liar(
    "an_exact_retry_is_answered_as_declared",
    also=[
        *RUNGS,
        "a_conflict_is_refused_and_leaves_the_log",
        "near_equal_payloads_are_other_payloads",
        "the_order_of_members_is_no_payload",
        "a_retry_is_looked_up_in_its_own_session",
    ],
    kinds=["F13", "F14"],
    mutants=["no uuid idempotency"],
    most=2,
)
class IgnoresIds(HonestMedium):
    """Stores whatever it is given, though it claims to know its ids."""

    class store(HonestStore):
        def twin(self, entries: list[Entry], entry: Entry) -> Entry | None:
            return None


class ForgetfulStore(HonestStore):
    """Knows the ids in a set of its handle, beside the log."""

    def __init__(self, data: Data, manifest: Manifest) -> None:
        super().__init__(data, manifest)
        self.mine: set[str] = set()

    def accepted(self, log: Log, entries: list[Entry]) -> list[Entry]:
        fresh = super().accepted(log, entries)
        self.mine.update(str(each.get("id")) for each in entries)
        return fresh


@liar(
    "an_exact_retry_is_answered_as_declared",
    also=["a_retry_is_looked_up_in_its_own_session"],
    kinds=["F13"],
    most=3,
)
class TrustsItsOwn(HonestMedium):
    """Doesn't check a single entry that its own handle has stored before."""

    class store(ForgetfulStore):
        def accepted(self, log: Log, entries: list[Entry]) -> list[Entry]:
            known = len(entries) == 1 and entries[0].get("id") in self.mine
            texts = [json.dumps(each) for each in log.entries] if known else []
            again = known and json.dumps(entries[0]) in texts
            return entries if again else super().accepted(log, entries)


@liar("a_retried_batch_is_answered_as_declared", kinds=["F13"], most=3)
class BulkUnchecked(HonestMedium):
    """Stores a batch of which every entry is known a second time."""

    class store(HonestStore):
        def accepted(self, log: Log, entries: list[Entry]) -> list[Entry]:
            fresh = super().accepted(log, entries)
            ids = {each.get("id") for each in entries}
            return entries if not fresh and len(ids) > 1 else fresh


@liar(
    "an_overlapping_batch_adds_what_is_new",
    also=["cumulative_saves_are_answered_as_declared"],
    kinds=["F13"],
    most=3,
)
class OverlapIsRetry(HonestMedium):
    """Takes a batch with one known id for a retry of the whole batch."""

    class store(HonestStore):
        def accepted(self, log: Log, entries: list[Entry]) -> list[Entry]:
            fresh = super().accepted(log, entries)
            known = any(self.twin(log.entries, each) is not None for each in entries)
            return [] if known else fresh


@liar(
    "a_retried_entry_keeps_its_place",
    kinds=["F13"],
    mutants=["retried uuid moves to the end"],
    most=3,
)
class MovesRetried(HonestMedium):
    """Deletes a retried entry and inserts it anew."""

    class store(HonestStore):
        def repeated(self, log: Log, twin: Entry, entry: Entry) -> None:
            super().repeated(log, twin, entry)
            log.entries.sort(key=lambda each: each is twin)


class ClosingData(Data):
    """Data that remembers which entries were stored before the last close."""

    before: set[int]

    def __init__(self) -> None:
        super().__init__()
        self.before = set()


@liar("a_retry_after_a_reopen_is_answered_as_declared", kinds=["F13", "F15"], most=3)
class ForgetsOnReopen(HonestMedium):
    """Keeps the known ids in memory until a handle is closed."""

    class store(HonestStore):
        data: ClosingData

        def twin(self, entries: list[Entry], entry: Entry) -> Entry | None:
            found = super().twin(entries, entry)
            return None if id(found) in self.data.before else found

        def close(self) -> None:
            super().close()
            stored = [each for log in self.data.logs.values() for each in log.entries]
            self.data.before.update(id(each) for each in stored)

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self.data: ClosingData = ClosingData()


@liar("a_retry_through_a_second_handle_is_answered_as_declared", kinds=["F13", "F14"], most=3)
class KnowsOnlyWhatItOpened(HonestMedium):
    """Reads the known ids when a handle is opened, and adds its own."""

    class store(ForgetfulStore):
        def __init__(self, data: Data, manifest: Manifest) -> None:
            super().__init__(data, manifest)
            for log in data.logs.values():
                self.mine.update(str(each.get("id")) for each in log.entries)

        def twin(self, entries: list[Entry], entry: Entry) -> Entry | None:
            known = entry.get("id") in self.mine or any(each is entry for each in entries)
            found = super().twin(entries, entry)
            stored = any(each is found for log in self.data.logs.values() for each in log.entries)
            return found if known or not stored else None


@liar("a_retry_after_a_lost_reply_is_answered_as_declared", kinds=["F13"], most=6)
class LearnsAfterTheReply(FailingHonestMedium):
    """Learns the ids of a batch when its caller was answered."""

    class store(FailingStore):
        def stored(self, log: Log, entries: list[Entry]) -> None:
            point = self.data.due[0][0] if self.data.due else ""
            self.data.aside = entries if point == "after-commit" else []
            super().stored(log, entries)

        def twin(self, entries: list[Entry], entry: Entry) -> Entry | None:
            found = super().twin(entries, entry)
            return None if any(each is found for each in self.data.aside) else found


@liar(
    "a_retry_after_a_failure_stores_the_batch",
    kinds=["F13", "F20"],
    most=6,
)
class LearnsBeforeTheCommit(FailingHonestMedium):
    """Learns the ids of a batch before it is committed."""

    class store(FailingStore):
        def stored(self, log: Log, entries: list[Entry]) -> None:
            fresh = [each for each in entries if each not in self.data.aside]
            if self.data.due:
                self.data.aside.extend(entries)
            super().stored(log, fresh)


@liar(
    "an_id_twice_in_one_batch_is_answered_as_declared",
    kinds=["F15"],
    most=2,
)
class ChecksTheLogOnly(HonestMedium):
    """Looks equal entries up in the stored log and not in the batch."""

    class store(HonestStore):
        def accepted(self, log: Log, entries: list[Entry]) -> list[Entry]:
            super().accepted(log, entries)
            return [each for each in entries if self.twin(log.entries, each) is None]


@liar(
    "cumulative_saves_are_answered_as_declared",
    kinds=["F14"],
    most=3,
)
class ComparesWithTheLastSave(HonestMedium):
    """Skips what the log's last save held, and takes the rest of a longer save for new."""

    class store(HonestStore):
        def accepted(self, log: Log, entries: list[Entry]) -> list[Entry]:
            fresh = super().accepted(log, entries)
            grown = len(entries) > len(fresh) + 1 > 1
            return entries[1:] if grown else fresh


@liar(
    "a_recreated_session_forgets_its_ids",
    kinds=["F57", "F58"],
    most=4,
)
class KeepsTheIndex(HonestMedium):
    """Leaves the ids of a deleted session in its index."""

    class store(HonestStore):
        data: "IndexedData"

        def accepted(self, log: Log, entries: list[Entry]) -> list[Entry]:
            dead = self.data.dead
            return [e for e in super().accepted(log, entries) if e.get("id") not in dead]

        def delete(self, session: Any) -> None:
            log = self.found(session)
            self.data.dead.update(str(e.get("id")) for e in (log.entries if log else ()))
            super().delete(session)

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self.data: IndexedData = IndexedData()


class IndexedData(Data):
    """Data with an index of ids that outlives its sessions."""

    dead: set[str]

    def __init__(self) -> None:
        super().__init__()
        self.dead = set()


@liar("retries_are_answered_alike_on_every_rung", kinds=["F13"], most=4)
class MergesWhatItRemembers(HonestMedium):
    """Declares nothing; merges a retry by the handle that stored it, stores any other twice."""

    manifest = claims(None)

    class store(ForgetfulStore):
        def twin(self, entries: list[Entry], entry: Entry) -> Entry | None:
            return super().twin(entries, entry) if entry.get("id") in self.mine else None


@liar(
    "a_retry_never_damages_the_log",
    kinds=["F13", "F14"],
    most=4,
)
class RewindsToTheRetry(HonestMedium):
    """Takes a retry for a rewind: what came after the retried entry goes."""

    manifest = claims(None)

    class store(HonestStore):
        def accepted(self, log: Log, entries: list[Entry]) -> list[Entry]:
            fresh = super().accepted(log, entries)
            names = [each.get("id") for each in entries]
            places = [i for i, each in enumerate(log.entries) if each.get("id") in names]
            del log.entries[max(places, default=len(log.entries)) + 1 :]
            return fresh
