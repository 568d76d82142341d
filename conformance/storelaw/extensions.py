"""The plugin manager: the kit's own hooks and those of installed distributions."""

from functools import cache
from typing import Any

import pluggy

from storelaw import bundled, hookspecs
from storelaw.errors import Misconfigured, StorelawError


def assembled(*plugins: object) -> pluggy.PluginManager:
    """A manager of the kit's own hooks and of these plugins."""
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    for each in (bundled, *plugins):
        manager.register(each)
    return manager


@cache
def installed() -> pluggy.PluginManager:
    """The manager with all installed extensions, loaded when this is first called.

    Raises :class:`~storelaw.errors.Misconfigured` for an extension that can't be loaded.
    """
    manager = assembled()
    try:
        manager.load_setuptools_entrypoints(hookspecs.PROJECT)
        manager.check_pending()
    except Exception as error:
        raise Misconfigured(
            f"configuration: an extension can't be loaded: {type(error).__name__}: {error}"
        ) from error
    return manager


def called(hook: str, **arguments: object) -> list[Any]:
    """What all extensions answer to a hook, the last registered first.

    Raises :class:`~storelaw.errors.Misconfigured` for an extension that fails.
    """
    try:
        answers: list[Any] = getattr(installed().hook, hook)(**arguments)
    except StorelawError:
        raise
    except Exception as error:
        words = f"{type(error).__name__}: {error}"
        raise Misconfigured(f"configuration: an extension failed in {hook}: {words}") from error
    return answers
