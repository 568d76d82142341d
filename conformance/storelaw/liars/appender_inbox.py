"""Liars about the inbox."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, ClassVar

from storelaw.liars.registry import liar
from storelaw.liars.turns_honest import TurnsHonest
from storelaw_reference import turns


class Speaking(turns.Appender):
    """Writes a message as a user turn."""

    def receive(self, words: str, *, author: str = "", via: str = "") -> turns.Turn:
        index = self.read_all().next_index
        content = (turns.Text(words),)
        return self.append(turns.Turn(index, "user", content, author=author, via=via))


@liar("a_message_goes_to_the_inbox_behind_the_last_turn", most=2)
class WritesMessagesAsUserTurns(TurnsHonest):
    """Writes a message at once as a user turn."""

    variants: ClassVar[dict[str, Any]] = {"appender": Speaking}


class Counting(turns.Appender):
    """Takes the number of turns for the next index."""

    def read_all(self) -> turns.Reading:
        reading = super().read_all()
        return replace(reading, next_index=len(reading.turns))


@liar("a_message_goes_to_the_inbox_behind_the_last_turn", most=3)
class CountsTurnsForAnIndex(TurnsHonest):
    """Takes the number of turns for the next index."""

    variants: ClassVar[dict[str, Any]] = {"appender": Counting}


class Queueing(turns.Memory):
    """Moves an inbox entry on where its id is taken."""

    def _write_once(self, fresh: dict[str, Any], kind: turns.Kind) -> dict[str, Any]:
        held = self.get(turns.scope_of(fresh), kind.name, fresh["id"])
        if held is not None and fresh["id"].endswith("-inbox"):
            fresh = {**fresh, "id": turns.entry_id(turns.parsed_id(fresh["id"])[0] + 1, "inbox")}
        return super()._write_once(fresh, kind)

    def query(self, query: turns.Query) -> turns.Page:
        if any(each.endswith("-inbox") for each in query.ids):
            return turns.Page((), False)
        return super().query(query)


@liar("a_message_may_be_recorded_at_an_index", most=4)
class MovesAMessageOn(TurnsHonest):
    """Moves a message on where its index is taken."""

    variants: ClassVar[dict[str, Any]] = {"beneath": Queueing}


class Anonymous(turns.Inbox):
    """Forgets who spoke."""

    def _promote(self, message: turns.Turn, index: int) -> turns.Turn:
        return super()._promote(replace(message, author="", via=""), index)


@liar("a_waiting_message_is_promoted", also=["an_interrupted_drain_loses_no_message"], most=3)
class ForgetsWhoSpoke(TurnsHonest):
    """Promotes a message without its author and surface."""

    variants: ClassVar[dict[str, Any]] = {"inbox": Anonymous}


class Overcounting(turns.Inbox):
    """Counts the markers too."""

    def drain(self, next_index: int) -> turns.Drained:
        drained = super().drain(next_index)
        return turns.Drained(drained.turns, next_index + 2 * len(drained.turns))


@liar("a_waiting_message_is_promoted", most=3)
class CountsMarkersToo(TurnsHonest):
    """Moves the next index on for each marker."""

    variants: ClassVar[dict[str, Any]] = {"inbox": Overcounting}


class Backwards(turns.Inbox):
    """Takes the newest first."""

    def _pending(self, turns: Iterable[turns.Turn]) -> list[turns.Turn]:
        return super()._pending(turns)[::-1]


@liar("a_waiting_message_is_promoted", kinds=["F03"], most=4)
class PromotesTheNewestFirst(TurnsHonest):
    """Promotes the newest message first."""

    variants: ClassVar[dict[str, Any]] = {"inbox": Backwards}


class MarkingThere(turns.Inbox):
    """Marks the promoted turn."""

    def _settle(self, message: turns.Turn, index: int) -> turns.Turn:
        promoted = self._promote(message, index)
        self._mark(promoted)
        return promoted


@liar(
    "a_promoted_message_is_marked_at_its_own_index",
    also=["a_second_drain_places_nothing"],
    most=3,
)
class MarksThePromotedTurn(TurnsHonest):
    """Puts the marker at the index of the promoted turn."""

    variants: ClassVar[dict[str, Any]] = {"inbox": MarkingThere}


class Unmarked(turns.Inbox):
    """Looks at no markers."""

    def _pending(self, turns: Iterable[turns.Turn]) -> list[turns.Turn]:
        return [each for each in turns if each.role == "inbox"]


@liar(
    "a_second_drain_places_nothing",
    kinds=["F13"],
    also=["a_waiting_message_is_promoted"],
    most=4,
)
class PromotesAgain(TurnsHonest):
    """Promotes all messages at every drain."""

    variants: ClassVar[dict[str, Any]] = {"inbox": Unmarked}


class MarkingFirst(turns.Inbox):
    """Marks, and then promotes."""

    def _settle(self, message: turns.Turn, index: int) -> turns.Turn:
        self._mark(message)
        return self._promote(message, index)


@liar("an_interrupted_drain_loses_no_message", kinds=["F20"], most=8)
class MarksFirst(TurnsHonest):
    """Writes the marker before the promoted turn."""

    variants: ClassVar[dict[str, Any]] = {"inbox": MarkingFirst}


class ByWords(turns.Inbox):
    """Takes a message for settled when its words were said."""

    def _pending(self, turns: Iterable[turns.Turn]) -> list[turns.Turn]:
        listed = list(turns)
        said = [each.content for each in listed if each.role == "user"]
        return [each for each in super()._pending(listed) if each.content not in said]


@liar("only_a_marker_settles_a_message", kinds=["F16"], most=4)
class MatchesMessagesByWords(TurnsHonest):
    """Drops a message whose words were said before."""

    variants: ClassVar[dict[str, Any]] = {"inbox": ByWords}


class Crediting(turns.Inbox):
    """Copies the author."""

    def _settle(self, message: turns.Turn, index: int) -> turns.Turn:
        promoted = self._promote(message, index)
        self._appender.append(turns.Turn(message.index, "inbox_done", author=message.author))
        return promoted


@liar("markers_carry_no_author", most=3)
class CreditsTheMarker(TurnsHonest):
    """Gives a marker the author of its message."""

    variants: ClassVar[dict[str, Any]] = {"inbox": Crediting}
