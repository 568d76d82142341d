"""A failed write leaves what was there before it, and no lock behind."""

from collections.abc import Iterable, Iterator

from hypothesis.strategies import SearchStrategy

from storelaw.clauses import all_of, law, requires_field
from storelaw.failures import broken
from storelaw.manifest import Manifest
from storelaw.model.retries import caller_ids, entries_in, roomy
from storelaw.narrative import Words
from storelaw.program import Program, append, bad, load, opened, program
from storelaw.samples import said
from storelaw.strategies.retries import spoilt_batches
from storelaw.trace import Event, Trace, payload
from storelaw.values import Entry

A, B, C, D, E = (said(each) for each in ("1", "2", "3", "4", "5"))
BAD = tuple(bad(said(f"bad-{how}"), how) for how in ("object", "nan"))

#: Batches with a bad entry at the end, in the middle and at the begin.
SPOILT = tuple(
    batch for each in BAD for batch in ((B, C, each), (B, each, C), (each, B, C), (each,))
)
BEGUN = (append("s", A), load("s"))


def plain(entry: Entry) -> Entry:
    """What tells an entry from others whatever id the store gave it: its payload, less the bad."""
    return {name: value for name, value in payload(entry).items() if name != "bad"}


def listed(event: Event) -> list[Entry]:
    """The payloads that a load gave."""
    return [plain(each) for each in entries_in(event)]


class Books:
    """What was accepted into one session of a trace, and what its last reading showed."""

    def __init__(self) -> None:
        self.accepted: list[Entry] = []
        self.refused: list[tuple[list[Entry], int]] = []
        self.shown: list[Entry] | None = None


def places(entries: Iterable[Entry], log: list[Entry], trace: Trace) -> list[int]:
    """The places of entries that a log holds."""
    return [i for i, each in enumerate(log) if any(trace.same(each, e) for e in entries)]


def audited(trace: Trace) -> Iterator[tuple[Event, Books]]:
    """Each load that gave an answer, with the books of its session before it."""
    books: dict[object, Books] = {}
    for event in trace.of("append", "load"):
        mine = books.setdefault(event.step.session, Books())
        passed = [plain(each) for each in event.passed]
        if event.step.do == "append" and event.ok:
            mine.accepted += passed
        elif event.step.do == "append" and event.passed:
            mine.refused.append((passed, _bad_at(event)))
        elif event.ok and not event.step.args:
            yield event, mine
            mine.shown = listed(event)


def _bad_at(event: Event) -> int:
    return next((i for i, each in enumerate(event.passed) if "bad" in each), len(event.passed))


def _spoilt(manifest: Manifest) -> Iterator[Program]:
    for batch in SPOILT:
        yield program(*BEGUN, append("s", *batch), load("s"))


def _batches(_: Manifest) -> SearchStrategy[Program]:
    return spoilt_batches()


def _fresh(batch: list[Entry], books: Books, trace: Trace) -> list[Entry]:
    """The entries of a refused batch that were accepted at no other time."""
    return [e for e in batch if not any(trace.same(e, other) for other in books.accepted)]


@law(
    family="atomicity",
    source=["PI-A7", "kit-batches"],
    incidents=["F19"],
    applies=all_of(roomy, requires_field("batch", "atomic")),
    battery=_spoilt,
    programs=_batches,
    weight=2,
)
def a_refused_batch_leaves_nothing(trace: Trace) -> None:
    """Where batches are atomic, an append that raised has stored none of its entries.

    A store breaks it by inserting row after row and failing at the bad one, without a
    transaction around them.
    """
    for event, books in audited(trace):
        for batch, _ in books.refused:
            left = places(_fresh(batch, books, trace), listed(event), trace)
            if left:
                broken(
                    event,
                    expected=books.accepted,
                    observed=listed(event),
                    because="an append that raised stores none of its entries.",
                )


def _prefixes(manifest: Manifest) -> Iterator[Program]:
    yield from _spoilt(manifest)
    yield program(append("s", A), append("s", B, C, D, BAD[0], E), load("s"))


@law(
    family="atomicity",
    source=["PI-A7", "kit-batches"],
    incidents=["F19", "F20"],
    applies=all_of(roomy, requires_field("batch", "prefix", "one")),
    battery=_prefixes,
    programs=_batches,
    weight=2,
)
def a_refused_batch_leaves_at_most_a_prefix(trace: Trace) -> None:
    """Where batches are not atomic, an append that raised has stored a prefix of them, or nothing.

    A store breaks it by writing items in parallel, or by going on after the bad entry.
    """
    for event, books in audited(trace):
        for batch, end in books.refused:
            fresh = _fresh(batch, books, trace)
            kept = [e for e in listed(event) if any(trace.same(e, each) for each in fresh)]
            allowed = _fresh(batch[:end], books, trace)
            if not trace.same(kept, allowed[: len(kept)]):
                broken(
                    event,
                    expected=allowed,
                    observed=kept,
                    because="what an append that raised has stored is a prefix of its batch.",
                )


