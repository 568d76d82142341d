"""Signed turns: who may write, the chain of a publisher, and what an audit finds."""

from typing import Any, Final

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.families.memory_queries import memory, stored
from storelaw.families.memory_rows import ONE, SIGNED
from storelaw.model.turn_chains import chains, digest, positions
from storelaw.model.turns import held, is_refusal, put_of
from storelaw.narrative import Words
from storelaw.program import Program, Step, answer_of, ask, door, failing, program
from storelaw.strategies.turns_rows import row
from storelaw.trace import Event, Trace
from storelaw.turned import scope_of
from storelaw.values import Entry, is_array, is_object

OWN: Final = "session:n/one"
STRANGER: Final = "session:n/two"
#: Whose entries are demanded to be signed.
BOTH: Final = [OWN, STRANGER]

A, B, C = (
    row(ONE, f"turn-{index:06d}-user", f"{index}", f"2026-01-01T00:00:0{index}Z")
    for index in range(3)
)


def _openings(trace: Trace) -> dict[str, Any]:
    """What each memory door was opened with."""
    opened = (event for event in trace.of("open_door") if event.ok and event["door"] == "memory")
    return {str(event.step.on): event["named"] or {} for event in opened}


def _puts(trace: Trace) -> list[tuple[Event, Entry, Any]]:
    """The puts of turns at memory doors, with what the door was opened with."""
    doors = _openings(trace)
    return [
        (event, put_of(event), doors[str(event.step.on)])
        for event in trace.of("ask")
        if event.step.name == "put" and str(event.step.on) in doors and put_of(event)
    ]


def _judge_refused(event: Event, because: str) -> None:
    if not is_refusal(event):
        observed = Words("it raised a failure" if event.raised else "it was accepted")
        broken(event, expected=Words("it is refused"), observed=observed, because=because)


@law(
    family="turn_memory",
    door="memory",
    operations=(),
    source=["OA-P1"],
    battery=[
        memory(stored(A), verifies=[OWN]),
        memory(stored({**A, "provenance": SIGNED}), verifies=[OWN]),
    ],
)
def a_turn_without_a_good_signature_is_refused(trace: Trace) -> None:
    """Where signatures are demanded, an unsigned turn and one with an unknown key are refused.

    A memory that checks signatures in an audit only has stored, for good, what it can't trust.
    """
    for event, entry, named in _puts(trace):
        held_there: Entry = entry.get("provenance") or {}
        signed = held_there.get("sig") not in (None, SIGNED["sig"])
        if "verifies" in named and "signer" not in named and not signed:
            _judge_refused(
                event, "a turn is written with a signature that verifies, or not at all."
            )


@law(
    family="turn_memory",
    door="memory",
    operations=(),
    source=["OA-P1", "OA-Q1"],
    battery=[
        memory(stored(A), signer=STRANGER, verifies=BOTH, caller=STRANGER),
        memory(stored(A), signer=STRANGER, verifies=BOTH),
        memory(stored(A), caller=STRANGER),
        memory(stored(A), signer=OWN, verifies=BOTH, caller=OWN),
    ],
)
def a_session_writes_as_itself_only(trace: Trace) -> None:
    """A session's credential neither writes nor signs a turn in another session's scope.

    A memory that looks at the signature alone lets every session speak in every transcript.
    """
    for event, entry, named in _puts(trace):
        owner = f"session:{entry['scope']['id']}"
        told = {named.get("signer", owner), named.get("caller", owner)}
        checked = "caller" in named or "verifies" in named
        if checked and any(each != owner for each in told if each.startswith("session:")):
            _judge_refused(event, "a session writes its own conversation, under its own name.")


def _signing(*steps: Step) -> Program:
    return memory(*steps, signer=OWN, verifies=[OWN])


_CHANGED: Final = {**A, "content": {"content": [{"type": "text", "text": "changed"}]}}
_THREE: Final = (stored(A), stored(B), stored(C))


def _judge_chains(trace: Trace, because: str) -> None:
    for event, _, named in _puts(trace):
        for links in chains(held(event, ONE)).values():
            found = positions(links)
            wanted = list(range(1, len(found) + 1))
            if "signer" in named and found != wanted:
                broken(event, expected=wanted, observed=found, because=because)


@law(
    family="turn_memory",
    door="memory",
    operations=(),
    acts={"put"},
    source=["OA-P2"],
    battery=[_signing(*_THREE), _signing(stored(B), stored(A))],
)
def a_chain_counts_from_one_without_gaps(trace: Trace) -> None:
    """The entries of a publisher in a scope have the positions 1, 2, 3 and so on.

    A signer that counts by itself, or over all scopes, leaves positions that an audit takes
    for deleted entries.
    """
    _judge_chains(trace, "the positions of a chain are 1, 2, 3 and so on.")


