"""The contradiction as data: what the picture is made from."""

import pytest

import storelaw_schemas
from storelaw.history import drawing

from .test_lanes import PICTURES, chosen


@pytest.mark.parametrize("kind", PICTURES)
def test_a_contradiction_can_be_drawn(kind: str) -> None:
    """The data keeps to its schema, has every act in a lane, and accuses one of them."""
    text, consistency, picture = PICTURES[kind]
    anomaly = chosen(kind, text, consistency)
    made = drawing(anomaly)
    assert storelaw_schemas.problems("harness/drawing", made) == ()
    acts = [act for lane in made["lanes"] for act in lane["acts"]]
    assert sorted(each["began"] for each in acts) == [each.began for each in anomaly.acts]
    (accused,) = (each for each in acts if each["accused"])
    assert made["mark"] in picture
    line = next(each for each in picture.splitlines() if "<--" in each)
    assert accused["came"] in line
