"""Several writers at once: what was acknowledged to each is there, in one order that fits all.

Each law lets tasks, threads or processes loose on one session, in each way that the manifest's
``writers`` names, and judges the history of what they did. Where no two operations overlapped,
it says nothing.
"""

from storelaw.clauses import Seen, all_of, law, requires_field
from storelaw.families.crowds import (
    READERS,
    WRITERS,
    admits_crowds,
    at_least,
    crowded,
    drawn,
    judge_history,
)
from storelaw.trace import Trace

_ACTS = ("at_once",)


@law(
    family="concurrency",
    source=["PI-N1", "AP-A5", "PI-N2"],
    incidents=["F24", "F28"],
    battery=crowded(WRITERS),
    acts=_ACTS,
    programs=drawn,
    applies=admits_crowds,
)
def writers_lose_nothing_of_each_other(trace: Trace) -> Seen:
    """Every entry that was acknowledged to one of several writers is there when all are done.

    A store breaks it by reading the whole log, adding to it and writing it back: who writes
    last takes away what others wrote in between.
    """
    return judge_history(
        trace,
        "per-writer",
        "lost",
        because="what was acknowledged to one writer survives the others.",
    )


@law(
    family="concurrency",
    source=["PI-N1", "AP-A5"],
    incidents=["F24"],
    battery=crowded(WRITERS),
    acts=_ACTS,
    applies=admits_crowds,
)
def entries_of_several_writers_are_stored_once(trace: Trace) -> Seen:
    """An entry that one of several writers appended once is there once.

    A store breaks it by writing again when it notices another writer, though its first write
    went through.
    """
    return judge_history(
        trace,
        "per-writer",
        "duplicated",
        because="an entry that was appended once is stored once, whoever else writes.",
    )


@law(
    family="concurrency",
    source=["PI-N1", "AP-A5"],
    incidents=["F27"],
    battery=crowded(WRITERS),
    acts=_ACTS,
    applies=admits_crowds,
)
def entries_of_several_writers_are_not_mixed(trace: Trace) -> Seen:
    """Each entry that is there is one that somebody appended, whole.

    A store breaks it by an encoder, a buffer or a connection that writers share: a part of
    one entry ends up in another.
    """
    return judge_history(
        trace,
        "per-writer",
        "invented",
        because="no entry holds anything of another writer's.",
    )


@law(
    family="concurrency",
    source=["PI-N1", "AP-A5"],
    incidents=["F05", "F21"],
    battery=crowded(WRITERS),
    acts=_ACTS,
    applies=admits_crowds,
)
def each_writer_keeps_its_order(trace: Trace) -> Seen:
    """The entries of one writer stand in the order in which it appended them.

    A store breaks it by putting a write off when another one is under way, and letting the
    writer's next one through.
    """
    return judge_history(
        trace,
        "per-writer",
        "reordered",
        because="a writer's entries stay in its order, whoever else writes.",
    )


@law(
    family="concurrency",
    source=["AP-A5", "kit-atomic"],
    incidents=["F05"],
    battery=crowded(WRITERS),
    acts=_ACTS,
    programs=drawn,
    applies=all_of(admits_crowds, requires_field("batch", "atomic")),
)
def batches_of_several_writers_stay_together(trace: Trace) -> Seen:
    """A batch is seen whole or not at all, and nobody's entries stand within it.

    A store breaks it by writing entry by entry: another writer's entry comes between a tool
    call and its result, or a reader sees one without the other.
    """
    return judge_history(
        trace,
        "real-time" if trace.manifest.consistency == "real-time" else "per-writer",
        "split-batch",
        because="a batch is one step to everybody else.",
    )


@law(
    family="concurrency",
    source=["PI-N2"],
    incidents=["F24"],
    battery=crowded(READERS),
    acts=_ACTS,
    applies=at_least("sequential"),
)
def readers_agree_on_one_order(trace: Trace) -> Seen:
    """Of any two reads, one is a beginning of the other.

    A store breaks it by showing each client its own entries first, or by merging logs when
    they are read.
    """
    return judge_history(
        trace,
        "sequential",
        "forked",
        because="there is one log, and every reader sees a beginning of it.",
    )


@law(
    family="concurrency",
    source=["PI-N2"],
    incidents=["F21"],
    battery=crowded(READERS),
    acts=_ACTS,
    applies=at_least("sequential"),
)
def a_reader_never_sees_less_than_before(trace: Trace) -> Seen:
    """What one client has seen, it sees again.

    A store breaks it by asking another replica, or an old copy, when the newest is busy.
    """
    return judge_history(
        trace,
        "sequential",
        "back-in-time",
        because="a log only grows, to each of its readers.",
    )


@law(
    family="concurrency",
    source=["PI-N2"],
    incidents=["F20", "F21"],
    battery=crowded(WRITERS),
    acts=_ACTS,
    applies=at_least("sequential"),
)
def a_writer_sees_its_own_entries_beside_others(trace: Trace) -> Seen:
    """What was acknowledged to a client, it sees from then on.

    A store breaks it by reading from a copy that its own writes reach later.
    """
    return judge_history(
        trace,
        "sequential",
        "stale",
        because="a client sees what was acknowledged to it.",
    )


@law(
    family="concurrency",
    source=["kit-handles"],
    incidents=["F20"],
    battery=crowded(WRITERS, READERS),
    acts=_ACTS,
    programs=drawn,
    applies=at_least("real-time"),
)
def a_reader_sees_all_that_was_acknowledged(trace: Trace) -> Seen:
    """A read that began after an append was acknowledged shows it, and no less than an earlier read.

    A store breaks it by a cache in each client, or by acknowledging a write before others can
    see it.
    """
    return judge_history(
        trace,
        "real-time",
        "stale",
        "back-in-time",
        because="what was acknowledged to anybody is there for everybody.",
    )


@law(
    family="concurrency",
    source=["kit-order"],
    incidents=["F04", "F21"],
    battery=crowded(WRITERS, READERS),
    acts=_ACTS,
    programs=drawn,
    applies=at_least("real-time"),
)
def appends_of_all_writers_keep_their_order_in_time(trace: Trace) -> Seen:
    """What was acknowledged before another append began stands before it.

    A store breaks it by ordering entries by the clocks or the counters of its writers.
    """
    return judge_history(
        trace,
        "real-time",
        "real-time-order",
        because="an append that began later comes later.",
    )
