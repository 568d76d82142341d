"""What a medium leaves open or breaks."""

from collections.abc import Iterator

from storelaw import catalogue
from storelaw.trial import hold


def unheld(name: str, *families: str) -> Iterator[tuple[str, object, str]]:
    """The laws that are neither held nor outside the medium's manifest, and why."""
    for law in catalogue.chosen(families, "transcript"):
        verdict = hold(law, catalogue.medium_of(name), "battery")
        if verdict.outcome not in ("held", "not applicable"):
            yield law.title, verdict.failure, verdict.reason
