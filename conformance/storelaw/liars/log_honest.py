"""The honest medium of the log profile: what liars at the agent, refs and store doors vary."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from storelaw.liars.honest import MANIFEST, HonestMedium, claiming
from storelaw.liars.reappends import DuplicateStore


def varying(**classes: Any) -> Mapping[str, Any]:
    """The classes that stand in for the default engines, by door: ``varying(refs=Bad)``."""
    return MappingProxyType(classes)


class LogHonest(HonestMedium):
    """The honest store under the log profile.

    ``variants`` names, for a door, the class that the default engine opens in place of the
    reference's own.
    """

    manifest = claiming(MANIFEST, name="log-honest", profile="log")
    variants: ClassVar[Mapping[str, Any]] = varying()


class LogDuplicates(LogHonest):
    """The same over a store that keeps an entry again whose id it knows, and says so."""

    manifest = claiming(
        LogHonest.manifest, name="log-duplicates", options={"reappend": "duplicate"}
    )
    store = DuplicateStore
