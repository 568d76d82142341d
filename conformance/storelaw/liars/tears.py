"""Liars that make more of a torn write, or of damage, than there is."""

import json
import os
from pathlib import Path

from storelaw.liars.crash_honest import FileHonest, FileStore, Unreadable
from storelaw.liars.registry import liar
from storelaw.values import Entry, is_array

#: What such a store breaks too where a process is killed in the middle of a line.
KILLED = (
    "a_killed_store_opens_again",
    "a_killed_writer_loses_nothing_acknowledged",
    "a_killed_writer_leaves_a_prefix",
)


class _Hidden(Exception):
    """Nothing of a log is shown."""


@liar("acknowledged_entries_survive_a_torn_append", perhaps=KILLED, kinds=["F17"], most=3)
class FailsAtATornLine(FileHonest):
    """Raises at a last line that it can't read, so that the session opens no more."""

    class store(FileStore):
        def torn(self, path: Path, tail: bytes) -> list[Entry]:
            return self.damaged(tail)


@liar("acknowledged_entries_survive_a_torn_append", perhaps=KILLED, kinds=["F17"], most=3)
class HidesALogWithATornLine(FileHonest):
    """Takes a session that can't be read to its end for an empty one."""

    class store(FileStore):
        def torn(self, path: Path, tail: bytes) -> list[Entry]:
            raise _Hidden

        def load(self, session: str) -> list[Entry]:
            try:
                return super().load(session)
            except _Hidden:
                return []


@liar("an_append_behind_a_torn_tail_is_kept", kinds=["F18"], most=3)
class DeletesWhatItCantRead(FileHonest):
    """Repairs a session with a torn line by removing its file."""

    class store(FileStore):
        def torn(self, path: Path, tail: bytes) -> list[Entry]:
            path.unlink()
            return []


@liar("a_torn_entry_is_absent_or_whole", kinds=["F17"], most=3)
class TakesNulForARecord(FileHonest):
    """Gives an empty record for a block of NUL bytes."""

    class store(FileStore):
        def torn(self, path: Path, tail: bytes) -> list[Entry]:
            return [] if tail.strip(b"\0") else [{}]


@liar(
    "a_torn_entry_is_absent_or_whole",
    also=["an_append_behind_a_torn_tail_is_kept"],
    kinds=["F17"],
    most=3,
)
class ClosesWhatIsOpen(FileHonest):
    """Leaves out half a character, closes quotes and brackets, and gives the cut entry back."""

    class store(FileStore):
        def torn(self, path: Path, tail: bytes) -> list[Entry]:
            for end in ('"}]}}]', "}]}}]"):
                try:
                    value = json.loads(tail.decode("utf-8", "ignore") + end)
                except ValueError:
                    continue
                return value if is_array(value) else []
            return []


@liar(
    "a_torn_batch_is_absent_or_whole",
    perhaps=["a_killed_batch_is_absent_or_whole"],
    kinds=["F19"],
    most=3,
)
class WritesALineForEachEntry(FileHonest):
    """Writes a batch as so many lines, and nothing that says where it ends."""

    class store(FileStore):
        def lines(self, batch: list[Entry]) -> bytes:
            return b"".join(self.encoded([each]) for each in batch)


@liar(
    "an_append_behind_a_torn_tail_is_kept",
    also=["an_entry_without_its_line_feed_stays"],
    kinds=["F18"],
    most=3,
)
class GluesOntoATornTail(FileHonest):
    """Writes on behind whatever is there."""

    class store(FileStore):
        def mended(self, path: Path, tail: bytes) -> bytes:
            return b""


@liar("an_append_behind_a_torn_tail_is_kept", kinds=["F18"], most=3)
class CutsOffALineTooMany(FileHonest):
    """Takes the line before a torn one away with it."""

    class store(FileStore):
        def mended(self, path: Path, tail: bytes) -> bytes:
            end = super().mended(path, tail)
            if not end:
                held = path.read_bytes()
                os.truncate(path, held.rfind(b"\n", 0, -1) + 1)
            return end


@liar("an_append_behind_a_torn_tail_is_kept", kinds=["F18"], most=3)
class StumblesOverHalfACharacter(FileHonest):
    """Reads a torn line as text before it writes, and fails inside a character."""

    class store(FileStore):
        def mended(self, path: Path, tail: bytes) -> bytes:
            tail.decode("utf-8")
            return super().mended(path, tail)


@liar("an_entry_without_its_line_feed_stays", kinds=["F18"], most=3)
class CutsOffTheUnended(FileHonest):
    """Takes away every line that has no end, also one that it has shown."""

    class store(FileStore):
        def mended(self, path: Path, tail: bytes) -> bytes:
            os.truncate(path, path.stat().st_size - len(tail))
            return b""


@liar(
    "a_torn_creation_is_no_empty_session",
    also=["a_torn_beginning_takes_nothing_that_it_cant_show"],
    kinds=["F17"],
    most=1,
)
class ReadsAnythingAsASession(FileHonest):
    """Takes a file without a beginning for a session without entries."""

    class store(FileStore):
        def headless(self) -> Entry:
            return {}


@liar("a_torn_beginning_takes_nothing_that_it_cant_show", kinds=["F10", "F18"], most=1)
class WritesBehindATornBeginning(FileHonest):
    """Takes a log that it can't read for an empty one, and adds to it."""

    class store(FileStore):
        def refused(self, error: Unreadable) -> list[Entry]:
            return []


@liar("damage_before_the_tail_is_reported", kinds=["F10", "F17"], most=5)
class SkipsDamage(FileHonest):
    """Leaves out what it can't read, and says nothing."""

    class store(FileStore):
        def damaged(self, line: bytes) -> list[Entry]:
            return []


@liar("damage_before_the_tail_is_reported", kinds=["F10", "F17"], most=5)
class HidesADamagedLog(FileHonest):
    """Takes a log with a line that it can't read for an empty one."""

    class store(FileStore):
        def damaged(self, line: bytes) -> list[Entry]:
            raise _Hidden

        def load(self, session: str) -> list[Entry]:
            try:
                return super().load(session)
            except _Hidden:
                return []
