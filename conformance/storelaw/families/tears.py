"""A write that ends early costs at most the entry that was being written, and no later one."""

from typing import Final

from storelaw.clauses import Seen, all_of, law, requires_field
from storelaw.failures import unseen
from storelaw.model.remains import LEVELS, whole_batches
from storelaw.model.scenes import Scene, as_appended, as_read, judge_cuts
from storelaw.program import append, program
from storelaw.samples import said
from storelaw.trace import Trace
from storelaw.wreckage import Cut
from storelaw.wrecks import tear

A, B, C, D = (said(each) for each in ("1", "2", "3", "4"))
WIDE = said("5", "\u00e9\u6f22\U0001f600")
LONG = said("6", "x" * 3_000)

ONE = program(append("s", A), tear("s", B))
CHARACTERS = program(append("s", A), tear("s", WIDE))
BATCH = program(append("s", A), tear("s", B, C, D))
MUCH = program(append("s", A), tear("s", LONG))

#: A store that keeps all its entries.
KEEPS: Final = requires_field("keep", None)

#: A store that promises anything for a crash.
PROMISED: Final = all_of(KEEPS, requires_field("crash", *LEVELS))


def _behind(cut: Cut) -> bool:
    return cut.behind


def _unended(cut: Cut) -> bool:
    return cut.unended


@law(
    family="crash",
    source=["PI-K1", "D-AP-6"],
    incidents=["F17"],
    applies=PROMISED,
    powers={"files"},
    battery=[ONE, CHARACTERS, BATCH, MUCH],
)
def acknowledged_entries_survive_a_torn_append(trace: Trace) -> Seen:
    """Wherever the write of an append ends early, all entries before it load.

    A store breaks it by failing at a line that it can't decode, or by giving nothing where
    it can't give everything: a session that vanishes with its last line.
    """
    because = "what was acknowledged before a torn write is still read."
    return judge_cuts(trace, _behind, _hidden, as_read, because)


def _hidden(scene: Scene, cut: Cut) -> bool:
    return not scene.read(cut)


@law(
    family="crash",
    source=["PI-K1"],
    incidents=["F17"],
    applies=PROMISED,
    powers={"files"},
    battery=[ONE, CHARACTERS, BATCH, MUCH],
)
def a_torn_entry_is_absent_or_whole(trace: Trace) -> Seen:
    """What a torn write leaves of a batch is its first entries, whole, or nothing.

    A store breaks it by decoding half a character as another one, by taking NUL bytes for a
    record, or by giving a cut text back.
    """
    because = "an entry whose write ended early is there as it was sent, or not at all."
    return judge_cuts(trace, _behind, _halved, as_read, because)


def _halved(scene: Scene, cut: Cut) -> bool:
    return scene.read(cut) and not scene.in_part(cut)


@law(
    family="crash",
    source=["kit-crashes", "D-PI-19"],
    incidents=["F19"],
    applies=all_of(KEEPS, whole_batches),
    powers={"files"},
    battery=[BATCH],
)
def a_torn_batch_is_absent_or_whole(trace: Trace) -> Seen:
    """Where batches are promised whole, a torn write leaves all of one or nothing.

    A store breaks it by writing a line for each entry, with nothing that says where the
    batch ends.
    """
    because = "a batch whose write ended early is there as a whole, or not at all."
    return judge_cuts(trace, _behind, _split, as_read, because)


def _split(scene: Scene, cut: Cut) -> bool:
    some = 0 < len(scene.rest(cut)) < len(scene.sent)
    return some and scene.read(cut) and scene.in_part(cut)


@law(
    family="crash",
    source=["PI-K5", "D-PI-1", "D-AP-6"],
    incidents=["F18"],
    applies=PROMISED,
    powers={"files"},
    battery=[ONE, CHARACTERS, BATCH, MUCH],
)
def an_append_behind_a_torn_tail_is_kept(trace: Trace) -> Seen:
    """After a torn write the next append passes, and is read with all that was read before it.

    A store breaks it by writing on behind the torn bytes: two records on one line, which
    nobody can read any more, and every later entry is lost with them.
    """
    because = "an append behind a torn write is kept, and hides nothing."
    return judge_cuts(trace, _behind, _lost, as_appended, because)


def _lost(scene: Scene, cut: Cut) -> bool:
    sound = not cut.unended and scene.read(cut) and scene.in_part(cut)
    return sound and not scene.kept(cut)


@law(
    family="crash",
    source=["PI-K2", "D-PI-1", "D-AP-7"],
    incidents=["F18"],
    applies=PROMISED,
    powers={"files"},
    battery=[ONE, BATCH],
)
def an_entry_without_its_line_feed_stays(trace: Trace) -> Seen:
    """An entry that is read although its line has no end is read after the next append, too.

    A store breaks it by gluing the next record to it, or by cutting off what it can't see
    the end of, though it has shown it. Not applicable where such an entry is not shown.
    """
    because = "an entry that was read without its line feed stays."
    return judge_cuts(trace, _unended, _gone, as_appended, because)


def _gone(scene: Scene, cut: Cut) -> bool:
    if not (scene.read(cut) and len(scene.rest(cut)) == len(scene.sent)):
        unseen("no entry is read whose line lacks its line feed", applicable=False)
    return not scene.kept(cut)
