"""Liars about session ids."""

import re
import unicodedata
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from storelaw.liars.honest import HonestMedium, HonestStore, Log
from storelaw.liars.registry import liar
from storelaw.values import Entry

#: What a store that keeps one log for all breaks as well.
_ALL_APART = (
    "session_ids_that_differ_in_case_are_different",
    "session_ids_that_differ_in_outer_blanks_are_different",
    "session_ids_that_differ_in_unicode_form_are_different",
    "wildcards_in_session_ids_match_only_themselves",
    "a_session_id_that_begins_another_is_different",
    "session_ids_that_differ_in_separators_are_different",
    "long_session_ids_are_compared_to_their_end",
    "session_ids_are_compared_in_their_middle",
    "session_ids_are_not_read_as_paths",
    "session_ids_do_not_end_at_a_nul",
    "session_ids_are_not_read_as_numbers",
    "session_ids_in_any_script_are_different",
    "deleting_a_session_leaves_ids_that_begin_with_its_id",
    "deleting_a_session_is_no_pattern",
    "deleting_a_session_is_no_walk_through_paths",
    "clearing_a_session_leaves_related_ones",
    "an_entry_id_belongs_to_its_session",
)


#: What else follows when all sessions are one.
_ONE_LOG = (
    *_ALL_APART,
    "the_list_names_exactly_the_sessions_that_load",
    "a_fork_and_its_parent_are_independent",
    "a_fork_at_an_unknown_entry_leaves_nothing_behind",
    "forking_an_unknown_session_is_not_found",
    "an_empty_append_creates_no_session",
    "an_unknown_session_is_answered_as_declared",
    "a_failed_fork_can_be_tried_again",
)


class Keyed(HonestStore):
    """Keeps sessions under a key made of their id, but lists them by their ids."""

    def made(self, session: str) -> object:
        """The key made of an id."""
        return session

    def key(self, session: Any) -> Any:
        return self.made(session)

    def list_sessions(self, *prefix: str) -> list[Any]:
        self.usable()
        return [name for each in self.data.logs.values() for name in names(each)]

    def writable(self, session: Any, entries: list[Entry]) -> Log:
        log = super().writable(session, entries)
        log.record[session] = True
        return log


def names(log: Log) -> list[Any]:
    """The session ids under which a log was written, or the one under which it was forked."""
    return [each for each, mark in log.record.items() if mark is True] or [log.record["id"]]


@liar("sessions_never_share_entries", also=_ONE_LOG, kinds=["F51"], most=2)
class KeepsOneLog(HonestMedium):
    """Leaves the session id out of the key."""

    class store(Keyed):
        def made(self, session: str) -> object:
            return "all"


@liar(
    "session_ids_that_differ_in_case_are_different",
    kinds=["F54"],
    mutants=["session ids compared without case"],
    most=2,
)
class FoldsCase(HonestMedium):
    """Compares ids without their case."""

    class store(Keyed):
        def made(self, session: str) -> object:
            return session.lower()


@liar(
    "session_ids_that_differ_in_outer_blanks_are_different",
    kinds=["F54"],
    mutants=["trailing blanks in ids ignored"],
    most=2,
)
class PadsBlanks(HonestMedium):
    """Ignores trailing blanks, as a padding collation does."""

    class store(Keyed):
        def made(self, session: str) -> object:
            return session.rstrip(" ")


@liar("session_ids_that_differ_in_outer_blanks_are_different", kinds=["F54"], most=2)
class StripsBlanks(HonestMedium):
    """Strips ids on both sides."""

    class store(Keyed):
        def made(self, session: str) -> object:
            return session.lstrip()


@liar(
    "session_ids_that_differ_in_unicode_form_are_different",
    kinds=["F54"],
    mutants=["ids merged by Unicode normalisation"],
    most=2,
)
class ComposesIds(HonestMedium):
    """Brings ids to the composed form."""

    class store(Keyed):
        def made(self, session: str) -> object:
            return unicodedata.normalize("NFC", session)


@liar("session_ids_that_differ_in_unicode_form_are_different", kinds=["F54"], most=2)
class SeeksAnotherForm(HonestMedium):
    """Writes under the decomposed form of an id and seeks under the id as it is."""

    class store(HonestStore):
        def writable(self, session: Any, entries: list[Entry]) -> Log:
            return super().writable(unicodedata.normalize("NFD", session), entries)


@liar("session_ids_that_differ_in_unicode_form_are_different", kinds=["F54"], most=2)
class ReplacesCompatibleCharacters(HonestMedium):
    """Brings ids to the compatibility form, where a ligature is two letters."""

    class store(Keyed):
        def made(self, session: str) -> object:
            return unicodedata.normalize("NFKC", session)


class Matched(HonestStore):
    """Reads all sessions that a session's id selects in some way."""

    def selects(self, session: str, other: str) -> bool:
        """Whether an id selects another."""
        return session == other

    def found(self, session: Any) -> Log | None:
        own = self.data.logs.get(session)
        logs = [log for each, log in self.data.logs.items() if self.selects(session, each)]
        if logs == [own] or not logs:
            return own
        return Log([entry for each in logs for entry in each.entries])

    def writable(self, session: Any, entries: list[Entry]) -> Log:
        own = self.data.logs.get(session)
        return super().writable(session, entries) if own is None else own


