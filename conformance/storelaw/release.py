"""Which kit this is: its own version, that of the contract, and what a verdict rests on."""

import platform
from importlib.metadata import version
from typing import Final

__version__: Final = version("storelaw")

#: The version of the contract, as the laws' ``since`` counts it.
SPEC: Final = "0.1"


def versions(spec: str = SPEC) -> dict[str, str]:
    """The versions on which a verdict rests, by the names that a report gives them.

    ``spec`` is the version of the contract that was asked for.
    """
    return {
        "kit": __version__,
        "spec": spec,
        "hypothesis": version("hypothesis"),
        "python": platform.python_version(),
    }
