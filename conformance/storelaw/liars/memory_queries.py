"""Liars about the queries of a memory."""

from typing import Any, ClassVar

from storelaw.liars.registry import liar
from storelaw.liars.turns_honest import HonestBackend, TurnsHonest
from storelaw.moments import nanoseconds
from storelaw.values import Entry
from storelaw_reference import turns


@liar("a_query_gives_what_passes_all_its_filters", kinds=["F12"], most=3)
class TakesAnyTag(TurnsHonest):
    """Lets an entry through that has one of the tags."""

    class store(HonestBackend):
        def tagged(self, entry: Entry, tags: list[str]) -> bool:
            return not tags or bool(set(tags) & set(entry.get("tags") or ()))


@liar("a_query_gives_what_passes_all_its_filters", kinds=["F08"], most=3)
class IncludesUntil(TurnsHonest):
    """Takes `until` for an inclusive bound."""

    class store(HonestBackend):
        def earlier(self, entry: Entry, until: str) -> bool:
            return nanoseconds(entry["createdAt"]) <= nanoseconds(until)


@liar("a_query_gives_what_passes_all_its_filters", kinds=["F08"], most=3)
class ExcludesSince(TurnsHonest):
    """Takes `since` for an exclusive bound."""

    class store(HonestBackend):
        def recent(self, entry: Entry, since: str) -> bool:
            return nanoseconds(entry["createdAt"]) > nanoseconds(since)


@liar("a_query_gives_what_passes_all_its_filters", kinds=["F47"], most=3)
class QueriesTimesAsText(TurnsHonest):
    """Compares times as texts, so that another zone is another day."""

    class store(HonestBackend):
        def recent(self, entry: Entry, since: str) -> bool:
            return str(entry["createdAt"]) >= since


@liar(
    "a_query_keeps_the_order_it_was_asked_for",
    kinds=["F02"],
    also=["a_limit_keeps_the_front_of_the_order", "a_limit_without_an_order_gives_the_newest"],
    most=4,
)
class GivesRowsAsTheyLie(TurnsHonest):
    """Gives rows in the order of their insertion."""

    class store(HonestBackend):
        def ordered(self, entries: list[Entry], newest: bool) -> list[Entry]:
            return entries


@liar("a_query_keeps_the_order_it_was_asked_for", kinds=["F47"], most=4)
class OrdersTimesAsText(TurnsHonest):
    """Orders by the text of the times."""

    class store(HonestBackend):
        def ordered(self, entries: list[Entry], newest: bool) -> list[Entry]:
            return sorted(entries, key=lambda each: str(each["createdAt"]), reverse=newest)


@liar("a_limit_keeps_the_front_of_the_order", kinds=["F03"], most=5)
class LimitsAtTheWrongEnd(TurnsHonest):
    """Lets the last so many through."""

    class store(HonestBackend):
        def limited(self, entries: list[Entry], limit: int | None) -> list[Entry]:
            return entries if limit is None else entries[-limit:]


@liar("a_limit_keeps_the_front_of_the_order", most=4)
class LimitsBeforeItFilters(TurnsHonest):
    """Reads so many rows, and filters these."""

    class store(HonestBackend):
        def query(self, query: Entry) -> list[Entry]:
            found = super().query({**query, "ids": None})
            return [each for each in found if not query.get("ids") or each["id"] in query["ids"]]


class CountsRows(turns.Memory):
    """Takes a full answer for a cut one."""

    def query(self, query: turns.Query) -> turns.Page:
        page = super().query(query)
        full = query.limit is not None and len(page.entries) == query.limit
        return turns.Page(page.entries, full)


@liar("a_cut_answer_says_that_it_is_cut", kinds=["F08"], most=5)
class CallsAFullAnswerCut(TurnsHonest):
    """Compares the number of rows with the limit."""

    variants: ClassVar[dict[str, Any]] = {"memory": CountsRows}


class ProbesNothing(turns.Memory):
    """Never looks whether there is more."""

    def query(self, query: turns.Query) -> turns.Page:
        return turns.Page(super().query(query).entries, False)


@liar("a_cut_answer_says_that_it_is_cut", kinds=["F09"], most=5)
class NeverSaysCut(TurnsHonest):
    """Holds rows back without a word."""

    variants: ClassVar[dict[str, Any]] = {"memory": ProbesNothing}


class OnePage(turns.Memory):
    """Takes what one call of the backend gives for all there is."""

    def query(self, query: turns.Query) -> turns.Page:
        return turns.Page(tuple(self._backend.query(query)), False)


class CappedBackend(HonestBackend):
    """Never gives more than three rows at once."""

    def limited(self, entries: list[Entry], limit: int | None) -> list[Entry]:
        return entries[: 3 if limit is None else min(limit, 3)]


@liar(
    "an_answer_without_a_limit_is_whole_or_says_so",
    also=[
        "a_cut_answer_says_that_it_is_cut",
        "an_audit_names_what_was_tampered_with",
        "a_promoted_message_is_marked_at_its_own_index",
        "a_copy_takes_along_what_belongs_to_its_turns",
    ],
    kinds=["F09"],
    most=6,
)
class HandsOnACappedAnswer(TurnsHonest):
    """Hands on what a capped backend gives."""

    store = CappedBackend
    variants: ClassVar[dict[str, Any]] = {"memory": OnePage}


class OldestFirst(turns.Memory):
    """Wants the oldest where nothing is said."""

    def query(self, query: turns.Query) -> turns.Page:
        return super().query(
            turns.Query(query.scope, query.kinds, query.ids, order="oldest", limit=query.limit)
        )


@liar("a_limit_without_an_order_gives_the_newest", kinds=["F03"], most=4)
class GivesTheOldest(TurnsHonest):
    """Gives the oldest entries where a limit comes without an order."""

    variants: ClassVar[dict[str, Any]] = {"memory": OldestFirst}
