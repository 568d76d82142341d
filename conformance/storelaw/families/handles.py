"""Several handles on one medium, several entries with related ids: nothing gets in the way."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.families.isolation import apart
from storelaw.manifest import Manifest
from storelaw.model.logs import Logs
from storelaw.model.owners import among, judge_apart, judge_undisturbed, looked
from storelaw.program import Key, Program, Step, append, call, closed, load, opened, program
from storelaw.samples import said
from storelaw.strategies.ids import ENTRY_FAMILIES, related_entry_ids
from storelaw.trace import Event, Trace
from storelaw.values import Entry

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_SETTLE = Step("settle")


def two_handles(manifest: Manifest) -> str | None:
    """Outside the law where a medium allows one handle at a time."""
    return "one handle at a time" if manifest.handles == 1 else None


@law(
    family="isolation",
    source=["kit-handles"],
    incidents=["F20", "F39"],
    battery=[
        program(
            opened(1),
            append("s", said("1"), said("2")),
            load("s", on=1),
            append("s", said("3"), said("4")),
            load("s"),
            _SETTLE,
            load("s", on=1),
        ),
        program(
            opened(1),
            load("s", on=1),
            append("s", said("1"), said("2")),
            load("s"),
            _SETTLE,
            load("s", on=1),
        ),
    ],
    applies=two_handles,
)
def handles_see_each_others_entries(trace: Trace) -> None:
    """What one handle shows, another handle on the same medium shows too.

    A store breaks it by a cache in each handle that nobody tells of a write: a second
    client goes on with an old history.
    """
    seen: dict[Key, list[Any]] = {}
    for event in trace.events:
        shown = looked(event)
        if shown is not None and event.step.on == 0:
            seen[event.step.session] = shown
        elif shown is not None:
            missed = [e for e in seen.get(event.step.session, ()) if not among(trace, e, shown)]
            if missed:
                broken(
                    event,
                    expected=seen[event.step.session],
                    observed=shown,
                    because="what one handle shows, another shows at once.",
                )
        elif event.step.do != "settle":
            seen.pop(event.step.session, None)


@law(
    family="isolation",
    source=["kit-handles"],
    incidents=["F24"],
    battery=[
        program(
            append("s", said("1"), said("2")),
            opened(1),
            load("t", on=1),
            append("s", said("3")),
            load("s"),
            append("t", said("4"), on=1),
            load("s"),
        )
    ],
    applies=two_handles,
)
def a_write_through_one_handle_leaves_the_sessions_of_another(trace: Trace) -> None:
    """A write to one session through one handle takes nothing from another session.

    A store breaks it by writing back all that a handle read when it was opened: what
    others wrote in the meantime is gone.
    """
    judge_undisturbed(trace, "a write to one session takes nothing from another.")


@law(
    family="isolation",
    source=["kit-handles"],
    incidents=["F27"],
    battery=[
        program(opened(1), append("s", said("1")), closed(1), append("s", said("2")), load("s")),
        program(opened(1), append("s", said("1"), on=1), closed(0), load("s", on=1)),
    ],
    applies=two_handles,
)
def closing_one_handle_leaves_the_others_working(trace: Trace) -> None:
    """After one handle is closed, the others work on.

    A store breaks it by a connection that all its handles share and the first close ends.
    """
    gone: set[int | str] = set()
    for event in trace.events:
        on = event.step.on
        if event.step.do == "close":
            gone.add(on)
        elif event.step.do in ("open", "reopen"):
            gone.discard(on)
        elif event.raised and gone and on not in gone and event.error == "unknown":
            broken(
                event,
                expected="an answer",
                observed="an error",
                because="closing a handle ends that handle, and no other.",
            )


# ------------------------------------------------------------------ entry ids


def _per_session(manifest: Manifest) -> str | None:
    return (
        "entry ids are unique in the whole store" if manifest.contract.id_scope == "store" else None
    )


@law(
    family="isolation",
    source=["kit-id-scope"],
    incidents=["F15"],
    battery=[
        program(
            append("s", said("1", "one"), said("2")),
            append("t", said("1", "other"), said("3")),
            load("t"),
            load("s"),
        ),
        program(
            append("s", said("1"), said("2")),
            append("t", said("1"), said("3")),
            load("t"),
            load("s"),
        ),
        program(
            append("s", said("1"), said("2")),
            call("fork", "s", new="t"),
            load("t"),
            load("s"),
        ),
    ],
    applies=_per_session,
)
def an_entry_id_belongs_to_its_session(trace: Trace) -> str | None:
    """The same entry id in two sessions is two entries.

    A store breaks it by a table in which ids are unique over all sessions, and an insert
    that ignores what is known: a fork then loses every entry that it copies. Where
    ``id_scope`` is undeclared the second entry may be refused, but never silently lost.
    """
    refused = [each for each in trace.of("append") if each.raised and _shares(trace, each)]
    if refused and trace.manifest.contract.id_scope == "session":
        broken(
            refused[0],
            expected="accepted",
            observed="refused",
            because="an entry id is unique within its session only, as the manifest declares.",
        )
    _judge_lost(trace, "the same entry id in two sessions is two entries.", _sharing(trace), any)
    return "saw an entry id of another session refused" if refused else None


def _sharing(trace: Trace) -> set[str]:
    """The entry ids that more than one session was given."""
    owners: dict[str, set[Key]] = {}
    for event in trace.of("append", "fork"):
        session = event["new"] if event.step.do == "fork" else event.step.session
        for each in _passed(trace, event):
            owners.setdefault(str(each.get("id")), set()).add(session)
    return {name for name, sessions in owners.items() if len(sessions) > 1}


def _passed(trace: Trace, event: Event) -> list[Entry]:
    if event.step.do != "fork":
        return list(event.passed)
    earlier = trace.upto(event.index).of("append")
    return [e for each in earlier if each.step.session == event.step.session for e in each.passed]


def _shares(trace: Trace, event: Event) -> bool:
    shared = _sharing(trace)
    return any(str(each.get("id")) in shared for each in event.passed)


def _judge_lost(
    trace: Trace, because: str, ids: set[str], enough: Callable[[Iterable[bool]], bool]
) -> None:
    """Of the accepted entries with these ids, all or any come back: as many as is enough."""
    logs = Logs()
    for event in trace.events:
        log, shown = logs.log(event.step.session), looked(event)
        if shown is not None and log.certain:
            newest = log.entries[-_kept(trace.manifest) :]
            due = [each for each in newest if str(each.get("id")) in ids]
            if due and not enough([among(trace, each, shown) for each in due]):
                broken(event, expected=log.entries, observed=shown, because=because)
        logs.feed(event)


def _kept(manifest: Manifest) -> int:
    """The number of newest entries that no retention limit touches; 0 stands for all."""
    return manifest.keep or 0


def _entries_apart(ids: tuple[str, ...]) -> Program:
    listed = [said(each, f"text {n}") for n, each in enumerate(ids)]
    return program(append("s", *listed, said("guard")), load("s"))


def _generated(manifest: Manifest) -> "SearchStrategy[Program]":
    return st.builds(
        _batched, related_entry_ids(), st.lists(st.integers(0, 3), min_size=1, max_size=4)
    )


def _batched(ids: tuple[str, ...], cuts: list[int]) -> Program:
    names = [*ids, *(f"{each}{n}" for n, each in enumerate(ids))]
    steps: list[Step] = []
    for cut in cuts:
        batch, names = names[: cut + 1], names[cut + 1 :]
        steps.append(append("s", *(said(each, f"text of {each}") for each in batch)))
    return program(*(each for each in steps if each.entries), load("s"))


@law(
    family="isolation",
    source=["kit-ids"],
    incidents=["F54", "F15"],
    battery=[_entries_apart(each) for each in ENTRY_FAMILIES],
    programs=_generated,
    weight=2,
)
def related_entry_ids_are_different_entries(trace: Trace) -> str | None:
    """Entry ids that differ in case, blanks, Unicode form or spelling are different entries.

    A store breaks it by a unique index under a collation that takes them for one: the
    second entry passes for a retry of the first.
    """
    related = {each for family in ENTRY_FAMILIES for each in family}
    _judge_lost(trace, "entry ids are compared as they are.", related, all)
    return "refused" if any(each.raised for each in trace.of("append")) else None


# ------------------------------------------------------------------- probe ids


def _probed(manifest: Manifest) -> str | None:
    return None if manifest.probe_ids else "the manifest names no probe_ids"


@law(
    family="isolation",
    source=["kit-probe-ids"],
    incidents=["F53"],
    battery=lambda manifest: [
        apart([*manifest.probe_ids, "s"]),
        apart(["s", *manifest.probe_ids]),
    ],
    applies=_probed,
)
def ids_with_a_meaning_are_ordinary_ids(trace: Trace) -> str | None:
    """An id to which the store gives a meaning elsewhere is an ordinary session id.

    A store breaks it by reading an id such as ``latest`` as an order, and answering with
    another session.
    """
    return judge_apart(trace, "a session id names the session that was written under it.")
