"""Late imports of the packages that only some media need."""

from importlib import import_module
from typing import Any

from storelaw.errors import Misconfigured


def imported(module: str, extra: str) -> Any:
    """A module of an extra; :class:`~storelaw.errors.Misconfigured` says how to install it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise Misconfigured(
            f"configuration: this medium needs the package {module!r}, which can't be imported "
            f"({error}); install it with: pip install 'storelaw[{extra}]'"
        ) from error
