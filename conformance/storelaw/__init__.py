"""The conformance kit for agent session stores.

A store author subclasses :class:`Medium`, names a :class:`Manifest`, and gets one pytest
item for each law from :func:`laws`, or runs ``storelaw check module:Class``.
Exports are loaded when they are first used, so that importing this package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from storelaw.clauses import Law, law
    from storelaw.contract import Contract
    from storelaw.errors import (
        EntryConflict,
        Misconfigured,
        Rejected,
        SessionExists,
        SessionNotFound,
        Stale,
    )
    from storelaw.failures import Failure
    from storelaw.hookspecs import hookimpl
    from storelaw.manifest import Manifest
    from storelaw.medium import Medium, PerSession
    from storelaw.program import Program
    from storelaw.release import __version__
    from storelaw.sections import Section
    from storelaw.suite import laws
    from storelaw.trial import hold
    from storelaw.verdict import Verdict

__all__ = [
    "Contract",
    "EntryConflict",
    "Failure",
    "Law",
    "Manifest",
    "Medium",
    "Misconfigured",
    "PerSession",
    "Program",
    "Rejected",
    "Section",
    "SessionExists",
    "SessionNotFound",
    "Stale",
    "Verdict",
    "__version__",
    "hold",
    "hookimpl",
    "law",
    "laws",
]

_HOMES: Final = {
    "clauses": ("Law", "law"),
    "contract": ("Contract",),
    "errors": (
        "EntryConflict",
        "Misconfigured",
        "Rejected",
        "SessionExists",
        "SessionNotFound",
        "Stale",
    ),
    "failures": ("Failure",),
    "hookspecs": ("hookimpl",),
    "manifest": ("Manifest",),
    "medium": ("Medium", "PerSession"),
    "program": ("Program",),
    "release": ("__version__",),
    "sections": ("Section",),
    "suite": ("laws",),
    "trial": ("hold",),
    "verdict": ("Verdict",),
}
_HOME_OF: Final = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return __all__
