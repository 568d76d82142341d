"""The laws of the chain family, and the liars that prove that they can fail."""

from importlib import import_module
from importlib.util import find_spec

import pytest

from storelaw.clauses import Law, registered
from storelaw.liars import Liar, liars
from storelaw.liars.honest import HonestExplicit, HonestMedium
from storelaw.media.reference import ReferenceMedium
from storelaw.medium import Medium
from storelaw.narrative import text
from storelaw.player import play
from storelaw.trial import hold

MODULES = ("ephemerals", "drafts", "chain", "branches", "runs", "receipts")
for name in MODULES:
    import_module(f"storelaw.families.{name}")
    if find_spec(f"storelaw.liars.{name}"):
        import_module(f"storelaw.liars.{name}")

OURS = {f"storelaw.families.{name}" for name in MODULES}
LAWS = {each.name: each for each in registered() if each.judge.__module__ in OURS}
LIARS = [each for each in liars() if each.breaks in LAWS]


@pytest.mark.parametrize("liar", LIARS, ids=lambda each: each.name)
def test_a_liar_is_caught_by_the_battery_in_a_few_steps(liar: Liar) -> None:
    """The battery alone catches each liar, with a program that is short and a text that fits."""
    verdict = hold(LAWS[liar.breaks], liar.medium, "battery")

    assert verdict.failure is not None, verdict
    assert len(verdict.failure.program) <= liar.most
    assert len(text(verdict.failure).splitlines()) <= 40


def test_every_law_has_a_liar() -> None:
    """No law of the family is without a liar."""
    assert set(LAWS) == {each.breaks for each in LIARS}


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
