"""The bundled stores hold every law that applies to them."""

from collections.abc import Iterator

import pytest

from storelaw import catalogue
from storelaw.matrix import accusations
from storelaw.medium import Medium
from storelaw.trial import hold

MEMORY = ("reference", "reference:idempotent")
DISK = ("sqlite", "jsonl")


@pytest.mark.parametrize("name", MEMORY)
def test_a_store_in_memory_breaks_no_law(name: str) -> None:
    """By battery no law is broken, and nobody is at fault."""
    found = accusations([catalogue.medium_of(name)], catalogue.all_laws(), "battery")
    assert [(each.law, each.failure, each.reason) for _, each in found] == []


def unheld(medium: type[Medium], *names: str) -> Iterator[tuple[str, object, str]]:
    """The laws that are neither held nor outside the medium's manifest, and why."""
    for law in catalogue.chosen(names, "transcript"):
        verdict = hold(law, medium, "battery")
        if verdict.outcome not in ("held", "not applicable"):
            yield law.title, verdict.failure, verdict.reason


@pytest.mark.parametrize("name", DISK)
def test_a_store_on_disk_holds_every_law_that_applies(name: str) -> None:
    """By battery each law is held or not applicable: none is left unevaluated."""
    assert list(unheld(catalogue.medium_of(name))) == []


@pytest.mark.parametrize("name", DISK)
def test_a_variant_differs_in_what_it_does_with_a_known_id(name: str) -> None:
    """So it is held to the ladder of retries; the gate checks the variants whole."""
    medium = catalogue.medium_of(f"{name}:idempotent")
    assert list(unheld(medium, "idempotency", "atomicity")) == []
