"""Receipts: what a run says is stored is stored, and all of it is said."""

from collections.abc import Iterator
from typing import Any, Final

from storelaw.clauses import law
from storelaw.conditions import sessions_unless
from storelaw.failures import broken
from storelaw.model.acts import Act, acts, fleeting, lasting, objects
from storelaw.model.chains import name_of, names
from storelaw.narrative import Words
from storelaw.program import Program, failing, program, run, session
from storelaw.samples import assistant, calls, ephemeral, user
from storelaw.trace import Trace
from storelaw.values import Entry

_APPLIES: Final = sessions_unless("receipts", "no")

_BATTERY: Final[tuple[Program, ...]] = (
    program(session("s"), run(user("u"), answer=(assistant("a"),))),
    program(
        session("s"),
        run(user("u"), answer=(assistant("a"),)),
        run(ephemeral("r"), user("v"), answer=(assistant("b"), assistant("e"))),
    ),
    program(
        session("s"),
        run(
            user("u"),
            answer=(
                calls("b", "c1"),
                user("h", injected="ephemeral", origin="hook"),
                assistant("e"),
            ),
        ),
    ),
)


def _receipts(trace: Trace) -> Iterator[tuple[Act, list[dict[str, Any]]]]:
    """Each run that gave receipts, with them."""
    for each in acts(trace, "run"):
        if each.event.ok:
            yield each, objects(each.event.value)


def _entries(receipt: dict[str, Any]) -> list[Entry]:
    return objects(receipt.get("entries"))


@law(
    family="chain",
    door="session",
    acts={"run"},
    applies=_APPLIES,
    source=["PI-E7"],
    incidents=["F40"],
    battery=_BATTERY,
)
def a_receipt_holds_no_ephemeral_entry(trace: Trace) -> None:
    """Receipts are for durable entries only.

    A session breaks it by handing back all that it took in, as if all had been stored.
    """
    for each, receipts in _receipts(trace):
        for receipt in receipts:
            for entry in fleeting(_entries(receipt)):
                broken(
                    each.event,
                    expected=Words("durable entries only"),
                    observed=entry,
                    because="a receipt attests to what is stored, and an ephemeral entry isn't.",
                )


@law(
    family="chain",
    door="session",
    acts={"run"},
    applies=_APPLIES,
    source=["PI-X1"],
    incidents=["F20"],
    battery=_BATTERY,
)
def every_stored_entry_is_in_one_receipt(trace: Trace) -> None:
    """The receipts of a run, one after the other, name what it stored, in order, once each.

    A session breaks it by giving receipts for answers only.
    """
    for each, receipts in _receipts(trace):
        told = names(lasting([one for receipt in receipts for one in _entries(receipt)]))
        if told != names(lasting(each.fresh)) and not each.event.nested:
            broken(
                each.event,
                expected=names(lasting(each.fresh)),
                observed=told,
                because="each entry that a run stores is in exactly one receipt, in order.",
            )


@law(
    family="chain",
    door="session",
    acts={"run"},
    applies=_APPLIES,
    source=["PI-X1", "PI-A4"],
    battery=_BATTERY,
)
def a_receipt_shows_the_entry_as_it_is_stored(trace: Trace) -> None:
    """Id and parent of an entry in a receipt are those in the store.

    A session breaks it by making the receipt before the entry has its header.
    """
    for each, receipts in _receipts(trace):
        for entry in (one for receipt in receipts for one in _entries(receipt)):
            held = [_header(one) for one in each.after if name_of(one) == name_of(entry)]
            if held and not any(trace.same(one, _header(entry)) for one in held):
                broken(
                    each.event,
                    expected=held[0],
                    observed=_header(entry),
                    because="a receipt shows an entry with the header that is stored.",
                )


def _header(entry: Entry) -> Entry:
    return {name: entry[name] for name in ("id", "parent_id") if name in entry}


@law(
    family="chain",
    door="session",
    acts={"run"},
    applies=_APPLIES,
    source=["PI-X1", "PI-X2"],
    incidents=["F20"],
    battery=(
        *_BATTERY,
        program(
            session("s"),
            run(user("u"), answer=(assistant("a"),), during=(failing("before-commit"),)),
        ),
    ),
)
def a_receipt_names_only_what_is_stored(trace: Trace) -> None:
    """Every durable entry of a receipt is in the store, under the id that the receipt names.

    A session breaks it by giving receipts with provisional ids, or before the write.
    """
    for each, receipts in _receipts(trace):
        held = names(each.after)
        for entry in lasting([one for receipt in receipts for one in _entries(receipt)]):
            if name_of(entry) not in held:
                broken(
                    each.event,
                    expected=Words("an entry that the stored log holds"),
                    observed=entry,
                    because="a receipt means that its entries are stored.",
                )


@law(
    family="chain",
    door="session",
    acts={"run"},
    applies=_APPLIES,
    source=["PI-X1"],
    battery=_BATTERY,
)
def a_receipt_names_the_leaf_behind_its_entries(trace: Trace) -> None:
    """The leaf of a receipt is its last durable entry, or the leaf before where it has none.

    A session breaks it by naming the leaf at which the turn began.
    """
    for each, receipts in _receipts(trace):
        leaf = each.leaf
        for receipt in receipts:
            stored = lasting(_entries(receipt))
            leaf = name_of(stored[-1]) if stored else leaf
            if leaf is not None and receipt.get("leaf") != leaf:
                broken(
                    each.event,
                    expected=leaf,
                    observed=receipt.get("leaf"),
                    because="a receipt names the leaf behind its entries.",
                )
