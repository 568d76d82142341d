"""One queue for each place in this process, whoever opened it (AP-A5, D-AP-11)."""

from __future__ import annotations

from collections.abc import Hashable
from threading import Lock, RLock
from weakref import WeakValueDictionary


class Queue:
    """A lock that all storages over one place share; held by a thread, it may be held again."""

    def __init__(self) -> None:
        self._lock = RLock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


_queues: WeakValueDictionary[Hashable, Queue] = WeakValueDictionary()
_guard = Lock()


def queue_of(place: Hashable) -> Queue:
    """Return the queue of a place; it lives as long as a storage holds it."""
    with _guard:
        return _queues.setdefault(place, Queue())
