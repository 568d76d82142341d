"""The hooks by which others extend the kit; the kit's own media and laws come through them.

A distribution names a module in the entry-point group ``storelaw``; its functions that are
marked with :data:`hookimpl` are then called.
"""

from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Any, Final, TypeAlias

import pluggy

from storelaw.clauses import Law
from storelaw.medium import Medium
from storelaw.profiles import Kind, Profile
from storelaw.sections import Given

PROJECT: Final = "storelaw"
hookspec: Final = pluggy.HookspecMarker(PROJECT)
hookimpl: Final = pluggy.HookimplMarker(PROJECT)

#: A medium class, or ``module:Class`` to be imported when it is asked for.
MediumSource: TypeAlias = type[Medium] | str


@hookspec
def storelaw_media() -> Mapping[str, MediumSource]:  # type: ignore[empty-body]
    """The media that ``storelaw check`` knows by name."""


@hookspec
def storelaw_laws() -> Iterable[Law | ModuleType]:  # type: ignore[empty-body]
    """Further laws: law objects, or modules that register theirs when they are imported."""


@hookspec
def storelaw_profiles() -> Iterable[Profile]:  # type: ignore[empty-body]
    """Further profiles: a contract, doors and their engines, a smoke program."""


@hookspec
def storelaw_kinds() -> Mapping[str, Iterable[Kind]]:  # type: ignore[empty-body]
    """Entry kinds by profile, each with the name of its schema and a strategy of instances."""


@hookspec
def storelaw_report_section(report: Mapping[str, Any]) -> Given | None:
    """Parts of what a check prints, made from its report.

    A text is a paragraph between the kit's facts and its failures; a
    :class:`~storelaw.sections.Section` has a title and says where it stands.
    """
