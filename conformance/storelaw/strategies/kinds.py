"""The entry kinds of the kit's profiles: the schema of each, and a strategy of instances."""

from storelaw.manifest import Manifest
from storelaw.profiles import Kind
from storelaw.strategies import values

_ANY = Manifest(name="any")


def kinds() -> dict[str, list[Kind]]:
    """The kinds by profile."""
    return {
        "transcript": [
            Kind("stored entry", "transcript/stored-entry", lambda: values.entries(_ANY)),
        ],
    }