@liar(
    "wildcards_in_session_ids_match_only_themselves",
    also=[
        "session_ids_that_differ_in_separators_are_different",
        "listing_names_related_sessions_apart",
    ],
    kinds=["F53"],
    mutants=["% and _ in ids act as LIKE wildcards"],
    most=2,
)
class SelectsByLike(HonestMedium):
    """Selects sessions by LIKE."""

    class store(Matched):
        def selects(self, session: str, other: str) -> bool:
            pattern = re.escape(session).replace("%", ".*").replace("_", ".")
            return re.fullmatch(pattern, other, re.DOTALL) is not None


@liar("wildcards_in_session_ids_match_only_themselves", kinds=["F53"], most=2)
class SelectsByGlob(HonestMedium):
    """Selects sessions by file name pattern."""

    class store(Matched):
        def selects(self, session: str, other: str) -> bool:
            return session == other or fnmatch(other, session)


@liar(
    "a_session_id_that_begins_another_is_different",
    also=[
        "session_ids_that_differ_in_outer_blanks_are_different",
        "long_session_ids_are_compared_to_their_end",
        "session_ids_are_not_read_as_paths",
        "session_ids_do_not_end_at_a_nul",
        "session_ids_are_not_read_as_numbers",
    ],
    kinds=["F53"],
    most=2,
)
class SelectsByPrefix(HonestMedium):
    """Scans the range of keys that begin with an id."""

    class store(Matched):
        def selects(self, session: str, other: str) -> bool:
            return other.startswith(session)


@liar("session_ids_that_differ_in_separators_are_different", kinds=["F52"], most=2)
class SlugsSeparators(HonestMedium):
    """Makes a dash of each separator."""

    class store(Keyed):
        def made(self, session: str) -> object:
            return re.sub(r"[/\\:| _]", "-", session)


@liar(
    "long_session_ids_are_compared_to_their_end",
    kinds=["F52"],
    mutants=["ids cut at 64 characters"],
    most=2,
)
class CutsSessionIds(HonestMedium):
    """Cuts ids at the width of its column."""

    class store(Keyed):
        def made(self, session: str) -> object:
            return session[:64]


@liar(
    "session_ids_are_compared_in_their_middle",
    kinds=["F52"],
    most=2,
)
class ShortensIds(HonestMedium):
    """Names a session after the two ends of its id."""

    class store(Keyed):
        def made(self, session: str) -> object:
            return (session[:8], session[-8:])


@liar(
    "session_ids_are_not_read_as_paths",
    also=["deleting_a_session_is_no_walk_through_paths"],
    kinds=["F52"],
    most=2,
)
class NormalisesPaths(HonestMedium):
    """Drops empty and one-dot segments, and walks back at two dots."""

    class store(Keyed):
        def made(self, session: str) -> object:
            return walked(session)


def walked(path: str) -> str:
    """A path without its empty, one-dot and two-dot segments."""
    segments: list[str] = []
    for each in path.split("/"):
        if each == "..":
            del segments[-1:]
        elif each not in ("", "."):
            segments.append(each)
    return "/".join(segments)


@liar("session_ids_do_not_end_at_a_nul", kinds=["F41"], most=2)
class EndsIdsAtNul(HonestMedium):
    """Ends ids at a NUL."""

    class store(Keyed):
        def made(self, session: str) -> object:
            return session.partition("\x00")[0]


@liar("session_ids_are_not_read_as_numbers", kinds=["F54"], most=2)
class ReadsNumbers(HonestMedium):
    """Keeps ids in a column of numeric affinity."""

    class store(Keyed):
        def made(self, session: str) -> object:
            return float(session) if re.fullmatch(r"[+-]?\d+(\.\d+)?", session) else session


@liar("session_ids_in_any_script_are_different", kinds=["F52"], most=2)
class KeepsLatinOnly(HonestMedium):
    """Makes one dash of each run of characters above Latin."""

    class store(Keyed):
        def made(self, session: str) -> object:
            return re.sub("[\u0400-\ufaff\U00010000-\U0010ffff]+", "-", session)


@liar("legal_session_ids_are_accepted", also=[], kinds=["F12"], most=1)
class KnowsShortIds(HonestMedium):
    """Refuses ids of more than a hundred characters."""

    class store(HonestStore):
        def writable(self, session: Any, entries: list[Entry]) -> Log:
            if len(session) > 100:
                raise ValueError("the id is too long")
            return super().writable(session, entries)


@liar("listing_names_related_sessions_apart", kinds=["F11"], most=3)
class ListsFolded(HonestMedium):
    """Lists ids in lower case, each once."""

    class store(HonestStore):
        def list_sessions(self, *prefix: str) -> list[Any]:
            return list(dict.fromkeys(each.lower() for each in super().list_sessions(*prefix)))


class Filed(HonestStore):
    """Also writes a file beside the log, named after the session."""

    directory = Path()

    def writable(self, session: Any, entries: list[Entry]) -> Log:
        path = self.directory / f"{session}.jsonl"
        if path.parent.is_dir():
            path.touch()
        return super().writable(session, entries)


@liar("session_ids_never_reach_outside_the_directory", kinds=["F55"], most=1)
class JoinsPaths(HonestMedium):
    """Joins the id to its directory."""

    needs_directory = True

    def open(self) -> Any:
        handle = Filed(self.data, self.manifest)
        handle.directory = self.workdir
        return handle


@liar("session_ids_never_reach_outside_the_directory", kinds=["F55"], most=1)
class JoinsPathsInAFolder(HonestMedium):
    """Joins the id to a folder inside its directory, out of which two levels lead."""

    needs_directory = True

    def open(self) -> Any:
        handle = Filed(self.data, self.manifest)
        handle.directory = self.workdir / "sessions"
        handle.directory.mkdir(exist_ok=True)
        return handle