@law(
    family="turn_memory",
    door="memory",
    operations=(),
    acts={"put"},
    source=["OA-P3"],
    powers={"fail_next"},
    incidents=["F13"],
    battery=[
        _signing(
            stored(A), failing("before-commit", door="store"), stored(B), stored(B), stored(C)
        ),
        _signing(stored(A), failing("after-commit", door="store"), stored(B), stored(B), stored(C)),
        _signing(stored(A), stored(A), stored(B)),
        _signing(stored(A), stored(_CHANGED), stored(B)),
    ],
)
def a_write_that_stores_nothing_takes_no_position(trace: Trace) -> None:
    """A put that failed, was refused or absorbed leaves no gap behind in the chain.

    A signer that counts its attempts goes on from a position that nobody holds.
    """
    _judge_chains(trace, "a position is used up by an entry that was stored, and by nothing else.")


@law(
    family="turn_memory",
    door="memory",
    operations=(),
    acts={"put"},
    source=["OA-P2"],
    battery=[_signing(*_THREE), _signing(stored(B), stored({**A, "tags": ["b", "a"]}), stored(C))],
)
def each_entry_of_a_chain_names_the_one_before(trace: Trace) -> None:
    """An entry's link back is the digest of the entry before it; the first entry has none.

    The digest goes over canonical content, sorted tags and a time in microseconds, so that it
    is the same after any store. One over bytes breaks the first time a store reorders keys.
    """
    because = "each entry of a chain names the digest of the entry before it."
    for event, _, named in _puts(trace):
        for links in chains(held(event, ONE)).values():
            backs = [each["provenance"].get("prevHash") for each in links]
            wanted = [None, *map(digest, links[:-1])]
            if "signer" in named and backs != wanted:
                broken(event, expected=wanted, observed=backs, because=because)


# ------------------------------------------------------------------------ audit


def _audit() -> Step:
    return ask("M", "audit", scope_of(ONE))


def _tampered(*steps: Step) -> Program:
    opened = door("memory", "M", ONE, signer=OWN, verifies=[OWN])
    return program(opened, door("backend", "B", ONE), *steps, _audit())


def _got(entry: Entry, save: str) -> Step:
    return ask("B", "get", entry["scope"], entry["kind"], entry["id"], save=save)


def _edited(name: str, **changes: Any) -> Entry:
    members = ("scope", "kind", "id", "createdAt", "content", "provenance")
    return {**{each: answer_of(name, each) for each in members}, **changes}


def _removed(entry: Entry) -> Step:
    return ask("B", "delete", entry["scope"], entry["kind"], entry["id"])


def _seq(name: str, seq: int) -> Entry:
    sealed = ("publisher", "keyId", "prevHash", "sig")
    held_before = {each: answer_of(name, "provenance", each) for each in sealed}
    return _edited(name, id="turn-000009-user", provenance={**held_before, "seq": seq})


#: How each battery meddles with a chain of three, and the defect that an audit must name.
TAMPERINGS: Final = (
    ("", ()),
    ("gap", (_removed(B),)),
    (
        "bad-signature",
        (_got(B, "b"), ask("B", "put", _edited("b", content=_CHANGED["content"]))),
    ),
    ("unsigned", (ask("B", "put", row(ONE, "turn-000007-user", "forged")),)),
    ("gap", (_got(C, "c"), ask("B", "put", _seq("c", 20_000)))),
)


@law(
    family="turn_memory",
    door="memory",
    operations=(),
    acts={"put", "audit"},
    source=["OA-P2", "D-OA-10"],
    battery=[_tampered(*_THREE, *steps) for _, steps in TAMPERINGS],
)
def an_audit_names_what_was_tampered_with(trace: Trace) -> None:
    """An audit finds nothing in a whole chain, and names a gap, an edit and an unsigned turn.

    A chain of three has few defects, however far a forged position lies away: an audit that
    lists every missing number never ends on one large one.
    """
    for event in trace.of("ask"):
        if event.step.name != "audit" or not event.ok:
            continue
        entries = held(event, ONE)
        found = [each for each in event.value if is_object(each)] if is_array(event.value) else []
        defects = {str(each.get("defect")) for each in found}
        wanted = _defects(trace, event, entries)
        if not wanted <= defects or (defects and not wanted) or len(found) > 3 * len(entries) + 3:
            because = "an audit names each defect of the stored entries once, and no other."
            observed = found if len(found) < 13 else Words(f"{len(found)} findings")
            broken(event, expected=sorted(wanted), observed=observed, because=because)


def _defects(trace: Trace, event: Event, entries: list[Entry]) -> set[str]:
    """What is wrong with the stored entries, as far as their positions and envelopes show it."""
    wanted = set[str]()
    signed: dict[Any, Entry] = {}
    for before in trace.upto(event.index).of("ask"):
        if before.step.name == "put" and is_object(before.value) and "provenance" in before.value:
            signed[before.value["id"]] = before.value
    for each in entries:
        if not each.get("provenance"):
            wanted.add("unsigned")
        elif (
            each["id"] in signed
            and not trace.same(signed[each["id"]].get("content"), each.get("content"))
        ) or each["id"] not in signed:
            wanted.add("bad-signature")
    for links in chains(entries).values():
        if positions(links) != list(range(1, len(links) + 1)):
            wanted.add("gap")
    return wanted
