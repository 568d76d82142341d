"""Liars about limited and filtered reads."""

from storelaw.liars.honest import MANIFEST, HonestMedium, HonestStore, claiming
from storelaw.liars.registry import liar
from storelaw.values import Entry

_JOINT = "several_filters_apply_jointly"
_LONG = "a_window_is_exact_on_a_long_log"


@liar(
    "the_last_entries_are_the_newest_in_ascending_order",
    also=[_JOINT, _LONG],
    kinds=["F03"],
    most=3,
)
class LimitsFromTheStart(HonestMedium):
    """Gives the oldest n for the newest n."""

    class store(HonestStore):
        def counted(self, entries: list[Entry], first: int | None, last: int | None) -> list[Entry]:
            return super().counted(entries, last if first is None else first, None)


@liar(
    "the_last_entries_are_the_newest_in_ascending_order",
    also=[_JOINT, _LONG],
    kinds=["F03"],
    most=3,
)
class GivesNewestFirst(HonestMedium):
    """Forgets to turn a newest-first answer round."""

    class store(HonestStore):
        def counted(self, entries: list[Entry], first: int | None, last: int | None) -> list[Entry]:
            counted = super().counted(entries, first, last)
            return counted if last is None else counted[::-1]


@liar(
    "the_first_entries_are_the_oldest_in_ascending_order",
    also=[_JOINT, _LONG],
    kinds=["F03"],
    most=3,
)
class CountsFromTheEnd(HonestMedium):
    """Gives the newest n for the oldest n."""

    class store(HonestStore):
        def counted(self, entries: list[Entry], first: int | None, last: int | None) -> list[Entry]:
            return super().counted(entries, None, first if last is None else last)


@liar("after_begins_behind_its_entry", also=[_JOINT, _LONG], kinds=["F08"], most=3)
class IncludesAfter(HonestMedium):
    """Begins with the entry that it should begin behind."""

    class store(HonestStore):
        def bounded(
            self, entries: list[Entry], after: str | None, before: str | None
        ) -> list[Entry]:
            return [e for e in entries if e.get("id") == after] + super().bounded(
                entries, after, before
            )


@liar("before_ends_ahead_of_its_entry", also=[_JOINT, _LONG], kinds=["F08"], most=3)
class IncludesBefore(HonestMedium):
    """Ends with the entry that it should end ahead of."""

    class store(HonestStore):
        def bounded(
            self, entries: list[Entry], after: str | None, before: str | None
        ) -> list[Entry]:
            return super().bounded(entries, after, before) + [
                e for e in entries if e.get("id") == before
            ]


@liar("since_selects_by_the_instant", kinds=["F47"], most=3)
class ComparesTimesAsText(HonestMedium):
    """Compares times as they are written."""

    class store(HonestStore):
        def recent(self, entries: list[Entry], since: str | None) -> list[Entry]:
            return [each for each in entries if since is None or each["created_at"] >= since]


@liar("a_count_of_zero_gives_nothing", kinds=["F08"], most=3)
class TakesZeroForNone(HonestMedium):
    """Asks whether there is a count where it means whether it is None."""

    class store(HonestStore):
        def counted(self, entries: list[Entry], first: int | None, last: int | None) -> list[Entry]:
            return super().counted(entries, first or None, last or None)


@liar("a_negative_count_does_what_is_declared", kinds=["F08"], most=3)
class SlicesByNegativeCounts(HonestMedium):
    """Passes a negative count on to a slice."""

    manifest = claiming(MANIFEST, options={"negative_count": None})

    class store(HonestStore):
        def counted(self, entries: list[Entry], first: int | None, last: int | None) -> list[Entry]:
            if last is not None and last < 0:
                return entries[-last:]
            return super().counted(entries, first, last)


@liar("a_negative_count_does_what_is_declared", kinds=["F08"], most=3)
class TakesNegativeForAll(HonestMedium):
    """Passes a negative count on to an engine for which it is no limit."""

    class store(HonestStore):
        def counted(self, entries: list[Entry], first: int | None, last: int | None) -> list[Entry]:
            unlimited = min(first or 0, last or 0) < 0
            return entries if unlimited else super().counted(entries, first, last)
