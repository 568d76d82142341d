"""The laws of clocks: none accuses a store that is right."""

from pathlib import Path
from typing import Any

import pytest

from storelaw.clauses import registered
from storelaw.families import clocks
from storelaw.liars import clocks as clock_liars
from storelaw.liars import liars
from storelaw.liars.honest import HonestMedium
from storelaw.liars.registry import Liar
from storelaw.samples import said
from storelaw.strangers.shapes import OneHandle
from storelaw.trace import Trace
from storelaw.trial import hold

LAWS = {each.name: each for each in registered() if each.judge.__module__ == clocks.__name__}
SUBJECTS = [each for each in liars() if each.medium.__module__ == clock_liars.__name__]


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_a_store_that_asks_no_clock_is_right(law: Any) -> None:
    """With two handles, with one, and with nothing done at all."""
    assert hold(law, HonestMedium, "battery").outcome == "held"
    assert hold(law, OneHandle, "battery").outcome in ("held", "not applicable")
    assert law.judge(Trace(HonestMedium.manifest, ())) is None


def test_a_clock_is_told_ahead_of_each_append() -> None:
    """And each writer has a handle of its own."""
    first, *_ = LAWS["writers_with_clocks_apart_keep_one_order"].battery(HonestMedium.manifest)
    assert [(each.do, each.on) for each in first.steps[:5]] == [
        ("open", 1),
        ("clock", 0),
        ("append", 0),
        ("clock", 0),
        ("append", 1),
    ]


@pytest.mark.parametrize("liar", SUBJECTS, ids=[each.name for each in SUBJECTS])
def test_a_liar_is_right_as_long_as_its_clock_is(liar: Liar, tmp_path: Path) -> None:
    """What was copied by a fork, and so has no time, comes first."""
    store: Any = liar.medium(tmp_path).open()
    store.append("s", [said("b")])
    store.append("s", [said("a")])
    assert [each["id"] for each in store.load("s")] == ["b", "a"]
    store.fork("s", "f")
    store.append("f", [said("c")])
    assert [each["id"] for each in store.load("f")] == ["b", "a", "c"]
