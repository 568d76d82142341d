"""Liars about texts and time stamps."""

import json
import unicodedata
from datetime import UTC, datetime
from html import escape
from typing import Any, cast

from storelaw.liars.honest import HonestMedium, HonestStore, Log
from storelaw.liars.registry import liar
from storelaw.liars.value_fidelity import mapped
from storelaw.values import Entry


class Rewriting(HonestStore):
    """Changes texts on their way in, and back; subclasses say how."""

    def kept(self, entry: Entry) -> Entry:
        return cast(Entry, mapped(entry, lambda each: _on_text(self.inward, each)))

    def given(self, entry: Entry) -> Entry:
        return cast(Entry, mapped(entry, lambda each: _on_text(self.outward, each)))

    def inward(self, text: str) -> Any:
        """What is stored of a text."""
        return text

    def outward(self, text: str) -> Any:
        """What is given back of a stored text."""
        return text


def _on_text(change: Any, leaf: Any) -> Any:
    return change(leaf) if isinstance(leaf, str) else leaf


@liar(
    "text_comes_back_character_by_character",
    also=["text_that_looks_like_an_escape_is_kept"],
    most=2,
)
class EscapesForPages(HonestMedium):
    """Writes texts as they would stand in a page."""

    class store(Rewriting):
        def inward(self, text: str) -> Any:
            return text if text.startswith("&") else escape(text)


@liar("text_comes_back_character_by_character", most=2)
class FixedWidth(HonestMedium):
    """Keeps 255 characters of a text that isn't much longer, and says nothing."""

    class store(Rewriting):
        def inward(self, text: str) -> Any:
            return text[:255] if len(text) < 1_000 else text


@liar(
    "text_that_looks_like_an_escape_is_kept",
    kinds=["F43"],
    also=["nul_characters_are_kept_or_refused"],
    most=2,
)
class EscapesNul(HonestMedium):
    """Writes an escape for a NUL, and reads a NUL for what looks like one."""

    class store(Rewriting):
        def inward(self, text: str) -> Any:
            return text.replace("\x00", "\\u0000")

        def outward(self, text: str) -> Any:
            return text.replace("\\u0000", "\x00")


@liar("text_that_looks_like_an_escape_is_kept", kinds=["F43", "F45"], most=2)
class GuessesTypes(HonestMedium):
    """Parses what looks like the value of another type."""

    class store(Rewriting):
        def outward(self, text: str) -> Any:
            return {"null": None, "true": True, "1.0": 1.0}.get(text, text)


@liar(
    "separators_in_text_end_no_record",
    kinds=["F17"],
    mutants=["JSON lines split at U+2028 or NEL"],
    most=2,
)
class SplitsLinesByUnicode(HonestMedium):
    """Keeps JSON lines, and reads them with the line ends of Unicode."""

    class store(HonestStore):
        def answered(self, log: Log, entries: list[Entry]) -> list[Entry]:
            lines = [json.dumps(each, ensure_ascii=False) for each in entries]
            return [each for line in lines for part in line.splitlines() for each in _read(part)]


def _read(line: str) -> list[Entry]:
    try:
        return [json.loads(line)]
    except ValueError:
        return []


@liar("separators_in_text_end_no_record", kinds=["F17"], most=2)
class FailsAtCutLines(HonestMedium):
    """Splits at a line separator, and fails the session for the halves."""

    class store(HonestStore):
        def given(self, entry: Entry) -> Entry:
            line, *_ = json.dumps(entry, ensure_ascii=False).split("\u2028")
            return cast(Entry, json.loads(line))


@liar("line_ends_and_blanks_in_text_are_kept", most=2)
class TextMode(HonestMedium):
    """Writes through a file in text mode."""

    class store(Rewriting):
        def inward(self, text: str) -> Any:
            return text.replace("\r\n", "\n").replace("\r", "\n")


@liar("line_ends_and_blanks_in_text_are_kept", most=2)
class Strips(HonestMedium):
    """Strips texts."""

    class store(Rewriting):
        def inward(self, text: str) -> Any:
            return text.strip("\t ")


@liar("text_is_not_normalised", kinds=["F54"], most=2)
class Composes(HonestMedium):
    """Keeps the composed form of every text."""

    class store(Rewriting):
        def inward(self, text: str) -> Any:
            return unicodedata.normalize("NFC", text)


@liar("characters_of_four_bytes_are_kept", most=2)
class ThreeBytes(HonestMedium):
    """Keeps texts in a column of three bytes to a character."""

    class store(Rewriting):
        def inward(self, text: str) -> Any:
            return "".join("?" if each > "\uffff" else each for each in text)


class _Dated(HonestStore):
    """Writes ``created_at`` anew; subclasses say how."""

    def kept(self, entry: Entry) -> Entry:
        kept = super().kept(entry).items()
        return {name: self.dated(each) if name == "created_at" else each for name, each in kept}

    def dated(self, stamp: str) -> Any:
        """The stamp as it is written."""


@liar(
    "time_stamps_are_kept_as_written",
    kinds=["F45", "F47"],
    mutants=["ISO timestamps re-rendered"],
    most=2,
)
class RendersTimesAgain(HonestMedium):
    """Parses time stamps and renders them in its own way."""

    class store(_Dated):
        def dated(self, stamp: str) -> Any:
            return datetime.fromisoformat(stamp).isoformat().replace("+00:00", "Z")


@liar("time_stamps_are_kept_as_written", kinds=["F47"], most=2)
class AllTimesAreUniversal(HonestMedium):
    """Moves time stamps to universal time."""

    class store(_Dated):
        def dated(self, stamp: str) -> Any:
            if stamp.endswith("Z"):
                return stamp
            return datetime.fromisoformat(stamp).astimezone(UTC).isoformat()


@liar(
    "time_stamps_are_kept_as_written",
    kinds=["F06"],
    most=2,
)
class CorrectsOldTimes(HonestMedium):
    """Puts the time of saving in the place of a time that it finds too old."""

    class store(_Dated):
        def dated(self, stamp: str) -> Any:
            return stamp if stamp > "2000" else "2026-01-01T00:00:00Z"
