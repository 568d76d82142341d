"""The laws of the resume family hold on media that are right, whatever a reduction leaves out."""

from importlib import import_module

import pytest

from storelaw.clauses import Law, registered
from storelaw.liars.honest import HonestExplicit, HonestMedium
from storelaw.media.reference import ReferenceMedium
from storelaw.medium import Medium
from storelaw.player import play
from storelaw.trial import hold

MODULES = ("restarts", "resume", "instances", "session_forks", "openings", "repairs")
for name in MODULES:
    import_module(f"storelaw.families.{name}")

OURS = {f"storelaw.families.{name}" for name in MODULES}
LAWS = {each.name: each for each in registered() if each.judge.__module__ in OURS}


@pytest.mark.parametrize("medium", [HonestMedium, HonestExplicit, ReferenceMedium])
def test_right_media_break_no_law(medium: type[Medium]) -> None:
    """Every law holds on media that are right, or doesn't apply to them."""
    verdicts = [hold(each, medium, "battery") for each in LAWS.values()]

    assert {each.outcome for each in verdicts} <= {"held", "not applicable"}
    assert not [each for each in verdicts if each.fault]


@pytest.mark.parametrize("law", LAWS.values(), ids=lambda each: each.name)
def test_a_law_holds_for_programs_with_a_step_left_out(law: Law) -> None:
    """A judge copes with the programs that a reduction tries, on a store that is right."""
    for program in law.battery(HonestMedium.manifest):
        for index in range(len(program)):
            rest = (*program.steps[:index], *program.steps[index + 1 :])
            law.judge(play(program.with_steps(rest), HonestMedium))
