"""What is read equals what was accepted: long texts, large entries, long and large logs."""

from typing import Any, Final

from storelaw.aspects import (
    Path,
    demanded,
    failed_loads,
    judge_accepted,
    judge_aspect,
    judge_leaves,
    judge_there,
)
from storelaw.clauses import law, requires_field
from storelaw.failures import broken
from storelaw.manifest import Manifest
from storelaw.model.logs import Reading
from storelaw.narrative import Words
from storelaw.program import Many, Program
from storelaw.samples import said
from storelaw.sizes import LEGAL_SIZE, largest, said_of_size
from storelaw.strategies.logs import guarded
from storelaw.trace import Trace
from storelaw.values import Entry, brief

#: Texts around the lengths at which columns and line readers end.
LENGTHS: Final = (65_535, 65_536, 65_537, 131_073, 512 * 1024)
LONG: Final = 16_384
LARGE: Final = 600 * 1024


def is_long(path: Path, value: Any) -> bool:
    """Whether a leaf is a long text, of an entry that isn't large."""
    return isinstance(value, str) and LONG < len(value) <= LARGE


def _is_huge(path: Path, value: Any) -> bool:
    return isinstance(value, str) and len(value) > LARGE


def _told_length(path: Path, value: Any) -> Words:
    return Words(f"a text of {len(value)} characters" if isinstance(value, str) else brief(value))


def is_large(entry: Entry) -> bool:
    """Whether an entry is large."""
    return largest(entry) > LARGE


def legal_size(manifest: Manifest) -> int:
    """The bytes that an entry may have under a manifest: what is declared, or 1 MiB."""
    return LEGAL_SIZE if manifest.max_entry is None else manifest.max_entry


def _too_small(manifest: Manifest) -> str | None:
    limit = legal_size(manifest)
    return f"max_entry is {limit}, below any long text" if limit < 66_000 else None


def _long_texts(manifest: Manifest) -> list[Program]:
    entries = [said(f"x{index}", "x" * length) for index, length in enumerate(LENGTHS)]
    limit = legal_size(manifest)
    return [guarded(manifest, each) for each in entries if largest(each) <= limit]


@law(
    family="fidelity", source=["PI-A8"], incidents=["F23"], applies=_too_small, battery=_long_texts
)
def long_text_is_kept(trace: Trace) -> None:
    """A text of 64 KiB and more comes back whole, up to the declared size of an entry.

    Line readers with a buffer of 64 KiB fail or stop there, and a column of 65,535
    characters cuts without an error.
    """
    judge_aspect(trace, is_long, "a long text comes back whole.", tell=_told_length)


def _large(manifest: Manifest) -> list[Program]:
    return [guarded(manifest, said_of_size("large", legal_size(manifest)))]


@law(family="fidelity", source=["PI-A8", "kit-values"], incidents=["F20", "F23"], battery=_large)
def an_entry_of_a_mebibyte_is_kept(trace: Trace) -> None:
    """An entry of 1 MiB of JSON (or of the declared size) is accepted and comes back whole.

    Services have limits of 256 or 400 KB for an item: the write fails, or is dropped by the
    code around it.
    """
    because = "an entry of up to 1 MiB, or up to the declared size, comes back whole."
    judge_accepted(trace, is_large, because)
    judge_there(trace, is_large, because)
    judge_leaves(trace, _is_huge, because, tell=_told_length)


# ------------------------------------------------------------------------ logs


def judge_length(trace: Trace, because: str) -> None:
    """All entries of a log come back, not counting its newest one."""
    for event, entries in failed_loads(trace):
        broken(event, expected=Words(f"{len(entries)} entries"), observed="", because=because)
    short: dict[int, list[bool]] = {}
    read: dict[int, Reading] = {}
    for reading, match in demanded(trace):
        short.setdefault(reading.event.index, []).append(match.place is None)
        read[reading.event.index] = reading
    for index, missing in short.items():
        if any(missing[:-1]):
            _too_short(read[index], because)


def _too_short(reading: Reading, because: str) -> None:
    broken(
        reading.event,
        expected=Words(f"{len(reading.expected)} entries"),
        observed=Words(f"{len(reading.observed)} entries"),
        because=because,
    )


def _long_logs(manifest: Manifest) -> list[Program]:
    return [guarded(manifest, Many(said("m"), times)) for times in (101, 250, 1_001)]


@law(
    family="fidelity",
    source=["PI-A1", "PI-L4"],
    incidents=["F09", "F20"],
    applies=requires_field("keep", None),
    battery=_long_logs,
)
def long_logs_load_whole(trace: Trace) -> None:
    """A log of a hundred entries, and of a thousand, is read from its first to its last.

    A default limit of the query, the first page of a paged answer, or a buffer of the
    newest hundred stands for the whole, and nothing says that there is more.
    """
    judge_length(trace, "a log is read whole, however many entries it has.")


def _large_logs(manifest: Manifest) -> list[Program]:
    size = min(60_000, legal_size(manifest) - 200)
    return [guarded(manifest, Many(said("m", "x" * size), 50))]


@law(
    family="fidelity",
    source=["PI-A8"],
    incidents=["F09", "F23"],
    applies=requires_field("keep", None),
    battery=_large_logs,
)
def large_logs_load_whole(trace: Trace) -> None:
    """A log of three million bytes is read whole, though no entry of it is large.

    Queries that page by bytes end at a mebibyte, and stores that keep a session in one
    document reach the largest document.
    """
    judge_length(trace, "a log is read whole, however many bytes it has.")
