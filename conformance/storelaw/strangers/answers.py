"""Strangers whose answers look odd: other key order, cut times, dropped empties, ``None``."""

import time
from datetime import UTC, datetime
from typing import Any

from storelaw.liars.honest import HonestMedium, HonestStore, claiming
from storelaw.values import Entry, is_array, is_object


def reordered(value: Any) -> Any:
    """A JSON value with the members of every object in the order of their names."""
    if is_object(value):
        return {name: reordered(value[name]) for name in sorted(value)}
    return [reordered(each) for each in value] if is_array(value) else value


class ReorderingStore(HonestStore):
    """Gives the members of an object in an order of its own."""

    def given(self, entry: Entry) -> Entry:
        """The entry, reordered."""
        return reordered(entry)  # type: ignore[no-any-return]


class ReordersKeys(HonestMedium):
    """JSON objects have no order, and this store keeps none."""

    manifest = claiming(name="reorders keys")
    store = ReorderingStore


def cut(text: Any) -> Any:
    """A time in UTC and whole microseconds; anything else as it is."""
    try:
        return datetime.fromisoformat(text).astimezone(UTC).isoformat(timespec="microseconds")
    except (TypeError, ValueError, OverflowError):
        return text


class CuttingStore(HonestStore):
    """Has a column for the time, with microseconds."""

    def kept(self, entry: Entry) -> Entry:
        """The entry with its time cut."""
        kept = super().kept(entry)
        return {n: cut(v) if n == "created_at" else v for n, v in kept.items()}


class CutsTimes(HonestMedium):
    """Times lose what is below a microsecond, and their zone; it says so."""

    manifest = claiming(name="cuts times", equality=frozenset({"times"}))
    store = CuttingStore


def without_empties(value: Any) -> Any:
    """A JSON value in which no object has a member that is null or empty."""
    if is_object(value):
        return {n: without_empties(v) for n, v in value.items() if v not in (None, "", [], {})}
    return [without_empties(each) for each in value] if is_array(value) else value


class OmittingStore(HonestStore):
    """Writes no member that says nothing."""

    def kept(self, entry: Entry) -> Entry:
        """The entry without empty members."""
        return without_empties(super().kept(entry))  # type: ignore[no-any-return]


class DropsEmpties(HonestMedium):
    """Null, empty text, empty lists and objects are left out; it says so."""

    manifest = claiming(name="drops empties", equality=frozenset({"empties"}))
    store = OmittingStore


class NoneStore(HonestStore):
    """Tells a session that was never written from an empty one."""

    def unknown(self, session: Any) -> Any:
        """Nothing at all."""


class AnswersNone(HonestMedium):
    """``None`` for a session that was never written."""

    manifest = claiming(name="answers None", options={"unknown_session": "none"})
    store = NoneStore


class SlowStore(HonestStore):
    """Takes its time."""

    def usable(self) -> None:
        """Wait a little before every operation."""
        time.sleep(0.0002)
        super().usable()


class Slow(HonestMedium):
    """Every operation takes a while; its cost says how few programs it plays in a second."""

    manifest = claiming(name="slow", cost=50.0)
    store = SlowStore
