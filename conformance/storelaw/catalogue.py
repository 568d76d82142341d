"""Everything that can be named on the command line: laws, families and media."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from storelaw import extensions
from storelaw.bundled import EXTRAS
from storelaw.clauses import Law, register, registered
from storelaw.contract import unknown
from storelaw.errors import Misconfigured
from storelaw.hookspecs import MediumSource
from storelaw.manifest import Manifest
from storelaw.medium import Medium
from storelaw.profiles import profile_named


@cache
def _loaded() -> None:
    for found in extensions.called("storelaw_laws"):
        for each in found:
            if isinstance(each, Law):
                register(each)


def all_laws(profile: str | None = None) -> tuple[Law, ...]:
    """Every law, those of installed extensions included, family by family.

    With a profile, the laws of its doors. Raises
    :class:`~storelaw.errors.Misconfigured` for an unknown profile.
    """
    _loaded()
    if profile is None:
        return registered()
    doors = profile_named(profile).door_names
    return tuple(each for each in registered() if each.door in doors)


def all_families() -> tuple[str, ...]:
    """The families that have a law, in order."""
    return tuple(dict.fromkeys(each.family for each in all_laws()))


def family_of(name: str | None) -> list[str]:
    """A family as a choice of laws, or no choice for no name; raises for an unknown one."""
    if name is not None and name not in all_families():
        known = ", ".join(all_families())
        raise Misconfigured(f"configuration: no family is called {name!r}; there are: {known}")
    return [name] if name is not None else []


def law_of(name: str) -> Law:
    """The law with a name or title; :class:`Misconfigured` gives near names."""
    for each in all_laws():
        if name in (each.name, each.title):
            return each
    raise Misconfigured(_no_such(name, [each.name for each in all_laws()], "law"))


def chosen(names: Iterable[str], profile: str | None = None) -> tuple[Law, ...]:
    """The laws of a profile that these names, titles or families name; all of them for no names."""
    laws, wanted = all_laws(profile), list(names)
    for each in wanted:
        if not any(_named(law, each) for law in laws):
            known = [*(law.name for law in laws), *all_families()]
            raise Misconfigured(_no_such(each, known, "law or family"))
    return tuple(law for law in laws if not wanted or any(_named(law, each) for each in wanted))


def _named(law: Law, name: str) -> bool:
    return name in (law.name, law.title, law.family)


def _no_such(name: str, known: Sequence[str], what: str) -> str:
    near = get_close_matches(name.rsplit("/", 1)[-1], known, n=3, cutoff=0.5)
    hint = f"; near it: {', '.join(near)}" if near else ""
    return f"configuration: no {what} is called {name!r}{hint}; `storelaw laws` lists them all"


def all_media() -> Mapping[str, MediumSource]:
    """The media that have a name, in the order in which they were registered."""
    media: dict[str, MediumSource] = {}
    for found in reversed(extensions.called("storelaw_media")):
        media.update(found)
    return media


def importable(folder: Path) -> None:
    """Let modules in a folder be imported, before all others."""
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


def medium_of(target: str) -> type[Medium]:
    """The medium class that a name or ``module:Class`` stands for.

    Raises :class:`~storelaw.errors.Misconfigured` when there is none, when it can't be
    imported, and when it is no medium.
    """
    media = all_media()
    source = media.get(target)
    if source is None and (":" not in target or target.split(":")[0] in media):
        raise Misconfigured(unknown("medium", target, media) + "; or give module:Class")
    _check_extra(target)
    found = source if isinstance(source, type) else _imported(source or target)
    return checked(found, target)


def _check_extra(target: str) -> None:
    package, extra = EXTRAS.get(target, ("storelaw", ""))
    if find_spec(package) is None:
        raise Misconfigured(
            f"configuration: medium {target!r} needs the package {package!r}; "
            f"install it with: pip install 'storelaw[{extra}]'"
        )


def _imported(path: str) -> object:
    module, _, name = path.partition(":")
    try:
        found: Any = import_module(module)
    except Misconfigured:
        raise
    except Exception as error:
        words = f"{type(error).__name__}: {error}"
        raise Misconfigured(f"configuration: can't import {module!r}: {words}") from error
    for part in name.split("."):
        if not hasattr(found, part):
            raise Misconfigured(f"configuration: module {module!r} has no {name!r}")
        found = getattr(found, part)
    return found


def checked(found: object, target: str) -> type[Medium]:
    """A medium class with a manifest, or :class:`Misconfigured` with what it is instead."""
    if not (isinstance(found, type) and issubclass(found, Medium)):
        raise Misconfigured(
            f"configuration: {target} is {found!r}, no medium; subclass storelaw.Medium"
        )
    if not isinstance(getattr(found, "manifest", None), Manifest):
        raise Misconfigured(
            f"configuration: {target} has no manifest; "
            "give the class one: manifest = storelaw.Manifest(name=...)"
        )
    return found
