"""Holding a law against a medium: applicability, battery, generation, vectors, reduction.

Knows nothing of pytest; the items, the command line and the selftest all call
:func:`hold`.
"""

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias, cast

from storelaw.abilities import Abilities, abilities, give_up
from storelaw.clauses import Law, registered
from storelaw.drawings import drawn
from storelaw.errors import MediumFault, Misconfigured, told
from storelaw.failures import Broken, Failure, Unseen
from storelaw.generation import search, seed_of
from storelaw.manifest import Manifest
from storelaw.medium import Medium
from storelaw.player import Notes, play
from storelaw.profiles import profile_named
from storelaw.program import Program, hangs_on_timing, with_creation
from storelaw.reduction import reduced
from storelaw.trace import Trace
from storelaw.verdict import Evidence, Outcome, Verdict
from storelaw.worker import Overdue

REPLAYS: Final = 3

#: Programs per second below which a declared ``cost`` scales an effort down.
EXPECTED_PACE: Final = 150.0


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard a run tries: the number of generated programs, shared among the laws."""

    name: str
    programs: int

    def share(self, law: Law, manifest: Manifest) -> int:
        """The generated programs of one law on one medium."""
        if not law.programs:
            return 0
        profile = profile_named(manifest.profile)
        total = sum(each.weight for each in registered() if profile.door(each.door)) or 1
        pace = 1.0 if manifest.cost is None else min(1.0, manifest.cost / EXPECTED_PACE)
        return max(1, round(self.programs * pace * law.weight / total))


EFFORTS: Final = {
    each.name: each
    for each in (
        Effort("battery", 0),
        Effort("quick", 150),
        Effort("standard", 3_000),
        Effort("deep", 30_000),
    )
}


@dataclass
class _Case:
    """One law on one medium class, and what it has come to so far."""

    law: Law
    medium: type[Medium]
    operations: frozenset[str] = frozenset()
    notes: Notes = field(default_factory=Notes)
    said: dict[str, None] = field(default_factory=dict[str, None])
    reached: set[str] = field(default_factory=set[str])
    absent: set[str] = field(default_factory=set[str])
    unseen: list[Unseen] = field(default_factory=list[Unseen])
    judged: int = 0
    seen: Counter[str] = field(default_factory=Counter[str])
    latest: Broken | None = None
    failed: bool = False

    def full(self, program: Program) -> Program:
        """The program as it runs: with sessions created where the store wants that."""
        return program if self.law.creates else with_creation(program, self.operations)

    def broken(self, program: Program) -> Broken | None:
        """What the law finds wrong in a run of a program."""
        trace = play(self.full(program), self.medium, self.notes)
        self._note_reach(trace)
        try:
            note = self.law.judge(trace)
        except Broken as broken:
            self.latest = broken
            return broken
        except Unseen as unseen:
            self.unseen.append(unseen)
            return None
        self.judged += 1
        if isinstance(note, str):
            self.said[note] = None
        else:
            self.seen.update(note or {})
        return None

    def _note_reach(self, trace: Trace) -> None:
        for event in (*trace.events, *(one for each in trace.events for one in each.nested)):
            if event.ok:
                self.reached.add(event.step.name)
            elif event.text == "absent":
                self.absent.add(event.step.name)

    def unreached(self) -> tuple[Outcome, str] | None:
        """Why programs that broke nothing are no evidence, or ``None`` where they are."""
        failed = [e.reason for e in self.unseen if e.applicable and not self.seen[e.about]]
        if failed:
            return "not evaluated", failed[0]
        if self.unseen and not self.judged:
            return "not applicable", self.unseen[0].reason
        missing = sorted((self.law.operations | self.law.acts) - self.reached)
        if self.law.door != "store":
            missing = sorted(self.law.acts - self.reached)
        if not missing:
            return None
        if set(missing) & self.absent:
            door = profile_named(self.medium.manifest.profile).door(self.law.door)
            owner = "medium" if door is not None and door.methods else self.law.door
            return "not applicable", f"the {owner} has no {', '.join(missing)}"
        return "not evaluated", f"no program got as far as a successful {', '.join(missing)}"

    def same_kind(self, program: Program, kind: str) -> bool:
        """Whether a program breaks the law in the same way; not where the medium fails."""
        if self.failed:
            return False
        try:
            again = self.broken(program)
        except MediumFault:
            self.failed = True
            return False
        return again is not None and again.kind == kind


def hold(
    law: Law,
    medium_class: type[Medium],
    effort: str | Effort = "standard",
    seed: int = 0,
    vectors: Sequence[Program] = (),
    target: str = "",
) -> Verdict:
    """The verdict of one law on one medium class; never raises for a fault of either.

    ``effort`` is one of ``battery``, ``quick``, ``standard``, ``deep`` (or a budget of your
    own); ``vectors`` are saved programs, tried last.
    """
    began = time.perf_counter()
    budget = EFFORTS[effort] if isinstance(effort, str) else effort
    verdict = _verdict(law, medium_class, budget, seed, vectors, target)
    return replace(verdict, seconds=time.perf_counter() - began)


def _verdict(
    law: Law,
    medium_class: type[Medium],
    effort: Effort,
    seed: int,
    vectors: Sequence[Program],
    target: str,
) -> Verdict:
    case = _Case(law, medium_class)
    try:
        known = abilities(medium_class)
        case.operations = known.operations
        stopped = out_of_reach(law, medium_class.manifest, known)
        if stopped is not None:
            return _judged(law, stopped[0], reason=stopped[1])
        return _tried(case, effort, seed, vectors, target)
    except MediumFault as fault:
        if isinstance(fault, Overdue):
            give_up(medium_class, fault)
        return replace(_judged(law, "not evaluated", reason=str(fault)), fault="medium")
    except Misconfigured as fault:
        return replace(_judged(law, "not evaluated", reason=str(fault)), fault="medium")
    except Exception as error:
        reason = f"harness: law code raised {told(error)}; please report it"
        return replace(_judged(law, "not evaluated", reason=reason), fault="harness")


Played: TypeAlias = dict[tuple[int, bool], tuple[Program, Trace]]


def breaks(
    law: Law,
    medium_class: type[Medium],
    battery: Iterable[Program] | None = None,
    played: Played | None = None,
) -> bool:
    """Whether a law's battery breaks on a medium; nothing is reduced or told.

    ``played`` keeps the traces of one medium class, so that a program that several laws
    share is played once. Raises :class:`~storelaw.errors.MediumFault` where the medium
    can't be driven.
    """
    known = abilities(medium_class)
    if out_of_reach(law, medium_class.manifest, known) is not None:
        return False
    case = _Case(law, medium_class, known.operations)
    seen = {} if played is None else played
    programs = law.battery(medium_class.manifest) if battery is None else battery
    return any(_judges_broken(case, each, seen) for each in programs)


def _judges_broken(case: _Case, program: Program, played: Played) -> bool:
    key = (id(program), case.law.creates)
    if key not in played:
        played[key] = (program, play(case.full(program), case.medium, case.notes))
    try:
        case.law.judge(played[key][1])
    except Broken:
        return True
    except Unseen:
        return False
    return False


def _judged(law: Law, outcome: Outcome, **more: object) -> Verdict:
    return replace(
        Verdict(law.name, law.family, law.requirement, outcome),
        **more,  # type: ignore[arg-type]
    )


def out_of_reach(law: Law, manifest: Manifest, known: Abilities) -> tuple[Outcome, str] | None:
    """Why a law can't be judged on a medium, or ``None`` where it can."""
    closed = _closed(law, manifest)
    if closed:
        return "not applicable", closed
    missing = sorted(law.operations - known.operations)
    if missing:
        return "not applicable", f"the store has no {', '.join(missing)}"
    unpromised = [name for name in sorted(law.promises) if not getattr(manifest, name)]
    if unpromised:
        return "not applicable", f"{', '.join(unpromised)} is not promised"
    reason = law.applies(manifest) if law.applies else None
    if reason:
        return "not applicable", reason
    denied = sorted(law.powers & known.denied)
    if denied:
        return "not applicable", f"the medium has nothing for {', '.join(denied)}"
    powerless = sorted(law.powers - known.powers)
    if powerless:
        return "not evaluated", f"the medium has no power {', '.join(powerless)}"
    return None


