"""The bundled stores hold every law that applies to them."""

import pytest

from storelaw import catalogue
from storelaw.matrix import accusations

from .unheld import unheld

MEMORY = ("reference", "reference:idempotent")
DISK = ("sqlite", "jsonl")


@pytest.mark.parametrize("name", MEMORY)
def test_a_store_in_memory_breaks_no_law(name: str) -> None:
    """By battery no law is broken, and nobody is at fault."""
    found = accusations([catalogue.medium_of(name)], catalogue.all_laws(), "battery")
    assert [(each.law, each.failure, each.reason) for _, each in found] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", DISK)
def test_a_store_on_disk_holds_every_law_that_applies(name: str) -> None:
    """By battery each law is held or not applicable: none is left unevaluated."""
    assert list(unheld(name)) == []


@pytest.mark.parametrize("name", DISK)
def test_a_variant_differs_in_what_it_does_with_a_known_id(name: str) -> None:
    """So it is held to the ladder of retries; the gate checks the variants whole."""
    assert list(unheld(f"{name}:idempotent", "idempotency", "atomicity")) == []
