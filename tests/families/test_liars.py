"""Every law can fail: each liar of the kit breaks the law that it exists for.

The selftest holds the same liars under all other laws too, and bounds the program and the
text that show what each does wrong.
"""

from functools import cache

import pytest

from storelaw import catalogue
from storelaw import turn_samples as turns
from storelaw.liars import Liar
from storelaw.program import (
    Program,
    Step,
    act,
    append,
    ask,
    call,
    door,
    hangs_on_timing,
    load,
    program,
    run,
    session,
)
from storelaw.samples import custom, said, user
from storelaw.selftest import all_liars
from storelaw.trial import breaks
from storelaw.values import Entry

LIARS = all_liars()

#: How often a liar may escape that lies only where its workers meet at the right moment.
MOST_TRIES = 20


def shown(turn: Entry) -> tuple[Step, ...]:
    """The timeline of one turn."""
    return door("timeline", "T"), ask("T", "visible_timeline", entries=(turn,))


def dated(turn: Entry) -> Step:
    """A turn through the appender."""
    return ask("A", "append", entries=(turn,), one=True)


#: Programs in which what a liar gets wrong does not come up.
ELSEWHERE: dict[str, tuple[Step, ...]] = {
    "AppendBringsThePoppedBack": (append("s", said("a")), *[call("pop", "s")] * 2, load("s")),
    "CountsFromTheFreedPlace": (call("pop", "s"), append("s", said("a")), load("s")),
    "ComparesLoosely": (*[append("s", custom("a", value=each)) for each in (1, 2)], load("s")),
    "CountsMessages": (session("s"), run(user("a")), act("compact", keep=0)),
    "WritesBeforeItCompares": (door("appender", "A", "n/one"), *[dated(turns.user(0))] * 2),
    "ShowsTextsBesideLiveResults": shown(turns.user(0)),
    "FailsOnBrokenNotes": shown(turns.note(0, "no JSON")),
}


def battery(liar: Liar) -> list[Program]:
    """The battery of a liar's law."""
    return list(catalogue.law_of(liar.breaks).battery(liar.medium.manifest))


@cache
def caught(liar: Liar) -> Program | None:
    """The first program in the battery of its law that catches a liar, sooner or later."""
    law, programs = catalogue.law_of(liar.breaks), battery(liar)
    tries = MOST_TRIES if any(map(hangs_on_timing, programs)) else 1
    return next((each for each in programs * tries if breaks(law, liar.medium, [each])), None)


STEADY = [each for each in LIARS if not any(map(hangs_on_timing, battery(each)))]


@pytest.mark.parametrize("liar", LIARS, ids=[each.name for each in LIARS])
def test_a_liar_is_caught_by_the_battery_of_its_law(liar: Liar) -> None:
    """The battery alone catches each liar, without a generated program."""
    assert caught(liar) is not None


@pytest.mark.parametrize("liar", STEADY, ids=[each.name for each in STEADY])
def test_a_step_less_leads_to_a_verdict(liar: Liar) -> None:
    """The programs that a reduction tries first run on the liar, and its law answers for them."""
    law, found = catalogue.law_of(liar.breaks), caught(liar)
    assert found is not None
    for index in range(len(found)):
        rest = (*found.steps[:index], *found.steps[index + 1 :])
        breaks(law, liar.medium, [found.with_steps(rest)])


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_liar_is_right_elsewhere(name: str) -> None:
    """A liar has one fault: where it doesn't come up, its law holds."""
    (liar,) = (each for each in LIARS if each.name == name)
    assert not breaks(catalogue.law_of(liar.breaks), liar.medium, [program(*ELSEWHERE[name])])


def test_every_law_has_a_liar() -> None:
    """No law of the kit is without a store that breaks it, and no liar is of an unknown law."""
    assert {each.breaks for each in LIARS} == {each.name for each in catalogue.all_laws()}