def _closed(law: Law, manifest: Manifest) -> str | None:
    """Why a law's door is none of a medium's, or ``None`` where it is one."""
    door = profile_named(manifest.profile).door(law.door)
    if door is None:
        return f"the {manifest.profile} profile has no {law.door} door"
    if door.methods and law.door not in manifest.doors:
        return f"the medium brings no {law.door} door"
    return None


def _tried(
    case: _Case, effort: Effort, seed: int, vectors: Sequence[Program], target: str
) -> Verdict:
    law, manifest = case.law, case.medium.manifest
    found: Program | None
    tried, found = _first_broken(case, law.battery(manifest))
    evidence = Evidence(battery=tried)
    count = effort.share(law, manifest) if effort.programs else 0
    if found is None and law.programs and count:

        def holds(each: Program) -> bool:
            return case.broken(each) is None

        strategy = law.programs(manifest)
        result = search(strategy, count, seed_of(law.name, seed), holds)
        tried, found = result
        evidence = replace(evidence, generated=tried)
    if found is None and vectors:
        tried, found = _first_broken(case, vectors)
        evidence = replace(evidence, vectors=tried)
    evidence = replace(evidence, seen=dict(sorted(case.seen.items())))
    if found is None:
        outcome, reason = case.unreached() or ("held", "")
        verdict = _judged(law, outcome, reason=reason)
    else:
        verdict = _judged(law, "broken", failure=_failure(case, found, seed, target))
    left = tuple(f"medium: left {each} behind" for each in sorted(case.notes.left))
    return replace(verdict, evidence=evidence, notes=(*case.said, *left))


def _first_broken(case: _Case, programs: Iterable[Program]) -> tuple[int, Program | None]:
    tried = 0
    for tried, each in enumerate(programs, start=1):
        if case.broken(each) is not None:
            return tried, each
    return tried, None


def _failure(case: _Case, program: Program, seed: int, target: str) -> Failure:
    seen = cast(Broken, case.latest)
    times = REPLAYS if hangs_on_timing(program) else 1
    again = next(filter(None, (case.broken(program) for _ in range(times))), None)
    if again is not None:
        kind = again.kind
        program = reduced(
            program, lambda each: all(case.same_kind(each, kind) for _ in range(times))
        )
    replays = [case.broken(program) for _ in range(REPLAYS)]
    failing = [each for each in replays if each is not None]
    shown = failing[0] if failing else again or seen
    law, manifest = case.law, case.medium.manifest
    event = shown.event
    full = case.full(program)
    drawing = shown.drawing or drawn(
        event, full, shown.expected, shown.observed, case.medium.manifest.losses
    )
    return Failure(
        law=law.name,
        claim=law.claim,
        medium=manifest.name,
        program=full,
        expected=shown.expected,
        observed=shown.observed,
        because=shown.because,
        index=event.index if event else None,
        target=target,
        seed=seed,
        replays=(len(failing), REPLAYS),
        losses=manifest.losses,
        text_of_error=event.text if event else "",
        picture=shown.picture,
        drawing=drawing,
    )
