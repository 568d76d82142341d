"""The items of ``storelaw check``: one for each law of the plan that the run was given.

Collected by anybody else, this module is skipped.
"""

from pathlib import Path

import pytest

from storelaw.clauses import Law
from storelaw.medium import Medium
from storelaw.plan import Plan
from storelaw.suite import Terms, judged


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make the items of the plan."""
    file = metafunc.config.getoption("storelaw_plan", None)
    if file is None:
        pytest.skip("these are the items of `storelaw check`", allow_module_level=True)
    plan = Plan.read(Path(file))
    medium, terms = plan.medium(), plan.terms()
    params = [pytest.param(each, medium, terms, id=each.title) for each in plan.chosen()]
    metafunc.parametrize(("storelaw_law", "storelaw_medium", "storelaw_terms"), params)


def test_law(
    storelaw_law: Law,
    storelaw_medium: type[Medium],
    storelaw_terms: Terms,
    request: pytest.FixtureRequest,
) -> None:
    """The store holds the law."""
    node: pytest.Item = request.node  # pyright: ignore[reportUnknownMemberType]
    judged(node, storelaw_law, storelaw_medium, storelaw_terms)
