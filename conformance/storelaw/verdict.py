"""What a law came to on one medium, and the counts that a summary shows."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from storelaw.failures import Failure

Outcome: TypeAlias = Literal["held", "broken", "waived", "not applicable", "not evaluated"]
OUTCOMES: Final[tuple[Outcome, ...]] = (
    "held",
    "broken",
    "waived",
    "not applicable",
    "not evaluated",
)

#: The states of a waiver that fail a run.
OFFENCES: Final = frozenset({"unused", "stale", "expired", "exceeded"})


@dataclass(frozen=True, slots=True)
class Evidence:
    """How many programs a verdict rests on, and how often what the law is about was seen."""

    battery: int = 0
    generated: int = 0
    vectors: int = 0
    seen: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def programs(self) -> int:
        """All programs that were run."""
        return self.battery + self.generated + self.vectors


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of one law on one medium; ``reason`` says why it wasn't judged.

    ``fault`` tells whose fault stopped the judging: ``medium``, ``harness`` or nobody's.
    """

    law: str
    family: str
    requirement: str
    outcome: Outcome
    reason: str = ""
    evidence: Evidence = field(default_factory=Evidence)
    seconds: float = 0.0
    failure: Failure | None = None
    notes: tuple[str, ...] = ()
    fault: Literal["", "medium", "harness"] = ""

    @property
    def title(self) -> str:
        """``family/name``."""
        return f"{self.family}/{self.law}"


#: The exit codes of ``storelaw check``.
CONFORMS, BREAKS, NOTHING, FAULT, USAGE = range(5)


def exit_code(verdicts: Iterable[Verdict]) -> int:
    """0 conforms, 1 a law is broken, 2 no MUST was evaluated, 3 medium or harness fault.

    A waived MUST was evaluated: it is known to be broken, and its waiver is in force.
    """
    seen = list(verdicts)
    if any(each.outcome == "broken" for each in seen):
        return BREAKS
    if any(each.fault for each in seen):
        return FAULT
    return CONFORMS if any(evaluated(each.requirement, each.outcome) for each in seen) else NOTHING


def evaluated(requirement: str, outcome: str) -> bool:
    """Whether an outcome says of a MUST what became of it; only such a run can conform."""
    return requirement == "MUST" and not outcome.startswith("not ")


def counts(verdicts: Iterable[Verdict]) -> dict[Outcome, int]:
    """How many verdicts have each outcome, all five always present."""
    counted = Counter(each.outcome for each in verdicts)
    return {outcome: counted[outcome] for outcome in OUTCOMES}
