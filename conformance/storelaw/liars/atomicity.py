"""Liars about refused batches: what they leave, what they lock, what they swallow."""

from pathlib import Path
from typing import Any

from storelaw.errors import Rejected
from storelaw.liars.honest import MANIFEST, Data, HonestMedium, HonestStore, claiming, is_json
from storelaw.liars.registry import liar
from storelaw.values import Entry

PREFIX = claiming(MANIFEST, name="honest-prefix", batch="prefix")


@liar(
    "a_refused_batch_leaves_nothing",
    also=["a_conflict_is_refused_and_leaves_the_log"],
    kinds=["F19"],
    mutants=["batch with a bad entry leaves the good ones"],
    most=2,
)
class RowByRow(HonestMedium):
    """Claims whole batches and inserts row after row."""

    class store(HonestStore):
        def append(self, session: Any, entries: list[Entry]) -> None:
            for each in entries:
                super().append(session, [each])


@liar("a_refused_batch_leaves_at_most_a_prefix", kinds=["F19", "F20"], most=2)
class GoesOnAfterTheBad(HonestMedium):
    """Stores what comes after a bad entry too, and raises at the end."""

    manifest = PREFIX

    class store(HonestStore):
        def append(self, session: Any, entries: list[Entry]) -> None:
            super().append(session, [each for each in entries if is_json(each)])
            self.checked(entries)


@liar("a_refused_append_changes_nothing_stored_before", kinds=["F19", "F10"], most=4)
class RollsBackTooFar(HonestMedium):
    """Takes the newest stored entry back when it refuses a batch."""

    class store(HonestStore):
        def append(self, session: Any, entries: list[Entry]) -> None:
            try:
                super().append(session, entries)
            except Rejected:
                log = self.found(session)
                del (log.entries if log else [])[-1:]
                raise


class LockedData(Data):
    """Data with a lock that some handle holds."""

    owner: object = None


@liar("a_refused_append_leaves_no_lock", kinds=["F19"], most=3)
class KeepsTheLock(HonestMedium):
    """Never ends the transaction of an append that raised."""

    class store(HonestStore):
        data: LockedData

        def append(self, session: Any, entries: list[Entry]) -> None:
            if self.data.owner not in (None, self):
                raise RuntimeError("the database is locked")
            self.data.owner = self
            super().append(session, entries)
            self.data.owner = None

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self.data: LockedData = LockedData()


@liar("the_ids_of_a_refused_batch_can_be_appended_later", kinds=["F13", "F15"], most=3)
class LearnsTheRefused(HonestMedium):
    """Learns the ids of a batch before it looks at the entries."""

    class store(HonestStore):
        def __init__(self, data: Data, manifest: Any) -> None:
            super().__init__(data, manifest)
            self.refused: set[str] = set()

        def append(self, session: Any, entries: list[Entry]) -> None:
            fresh = [each for each in entries if each.get("id") not in self.refused]
            try:
                super().append(session, fresh)
            except Rejected:
                self.refused.update(str(each.get("id")) for each in fresh)
                raise


@liar("an_append_that_did_not_raise_is_there", kinds=["F20", "F22"], most=2)
class SwallowsTheBad(HonestMedium):
    """Leaves a bad entry out and says nothing."""

    class store(HonestStore):
        def checked(self, entries: list[Entry]) -> list[Entry]:
            return [each for each in entries if is_json(each)]


@liar("an_append_that_did_not_raise_is_there", kinds=["F20"], most=2)
class SwallowsTheBatch(HonestMedium):
    """Catches every error of a write."""

    class store(HonestStore):
        def append(self, session: Any, entries: list[Entry]) -> None:
            try:
                super().append(session, entries)
            except Rejected:
                return
