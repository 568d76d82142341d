"""Liars about writes that fail half-way: the half that was done stays."""

from collections.abc import Sequence
from typing import Any

from storelaw.liars.failing import (
    FailingHonestMedium,
    FailingStore,
    PrefixHonestMedium,
    PrefixStore,
)
from storelaw.liars.honest import HonestMedium, HonestStore, Log
from storelaw.liars.registry import liar
from storelaw.values import Entry


@liar("a_failed_replace_leaves_the_old_log", kinds=["F19"], most=4)
class DeletesBeforeItInserts(HonestMedium):
    """Deletes the old entries before it looks at the new ones."""

    class store(HonestStore):
        def replace(self, session: Any, entries: list[Entry]) -> None:
            self.clear(session)
            super().replace(session, entries)


@liar("an_interrupted_replace_is_old_or_new", kinds=["F19"], most=6)
class ReplacesInTwoSteps(FailingHonestMedium):
    """Commits the delete and the insert of a replace apart."""

    class store(FailingStore):
        def half_done(self, what: str, point: str, target: Any, entries: Sequence[Entry]) -> None:
            del (self.known(target).entries if what == "replace" else [])[:]


@liar("an_interrupted_clear_is_old_or_new", kinds=["F19"], most=5)
class ClearsRowByRow(FailingHonestMedium):
    """Clears entry after entry."""

    class store(FailingStore):
        def half_done(self, what: str, point: str, target: Any, entries: Sequence[Entry]) -> None:
            del (self.known(target).entries if what == "clear" else [])[-1:]


@liar("an_interrupted_delete_is_old_or_new", kinds=["F19", "F57"], most=5)
class DeletesRowByRow(FailingHonestMedium):
    """Deletes entry after entry."""

    class store(FailingStore):
        def half_done(self, what: str, point: str, target: Any, entries: Sequence[Entry]) -> None:
            del (self.known(target).entries if what == "delete" else [])[-1:]


@liar("a_failure_before_the_commit_leaves_nothing", kinds=["F13", "F19"], most=5)
class NextCommitTakesAll(FailingHonestMedium):
    """Leaves a transaction open, which the commit of the next append takes along."""

    class store(FailingStore):
        def half_done(self, what: str, point: str, target: Any, entries: Sequence[Entry]) -> None:
            if what == "append" and point == "before-commit":
                self.left = list(entries)

        def stored(self, log: Log, entries: list[Entry]) -> None:
            left: list[Entry] = getattr(self, "left", [])
            super().stored(log, [*left, *(each for each in entries if each not in left)])


@liar("a_failure_inside_a_batch_leaves_what_is_promised", kinds=["F13", "F19"], most=5)
class CommitsEntryByEntry(FailingHonestMedium):
    """Claims whole batches and commits entry by entry."""

    class store(FailingStore):
        def half_done(self, what: str, point: str, target: Any, entries: Sequence[Entry]) -> None:
            if what == "append" and point != "before-commit":
                target.entries.extend(entries[:1])


@liar("a_failure_inside_a_batch_leaves_what_is_promised", kinds=["F13"], most=5)
class WritesInParallel(PrefixHonestMedium):
    """Writes the entries of a batch at once, so that a failure may leave the last ones."""

    class store(PrefixStore):
        def half_done(self, what: str, point: str, target: Any, entries: Sequence[Entry]) -> None:
            if what == "append" and point != "before-commit":
                target.entries.extend(entries)

        def append(self, session: Any, entries: list[Entry]) -> None:
            super().append(session, entries[::-1] if self.data.due else entries)


@liar("a_failure_after_the_commit_leaves_the_whole_batch", kinds=["F13", "F20"], most=5)
class TakesBackTheCommitted(FailingHonestMedium):
    """Cleans up after an error by deleting the last entry that it committed."""

    class store(FailingStore):
        def undone(self, what: str, target: Any, entries: Sequence[Entry]) -> None:
            del (target.entries if what == "append" else [])[-1:]


@liar("an_interrupted_create_leaves_nothing", kinds=["F19"], most=3)
class WritesTheRecordFirst(FailingHonestMedium):
    """Commits the record of a session apart from the rest."""

    class store(FailingStore):
        def half_done(self, what: str, point: str, target: Any, entries: Sequence[Entry]) -> None:
            made = {self.key(target): Log(record={"id": target})}
            self.data.logs.update(made if what == "create" else {})


@liar("an_interrupted_fork_leaves_nothing", kinds=["F19", "F33"], most=5)
class CopiesRowByRow(FailingHonestMedium):
    """Copies entry after entry into a fork."""

    class store(FailingStore):
        def half_done(self, what: str, point: str, target: Any, entries: Sequence[Entry]) -> None:
            some = [each.entries[:1] for each in self.data.logs.values()]
            made = {self.key(target): Log(one, {"id": target}) for one in some[:1]}
            self.data.logs.update(made if what == "fork" else {})
