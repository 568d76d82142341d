"""Liars about filters together, on nothing, and on long logs."""

from typing import Any

from storelaw.liars.honest import HonestMedium, HonestStore
from storelaw.liars.registry import liar
from storelaw.values import Entry

_JOINT = "several_filters_apply_jointly"
_LONG = "a_window_is_exact_on_a_long_log"


@liar(_JOINT, kinds=["F08"], most=3)
class CountsBeforeItBounds(HonestMedium):
    """Takes the last n, and bounds those."""

    class store(HonestStore):
        def load(self, session: Any, **filters: Any) -> list[Entry]:
            counts = {name: filters.pop(name) for name in ("first", "last") if name in filters}
            bounded = super().load(session, **filters)
            kept = super().load(session, **counts)
            return [each for each in kept if each in bounded]


@liar(_JOINT, kinds=["F12"], most=3)
class HeedsOneBound(HonestMedium):
    """Heeds no upper bound where there is a lower one."""

    class store(HonestStore):
        def bounded(
            self, entries: list[Entry], after: str | None, before: str | None
        ) -> list[Entry]:
            return super().bounded(entries, after, before if after is None else None)


@liar(
    "a_filter_is_never_ignored",
    also=["since_selects_by_the_instant", _JOINT],
    kinds=["F12"],
    most=3,
)
class IgnoresSince(HonestMedium):
    """Takes a time and reads on without it."""

    class store(HonestStore):
        def recent(self, entries: list[Entry], since: str | None) -> list[Entry]:
            return entries


@liar("an_unknown_bound_never_gives_a_part", kinds=["F08"], most=3)
class SeeksThePlace(HonestMedium):
    """Gives what would follow the bound if the log were sorted by id."""

    class store(HonestStore):
        def bounded(
            self, entries: list[Entry], after: str | None, before: str | None
        ) -> list[Entry]:
            known = {each.get("id") for each in entries}
            if {after, before} - {None} - known:
                return entries[1:]
            return super().bounded(entries, after, before)


@liar("a_filter_on_nothing_gives_what_load_gives", kinds=["F08"], most=2)
class IndexesIntoNothing(HonestMedium):
    """Looks at the newest entry before it knows that there is one."""

    class store(HonestStore):
        def load(self, session: Any, **filters: Any) -> list[Entry]:
            if "last" in filters:
                super().load(session)[-1]
            return super().load(session, **filters)


@liar(
    "a_filtered_read_changes_nothing",
    kinds=["F39"],
    most=4,
)
class KeepsWhatWasAskedFor(HonestMedium):
    """Keeps what the last read through a count of entries asked for."""

    class store(HonestStore):
        def load(self, session: Any, **filters: Any) -> list[Entry]:
            answer = super().load(session, **filters)
            log = self.found(session)
            if "last" in filters and log is not None:
                log.entries[:] = answer
            return answer


@liar(_LONG, kinds=["F09"], most=3)
class StopsAtAPage(HonestMedium):
    """Gives no more than one page of its engine."""

    class store(HonestStore):
        def load(self, session: Any, **filters: Any) -> list[Entry]:
            answer = super().load(session, **filters)
            return answer[:50] if filters else answer


@liar(_LONG, kinds=["F09"], most=3)
class SeesTheTailOnly(HonestMedium):
    """Seeks its bounds in the newest page."""

    class store(HonestStore):
        def bounded(
            self, entries: list[Entry], after: str | None, before: str | None
        ) -> list[Entry]:
            page = entries if after is None else entries[-50:]
            return super().bounded(page, after, before)
