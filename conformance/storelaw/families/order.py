"""Read order is append order, whatever the clock and the ids say."""

from storelaw.clauses import law
from storelaw.judging import judge_order
from storelaw.program import append, load, program
from storelaw.samples import said
from storelaw.trace import Trace


@law(
    family="order",
    source=["PI-A1"],
    incidents=["F02"],
    battery=[program(append("s", said("1", "one")), append("s", said("0", "zero")), load("s"))],
)
def entries_load_in_append_order(trace: Trace) -> None:
    """Entries come back in the order they were appended, whatever their ids say.

    A store breaks it by leaving the order to the engine, which then follows the primary key.
    """
    judge_order(trace, "entries come back in the order they were appended, whatever their ids say.")
