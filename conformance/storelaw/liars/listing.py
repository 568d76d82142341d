"""Liars about the list of sessions."""

from pathlib import Path
from typing import Any

from storelaw.liars.honest import Data, HonestMedium, HonestStore
from storelaw.liars.registry import liar
from storelaw.manifest import Manifest
from storelaw.values import Entry


class IndexData(Data):
    """Data with an index of sessions beside the logs."""

    def __init__(self) -> None:
        super().__init__()
        self.index: list[Any] = []


@liar("the_list_names_exactly_the_sessions_that_load", kinds=["F11", "F57"], most=3)
class IndexForgetsDeletes(HonestMedium):
    """Keeps an index that deletes don't touch."""

    class store(HonestStore):
        data: IndexData

        def append(self, session: Any, entries: list[Entry]) -> None:
            super().append(session, entries)
            self.data.index = list(dict.fromkeys([*self.data.index, *self.data.logs]))

        def list_sessions(self, *prefix: str) -> list[Any]:
            extra = [each for each in self.data.index if each not in self.data.logs]
            return [*super().list_sessions(*prefix), *extra]

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        self.data: IndexData = IndexData()


@liar("the_list_names_exactly_the_sessions_that_load", kinds=["F11"], most=3)
class ForksUnlisted(HonestMedium):
    """Lists what was appended to; forks are left out."""

    class store(HonestStore):
        def list_sessions(self, *prefix: str) -> list[Any]:
            sessions = super().list_sessions(*prefix)
            return [each for each in sessions if "parent" not in self.known(each).record]


@liar(
    "the_list_is_whole_beyond_a_hundred_sessions",
    kinds=["F09", "F11"],
    mutants=["list returns the first 100 sessions"],
    most=102,
)
class FirstPage(HonestMedium):
    """Gives the first page of its engine."""

    class store(HonestStore):
        def list_sessions(self, *prefix: str) -> list[Any]:
            return super().list_sessions(*prefix)[:100]


@liar("the_list_survives_a_reopen", kinds=["F11"], most=4)
class ListsWhatWasUsed(HonestMedium):
    """A new handle lists only what was there and then was used through it, if it was used at all."""

    class store(HonestStore):
        def __init__(self, data: Data, manifest: Manifest) -> None:
            super().__init__(data, manifest)
            self.old = set(data.logs)

        def list_sessions(self, *prefix: str) -> list[Any]:
            return [each for each in super().list_sessions(*prefix) if each not in self.old]

        def load(self, session: Any, **filters: Any) -> list[Entry]:
            self.old.discard(session)
            return super().load(session, **filters)
