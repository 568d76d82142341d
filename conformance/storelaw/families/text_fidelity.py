"""What is read equals what was accepted: texts and time stamps."""

from typing import Any, Final

from storelaw.aspects import Concern, Path, judge_aspect
from storelaw.clauses import law
from storelaw.program import Program
from storelaw.samples import CREATED, said
from storelaw.strategies.logs import GUARD, each_holding, guarded, logs_of
from storelaw.strategies.values import spoken, texts
from storelaw.trace import Trace
from storelaw.values import Entry

#: Members whose texts are not prose.
STAMPS: Final = ("created_at", "timestamp")
MARKS: Final = (*STAMPS, "id", "parent_id", "type", "kind", "role")

SEPARATORS: Final = ("\u2028", "\u2029", "\u0085", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e")
LINE_ENDS: Final = ("two\r\nlines", "a\rb", "a\nb\n", "\n", "\tx\t", " x", "x ", " ", "a  b")
FORMS: Final = ("caf\u00e9", "cafe\u0301", "\u212b", "\ufb01", "\uac00", "\u1100\u1161")
ASTRAL: Final = (
    "\U0001f600",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\U0010ffff",
    "a\U00020000b",
)
ESCAPES: Final = (
    "\\u0000",
    "\\ud800",
    "\\n",
    "\\\\",
    "\\x00",
    "%00",
    "%2F",
    "&lt;",
    "&#0;",
    "\ufffd",
    "\u2400",
    '{"a": 1}',
    "[]",
    "null",
    "true",
    "1.0",
    "2026-01-01T00:00:00Z",
)
#: Written at several offsets and with zero to nine digits of a second.
WRITTEN: Final = (
    "2026-01-01T00:00:01Z",
    "2026-01-01T00:00:00.1Z",
    "2026-01-01T00:00:00.120Z",
    "2026-01-01T00:00:00.123456Z",
    "2026-01-01T00:00:00.123456789Z",
    "2026-01-01T01:00:00+01:00",
    "2025-12-31T18:30:00-05:30",
    "2026-01-01T00:00:00+00:00",
    "2026-01-01T00:00:00-00:00",
    "2024-02-29T23:59:59.999999999Z",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
)


def is_text(path: Path, value: Any) -> bool:
    """Whether a leaf is prose, other than the guard's."""
    prose = isinstance(value, str) and bool(path) and path[-1] not in MARKS
    return prose and value != GUARD["id"]


def is_stamp(path: Path, value: Any) -> bool:
    """Whether a leaf is a time stamp, other than the guard's."""
    stamp = isinstance(value, str) and bool(path) and path[-1] in STAMPS
    return stamp and value != CREATED


def text_with(*parts: str) -> Concern:
    """Prose that holds one of these."""
    return lambda path, value: is_text(path, value) and any(each in value for each in parts)


def text_beyond(first: str) -> Concern:
    """Prose with a character at or above this one."""
    return lambda path, value: is_text(path, value) and any(each >= first for each in value)


def saying(*said_texts: str) -> Any:
    """A battery with one guarded session for each text."""
    return each_holding(*(said(f"t{index}", each) for index, each in enumerate(said_texts)))


@law(
    family="fidelity",
    source=["kit-values"],
    incidents=["F43"],
    battery=saying('Say "it\'s" <b>&</b> `now`; -- 100% a_b*c? #$@!', "UPPER lower", "x" * 300),
    programs=lambda manifest: logs_of(spoken(texts()), manifest),
    weight=2,
)
def text_comes_back_character_by_character(trace: Trace) -> None:
    """Text comes back with exactly its characters.

    Sanitisers meant for a page or a query change quotes and angle brackets, collations
    change case, and columns pad or cut.
    """
    judge_aspect(trace, is_text, "text comes back with exactly its characters.")


@law(family="fidelity", source=["kit-values"], incidents=["F43"], battery=saying(*ESCAPES))
def text_that_looks_like_an_escape_is_kept(trace: Trace) -> None:
    r"""Text that looks like an escape, or like another type's value, is kept as it is.

    The six characters of ``\u0000`` are a legal text: a store that writes them for a NUL
    reads both as the same. Others parse what looks like a number, a date or JSON.
    """
    because = "a text that only looks like an escape or another value is kept as it is."
    judge_aspect(trace, text_with(*ESCAPES), because)


@law(
    family="fidelity",
    source=["PI-A8", "kit-values"],
    incidents=["F17", "F45"],
    battery=saying(*(f"one{each}two" for each in SEPARATORS)),
)
def separators_in_text_end_no_record(trace: Trace) -> None:
    """U+2028, U+2029, U+0085 and the separators of ASCII inside a text end no record.

    JSON may hold them as they are, and a reader that splits its lines by the rules of
    Unicode cuts the record in two.
    """
    because = "a separator inside a text is part of the text and ends no record."
    judge_aspect(trace, text_with(*SEPARATORS), because)


@law(family="fidelity", source=["kit-values"], incidents=["F45"], battery=saying(*LINE_ENDS))
def line_ends_and_blanks_in_text_are_kept(trace: Trace) -> None:
    """CR, LF, tabs, and blanks at either end of a text come back as they were.

    Files opened in text mode rewrite line ends, fixed-width columns drop trailing blanks,
    and tidy parsers strip.
    """
    because = "line ends and blanks in a text come back as they were."
    judge_aspect(trace, text_with("\r", "\n", "\t", " "), because)


@law(family="fidelity", source=["kit-values"], incidents=["F54"], battery=saying(*FORMS))
def text_is_not_normalised(trace: Trace) -> None:
    """Composed and decomposed forms of a text come back as the form that was appended.

    They look the same and are different texts: hashes, offsets and searches tell.
    """
    because = "a text comes back in the form that was appended, composed or decomposed."
    judge_aspect(trace, text_beyond("\x80"), because)


@law(family="fidelity", source=["kit-values"], incidents=["F42"], battery=saying(*ASTRAL))
def characters_of_four_bytes_are_kept(trace: Trace) -> None:
    """Characters beyond U+FFFF come back, joined emoji too.

    A three-byte utf8 column cuts the text there, or writes question marks.
    """
    because = "characters beyond U+FFFF come back as they were."
    judge_aspect(trace, text_beyond("\U00010000"), because)


def _stamped(manifest: Any) -> list[Program]:
    entries = [said(f"c{index}", created=each) for index, each in enumerate(WRITTEN)]
    spoken_at = [_answered_at(f"m{index}", each) for index, each in enumerate(WRITTEN)]
    return [guarded(manifest, each) for each in (*entries, *spoken_at)]


def _answered_at(id: str, stamp: str) -> Entry:
    entry = said(id, role="assistant", created=CREATED)
    return {**entry, "message": {**entry["message"], "timestamp": stamp}}


@law(
    family="fidelity",
    source=["PI-A4", "kit-values"],
    incidents=["F06", "F45", "F47"],
    battery=_stamped,
)
def time_stamps_are_kept_as_written(trace: Trace) -> None:
    """Time stamps come back as they were written: same zone, same digits, same instant.

    Stores put their own time of saving in the place of the entry's, move it to another
    zone, or render it again with other digits.
    """
    because = "a time stamp comes back as it was written."
    judge_aspect(trace, is_stamp, because)
