"""Liars that delete or clear more than they were asked to."""

import re
from fnmatch import fnmatch
from typing import Any

from storelaw.liars.honest import HonestMedium, HonestStore
from storelaw.liars.isolation import walked
from storelaw.liars.registry import liar


class Reaching(HonestStore):
    """Deletes all sessions that a session's id selects."""

    def selects(self, session: str, other: str) -> bool:
        """Whether an id selects another."""
        return session == other

    def doomed(self, session: Any) -> list[Any]:
        return [each for each in self.data.logs if self.selects(session, each)]


@liar(
    "deleting_a_session_leaves_ids_that_begin_with_its_id",
    kinds=["F53"],
    mutants=["bare-prefix delete"],
    most=4,
)
class DeletesByPrefix(HonestMedium):
    """Deletes all that begins with the id."""

    class store(Reaching):
        def selects(self, session: str, other: str) -> bool:
            return other.startswith(session)


@liar("deleting_a_session_is_no_pattern", kinds=["F53"], most=4)
class DeletesByLike(HonestMedium):
    """Deletes by LIKE."""

    class store(Reaching):
        def selects(self, session: str, other: str) -> bool:
            pattern = re.escape(session).replace("%", ".*").replace("_", ".")
            return re.fullmatch(pattern, other, re.DOTALL) is not None


@liar("deleting_a_session_is_no_pattern", kinds=["F53"], most=4)
class DeletesByGlob(HonestMedium):
    """Deletes all files that the id matches."""

    class store(Reaching):
        def selects(self, session: str, other: str) -> bool:
            return session == other or fnmatch(other, session)


@liar("deleting_a_session_is_no_walk_through_paths", kinds=["F55"], most=4)
class DeletesDirectories(HonestMedium):
    """Removes the directory that the id leads to."""

    class store(Reaching):
        def selects(self, session: str, other: str) -> bool:
            return session == other or walked(session) in ("", walked(other))


@liar("clearing_a_session_leaves_related_ones", kinds=["F53"], most=4)
class ClearsByPrefix(HonestMedium):
    """Clears all that begins with the id."""

    class store(HonestStore):
        def clear(self, session: Any) -> None:
            self.usable()
            for each, log in self.data.logs.items():
                if str(each).startswith(session):
                    log.entries.clear()
