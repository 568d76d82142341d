"""A store of many logs, one of the reference's storages for each session, and its medium."""

from abc import ABC, abstractmethod
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, ClassVar, Final

from storelaw.engine_replay import ReferenceReplay
from storelaw.manifest import Manifest
from storelaw.media.powers import PoweredMedium
from storelaw.media.texts import DEPTH, text_of
from storelaw.values import Entry
from storelaw_reference import log

#: What all four of the kit's log stores say of themselves.
MANIFEST: Final = Manifest(
    name="log",
    profile="log",
    doors=frozenset({"store", "agent", "refs", "replay"}),
    durable=True,
    batch="atomic",
    writers=frozenset({"tasks", "threads"}),
    consistency="real-time",
    closed_is_final=True,
    max_depth=DEPTH,
    options={
        "reappend": "duplicate",
        "id_scope": "session",
        "ids": "optional",
        "create": "implicit",
        "unknown_session": "empty",
        "unknown_delete": "ignore",
        "empty_append": "ignored",
    },
    errors={"Rejected": log.Rejected},
)


class LogStore(ABC):
    """A handle: five operations over storages of single logs."""

    def __init__(self, medium: "LogMedium") -> None:
        self.reached, self._closed = medium.reached, False

    # ---------------------------------------------------------------- hooks

    @abstractmethod
    def storage(self, name: str) -> log.Storage:
        """The log under a name, made where there is none yet; touches no medium."""

    @abstractmethod
    def names(self) -> list[str]:
        """The names that were written and not forgotten."""

    @abstractmethod
    def forget(self, name: str) -> None:
        """Let go of a log; no error where there is none."""

    def begin(self, name: str) -> None:  # noqa: B027 - most stores need no room made
        """Make room for a log, where that is needed."""

    @contextmanager
    def writing(self) -> Generator[None]:
        """What surrounds a change; here it happens in one step, so a failure comes before."""
        self.reached("before-commit")
        yield

    @contextmanager
    def reading(self) -> Generator[None]:
        """What surrounds a read; here it happens in one step."""
        yield

    # ----------------------------------------------------------- operations

    def append(self, session_id: str, entries: list[Entry]) -> None:
        """Add entries at the end, all or none; the first makes the log. Rules: AP-A1, AP-A2."""
        name = self._name(session_id)
        for each in entries:
            text_of(each)
        if entries:
            with self._committed(len(entries)):
                self.begin(name)
                self.storage(name).append(*entries)

    def load(self, session_id: str) -> list[Entry]:
        """The log, oldest first; empty where nothing was written. Rule: AP-A3."""
        name = self._name(session_id)
        with self.reading():
            return self.storage(name).read()

    def clear(self, session_id: str) -> None:
        """Empty a log. Rule: AP-A4."""
        name = self._name(session_id)
        if name in self.names():
            with self._committed():
                self.storage(name).clear()

    def list_sessions(self) -> list[str]:
        """The ids of the logs that were written, and not deleted."""
        self._usable()
        return [id_of(each) for each in self.names()]

    def delete(self, session_id: str) -> None:
        """Forget a log; one that isn't there is none to forget."""
        name = self._name(session_id)
        with self._committed():
            self.forget(name)

    def close(self) -> None:
        """No work after this: every later call raises ``ValueError``."""
        self._closed = True

    def _usable(self) -> None:
        if self._closed:
            raise ValueError("the store is closed")

    def _name(self, session_id: str) -> str:
        self._usable()
        return text_of(session_id)

    @contextmanager
    def _committed(self, items: int = 0) -> Generator[None]:
        with self.writing():
            for k in range(items):
                self.reached("item", k)
            yield
        self.reached("after-commit")


def id_of(name: str) -> Any:
    """The session id that a name stands for."""
    return log.parsed(name)


class LogMedium(ReferenceReplay, PoweredMedium):
    """A medium of log stores; the doors beside the store are the reference's."""

    manifest: ClassVar[Manifest] = MANIFEST
    #: It is reached by no connection that could be cut.
    route: ClassVar[None] = None
