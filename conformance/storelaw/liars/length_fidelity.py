"""Liars about lengths and limits."""

from typing import Any

from storelaw.errors import Rejected
from storelaw.liars.honest import MANIFEST, HonestMedium, HonestStore, Log, claiming
from storelaw.liars.registry import liar
from storelaw.liars.text_fidelity import Rewriting
from storelaw.sizes import depth, largest
from storelaw.values import Entry


@liar(
    "long_text_is_kept",
    mutants=["strings cut at 65,535"],
    also=["an_entry_of_a_mebibyte_is_kept"],
    most=2,
)
class CutsAt65535(HonestMedium):
    """Keeps texts in a column of 65,535 characters."""

    class store(Rewriting):
        def inward(self, text: str) -> Any:
            return text[:65_535]


@liar("long_text_is_kept", also=["an_entry_of_a_mebibyte_is_kept"], kinds=["F23"], most=2)
class LineReader(HonestMedium):
    """Reads its lines through a buffer of 64 KiB."""

    class store(HonestStore):
        def given(self, entry: Entry) -> Entry:
            if largest(entry) > 65_536:
                raise BufferError("a line is too long")
            return super().given(entry)


@liar("long_text_is_kept", also=["an_entry_of_a_mebibyte_is_kept"], kinds=["F20"], most=2)
class StopsAtLongLines(HonestMedium):
    """Ends its reading, without an error, at the first line that its buffer doesn't hold."""

    class store(HonestStore):
        def answered(self, log: Log, entries: list[Entry]) -> list[Entry]:
            sizes = [largest(each) > 65_536 for each in entries]
            return entries[: sizes.index(True)] if True in sizes else entries


@liar("an_entry_of_a_mebibyte_is_kept", kinds=["F20", "F23"], most=2)
class DropsLargeItems(HonestMedium):
    """Writes to a service that takes no item beyond a megabyte, and ignores the answer."""

    class store(HonestStore):
        def stored(self, log: Log, entries: list[Entry]) -> None:
            super().stored(log, [each for each in entries if largest(each) <= 1_000_000])


@liar("an_entry_of_a_mebibyte_is_kept", kinds=["F23"], most=1)
class RefusesLargeItems(HonestMedium):
    """Refuses what its manifest doesn't."""

    class store(HonestStore):
        def checked(self, entries: list[Entry]) -> list[Entry]:
            if any(largest(each) > 1_000_000 for each in entries):
                raise Rejected("too large")
            return super().checked(entries)


@liar(
    "long_logs_load_whole",
    mutants=["keeps only the newest 100 entries"],
    most=2,
)
class NewestHundred(HonestMedium):
    """Keeps the newest hundred entries."""

    class store(HonestStore):
        def stored(self, log: Log, entries: list[Entry]) -> None:
            super().stored(log, entries)
            del log.entries[:-100]


@liar("long_logs_load_whole", kinds=["F09"], also=["a_window_is_exact_on_a_long_log"], most=2)
class FirstPageOfEntries(HonestMedium):
    """Reads the first page of a paged answer."""

    class store(HonestStore):
        def answered(self, log: Log, entries: list[Entry]) -> list[Entry]:
            return entries[:248]


@liar("large_logs_load_whole", kinds=["F09", "F23"], most=2)
class FirstMebibyte(HonestMedium):
    """Reads pages by their bytes, and one page only."""

    class store(HonestStore):
        def answered(self, log: Log, entries: list[Entry]) -> list[Entry]:
            page: list[Entry] = []
            size = 0
            for each in entries:
                size += largest(each)
                if size > 1_100_000:
                    break
                page.append(each)
            return page


# ---------------------------------------------------------------------- limits


class Limited(HonestStore):
    """Refuses what its manifest says it refuses: the honest store of the limits."""

    def checked(self, entries: list[Entry]) -> list[Entry]:
        manifest = self.manifest
        for each in super().checked(entries):
            if largest(each) > (manifest.max_entry or largest(each)):
                raise Rejected("too large")
            if depth(each) > (manifest.max_depth or depth(each)):
                raise Rejected("too deep")
        return entries

    def writable(self, session: Any, entries: list[Entry]) -> Log:
        if len(session) > (self.manifest.max_id or len(session)):
            raise Rejected("the id is too long")
        return super().writable(session, entries)


@liar("the_declared_entry_size_holds_on_both_sides", kinds=["F23"], most=1)
class CutsBeyondItsSize(HonestMedium):
    """Cuts the text of an entry that is larger than its limit."""

    manifest = claiming(MANIFEST, name="honest-small", max_entry=4_096)

    class store(Rewriting):
        def inward(self, text: str) -> Any:
            return text[:3_980]


@liar("the_declared_entry_size_holds_on_both_sides", most=1)
class RefusesItsOwnSize(HonestMedium):
    """Is off by one: refuses an entry of exactly its limit."""

    manifest = claiming(MANIFEST, name="honest-small", max_entry=4_096)

    class store(Limited):
        def checked(self, entries: list[Entry]) -> list[Entry]:
            if any(largest(each) == 4_096 for each in entries):
                raise Rejected("too large")
            return super().checked(entries)


@liar("the_declared_entry_size_holds_on_both_sides", most=2)
class RefusesTooLate(HonestMedium):
    """Raises for an entry that is too large, and has stored it."""

    manifest = claiming(MANIFEST, name="honest-small", max_entry=4_096)

    class store(HonestStore):
        def append(self, session: Any, entries: list[Entry]) -> None:
            super().append(session, entries)
            if any(largest(each) > 4_096 for each in entries):
                raise Rejected("too large")


@liar("the_declared_depth_holds_on_both_sides", kinds=["F45"], most=1)
class FlattensBeyondItsDepth(HonestMedium):
    """Says that it refuses deep values, and takes them."""

    manifest = claiming(MANIFEST, name="honest-shallow", max_depth=16)


@liar("the_declared_id_length_holds_on_both_sides", kinds=["F52"], most=1)
class CutsIds(HonestMedium):
    """Cuts session ids at its limit and says nothing."""

    manifest = claiming(MANIFEST, name="honest-short-ids", max_id=36)

    class store(HonestStore):
        def key(self, session: Any) -> Any:
            return session[:36]


@liar(
    "the_declared_id_length_holds_on_both_sides",
    most=1,
)
class RefusesLegalIds(HonestMedium):
    """Refuses an id of exactly its limit."""

    manifest = claiming(MANIFEST, name="honest-short-ids", max_id=36)

    class store(Limited):
        def writable(self, session: Any, entries: list[Entry]) -> Log:
            if len(session) >= 36:
                raise Rejected("the id is too long")
            return super().writable(session, entries)


@liar("what_is_declared_as_refused_is_refused", kinds=["F41"], most=1)
class TakesWhatItRefuses(HonestMedium):
    """Says that it refuses NUL and surrogates, and takes them."""

    manifest = claiming(
        MANIFEST, name="honest-strict", refuses=frozenset({"nul", "surrogates", "big-integers"})
    )
