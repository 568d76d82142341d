"""Liars about restarts: what they do to a log, they do when a handle is closed."""

from typing import Any

from storelaw.liars.honest import HonestMedium, HonestStore
from storelaw.liars.registry import liar
from storelaw.values import Entry, copied

RESUMED = [
    "a_resumed_session_has_the_same_messages",
    "a_resumed_session_has_the_same_transcript",
]


class Closing(HonestStore):
    """A store that does something to each log when it is closed."""

    def close(self) -> None:
        if not self.is_closed:
            for session in list(self.data.logs):
                self.left(session, self.data.logs[session].entries)
        super().close()

    def left(self, session: Any, entries: list[Entry]) -> None:
        """What becomes of a log."""


@liar(
    "entries_survive_a_reopen",
    also=[
        "all_sessions_survive_a_reopen",
        "an_append_after_a_reopen_keeps_what_was_there",
        *RESUMED,
    ],
    kinds=["F20"],
    mutants=["tail lost on reopen"],
)
class LosesTheTail(HonestMedium):
    """Loses the last entry of each log when it is closed."""

    class store(Closing):
        def left(self, session: Any, entries: list[Entry]) -> None:
            del entries[-1:]


@liar(
    "entries_survive_a_reopen",
    also=[
        "all_sessions_survive_a_reopen",
        "an_append_after_a_reopen_keeps_what_was_there",
        *RESUMED,
    ],
    kinds=["F20", "F21"],
    mutants=["write-behind, newest batch lost at restart"],
)
class WritesBehind(HonestMedium):
    """Writes a batch when the next one comes, and never the last."""

    class store(HonestStore):
        newest: tuple[Any, int] | None = None

        def append(self, session: Any, entries: list[Entry]) -> None:
            super().append(session, entries)
            self.newest = (session, len(entries))

        def close(self) -> None:
            if self.newest and not self.is_closed:
                session, count = self.newest
                log = self.data.logs.get(self.key(session))
                del (log.entries if log else [])[-count:]
            super().close()


@liar(
    "all_sessions_survive_a_reopen",
    also=["the_list_survives_a_reopen"],
    kinds=["F11", "F20"],
    most=5,
)
class ForgetsOtherSessions(HonestMedium):
    """Keeps the session that was written last, and forgets the others."""

    class store(HonestStore):
        last: Any = None

        def append(self, session: Any, entries: list[Entry]) -> None:
            super().append(session, entries)
            self.last = session

        def close(self) -> None:
            if self.last is not None:
                for each in [each for each in self.data.logs if each != self.key(self.last)]:
                    del self.data.logs[each]
            super().close()


@liar("the_order_survives_a_reopen", also=RESUMED, kinds=["F02"], most=5)
class ReadsFilesByName(HonestMedium):
    """Gives a log in the order of its ids when it is reopened."""

    class store(Closing):
        def left(self, session: Any, entries: list[Entry]) -> None:
            entries.sort(key=lambda each: str(each.get("id")))


@liar(
    "links_and_times_survive_a_reopen",
    also=["headers_never_change"],
    kinds=["F06"],
)
class StampsOnTheWayIn(HonestMedium):
    """Gives entries the time at which the store was closed."""

    class store(Closing):
        def left(self, session: Any, entries: list[Entry]) -> None:
            for each in entries:
                each["created_at"] = "2026-05-05T05:05:05Z"


@liar("links_and_times_survive_a_reopen", also=RESUMED, kinds=["F29"])
class LosesTheLinks(HonestMedium):
    """Forgets parents when it is closed."""

    class store(Closing):
        def left(self, session: Any, entries: list[Entry]) -> None:
            for each in entries:
                each.pop("parent_id", None)


@liar("all_members_survive_a_reopen", kinds=["F22", "F44"])
class KeepsItsOwnFields(HonestMedium):
    """Forgets members that it doesn't know when it is closed."""

    class store(Closing):
        own_fields = ("type", "id", "parent_id", "created_at", "message", "kind")

        def left(self, session: Any, entries: list[Entry]) -> None:
            for each in entries:
                for name in [name for name in each if name not in self.own_fields]:
                    del each[name]


@liar(
    "an_append_after_a_reopen_keeps_what_was_there",
    also=["a_fork_holds_the_log_up_to_its_entry"],
    kinds=["F19"],
    most=5,
)
class OpensForWriting(HonestMedium):
    """Begins a log anew with the first append after a reopen."""

    class store(HonestStore):
        def append(self, session: Any, entries: list[Entry]) -> None:
            log = self.found(session)
            if log is not None and session not in self.__dict__.setdefault("begun", set()):
                log.entries.clear()
            self.__dict__.setdefault("begun", set()).add(session)
            super().append(session, entries)


@liar(
    "an_append_after_a_reopen_goes_to_the_end",
    also=["writers_with_clocks_apart_keep_one_order"],
    kinds=["F02", "F04"],
    most=5,
)
class CountsFromNought(HonestMedium):
    """Puts what is appended after a reopen in front of what was there."""

    class store(HonestStore):
        own = 0

        def append(self, session: Any, entries: list[Entry]) -> None:
            super().append(session, entries)
            log = self.found(session)
            if log is not None and len(log.entries) > self.own:
                fresh = log.entries[-len(entries) :] if entries else []
                old = log.entries[: len(log.entries) - len(fresh)]
                log.entries[:] = [*old[: self.own], *fresh, *old[self.own :]]
                self.own += len(fresh)


@liar(
    "a_reopen_adds_nothing",
    kinds=["F13", "F38"],
)
class ReplaysItsJournal(HonestMedium):
    """Writes the last entry of each log again when it is closed."""

    class store(Closing):
        def left(self, session: Any, entries: list[Entry]) -> None:
            entries.extend(copied(entries[-1:]))


@liar(
    "reading_a_log_leaves_it_as_it_was",
    also=["all_members_survive_a_reopen"],
    kinds=["F39"],
    most=3,
)
class RewritesWhatItReads(HonestMedium):
    """Takes members that it doesn't know out of a log when it is read for the first time."""

    class store(HonestStore):
        def answered(self, log: Any, entries: list[Entry]) -> list[Entry]:
            for each in log.entries:
                each.pop("unknown", None)
            return entries
