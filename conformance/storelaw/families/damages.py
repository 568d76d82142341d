"""Damage before the tail is no crash, and is reported."""

from storelaw.clauses import law
from storelaw.failures import broken, unseen
from storelaw.families.tears import PROMISED, A, B, C
from storelaw.narrative import Words
from storelaw.program import append, load, program, reopened
from storelaw.trace import Trace
from storelaw.wrecks import damage

BEGUN = (append("s", A), append("s", B), append("s", C), load("s"))


@law(
    family="crash",
    source=["PI-K3", "AP-A6", "D-AP-8"],
    incidents=["F10", "F17"],
    applies=PROMISED,
    powers={"damage"},
    battery=[
        program(*BEGUN, damage("s", index, how), reopened(), load("s"))
        for how in ("junk", "cut", "zero")
        for index in (1, 0)
    ],
)
def damage_before_the_tail_is_reported(trace: Trace) -> str | None:
    """A log in which a record before the last can't be read is an error, and no shorter log.

    A store breaks it by skipping what it can't decode, or by ending the log there: nobody
    hears that something is missing, and a turn is answered without it.
    """
    hurt = None
    for event in trace.of("damage", "load"):
        if event.step.do == "damage":
            if event.raised:
                unseen(f"the medium's damage() raised {event.text}")
            hurt = event
        elif hurt is not None and (event.ok or event.error == "SessionNotFound"):
            broken(
                event,
                expected=Words("it raises"),
                observed=event.value if event.ok else Words("there is no such session"),
                because="a record before the last that can't be read is an error.",
            )
    return None