@law(
    family="atomicity",
    source=["kit-batches", "PI-A2"],
    incidents=["F19", "F10"],
    applies=roomy,
    battery=_spoilt,
    programs=_batches,
)
def a_refused_append_changes_nothing_stored_before(trace: Trace) -> None:
    """What was in the log before an append that raised is there after it, in its order.

    A store breaks it by rewriting the log and failing half-way, or by a roll-back that goes
    too far.
    """
    failed: set[object] = set()
    shown: dict[object, list[Entry]] = {}
    for event in trace.of("append", "load"):
        session = event.step.session
        if event.step.do == "append":
            if event.raised:
                failed.add(session)
            continue
        if session in failed and session in shown:
            _judge_still(trace, event, shown[session])
        elif event.ok:
            shown[session] = listed(event)


def _judge_still(trace: Trace, event: Event, before: list[Entry]) -> None:
    now = listed(event)
    if event.raised or not trace.same(before, now[: len(before)]):
        broken(
            event,
            expected=before,
            observed=Words("it raised") if event.raised else now[: len(before)],
            because="an append that raised changes nothing that was stored before it.",
        )


def _locks(manifest: Manifest) -> Iterator[Program]:
    for each in BAD:
        yield program(*BEGUN, append("s", B, each), append("s", C), append("t", D), load("s"))
        if manifest.handles != 1:
            steps = (append("s", B, each), append("s", C, on=1), append("t", D, on=1))
            yield program(*BEGUN, opened(1), *steps, load("s", on=1))


def _good(event: Event) -> bool:
    return bool(event.passed) and not any("bad" in each for each in event.passed)


@law(
    family="atomicity",
    source=["kit-batches"],
    incidents=["F19"],
    applies=roomy,
    battery=_locks,
)
def a_refused_append_leaves_no_lock(trace: Trace) -> None:
    """After an append that raised, this handle and any other can write at once.

    A store breaks it by an error path that neither commits nor rolls back, so that every
    later writer waits for a transaction that nobody will end.
    """
    refused = False
    for event in trace.of("append"):
        refused = refused or (event.raised and not _good(event))
        if refused and event.raised and _good(event) and event.error != "SessionNotFound":
            broken(
                event,
                expected=Words("the append passes"),
                observed=Words("it raised"),
                because="after an append that raised, any handle can write at once.",
            )


@law(
    family="atomicity",
    source=["kit-batches", "kit-retries"],
    incidents=["F13", "F15"],
    applies=all_of(roomy, caller_ids),
    battery=[
        program(
            *BEGUN,
            append("s", D),
            append("s", B, BAD[0], C),
            append("s", C),
            append("s", E),
            load("s"),
        ),
        program(
            *BEGUN, append("s", D), append("s", bad(B)), append("s", B), append("s", E), load("s")
        ),
    ],
)
def the_ids_of_a_refused_batch_can_be_appended_later(trace: Trace) -> None:
    """An entry whose append raised can be appended properly afterwards, and is then there.

    A store breaks it by learning the ids of a batch before it has stored the entries.
    """
    for event, books in audited(trace):
        late = [e for batch, _ in books.refused for e in batch]
        for each in books.accepted:
            wanted = any(trace.same(each, other) for other in late)
            if wanted and not places([each], listed(event), trace):
                broken(
                    event,
                    expected=books.accepted,
                    observed=listed(event),
                    because="the ids of an append that raised are still free.",
                )


@law(
    family="atomicity",
    source=["kit-outcomes"],
    incidents=["F20", "F22"],
    applies=roomy,
    battery=_spoilt,
    programs=_batches,
)
def an_append_that_did_not_raise_is_there(trace: Trace) -> None:
    """A batch with a bad entry either raises, or comes back with all of its entries.

    A store breaks it by swallowing the error: the caller is told that all is well.
    """
    for event, books in audited(trace):
        spoilt = _swallowed(trace, event)
        missing = [e for e in spoilt if not places([e], listed(event), trace)]
        if missing:
            broken(
                event,
                expected=books.accepted,
                observed=listed(event),
                because="an append that can't store an entry raises.",
            )


def _swallowed(trace: Trace, reading: Event) -> list[Entry]:
    """The entries of bad batches that were accepted before a reading."""
    return [
        plain(each)
        for event in trace.upto(reading.index).of("append")
        if event.ok and event.step.session == reading.step.session and not _good(event)
        for each in event.passed
    ]
