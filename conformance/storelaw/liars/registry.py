"""The register of liars."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from storelaw.errors import Misconfigured
from storelaw.medium import Medium

M = TypeVar("M", bound=type[Medium])


@dataclass(frozen=True, slots=True)
class Liar:
    """A medium that breaks a law on purpose.

    ``breaks`` is the law it exists for, ``also`` the laws that the same fault breaks in
    their batteries, ``perhaps`` those that it breaks where workers meet at the right moment,
    ``kinds`` the fault kinds it stands for (``F01``), ``mutants`` the
    published mutants it is (their words in ``docs/mutants.md``), ``most`` the number of
    steps that its shortest program may have.
    """

    name: str
    medium: type[Medium]
    breaks: str
    also: tuple[str, ...] = ()
    perhaps: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    mutants: tuple[str, ...] = ()
    most: int = 4


_LIARS: Final[dict[str, Liar]] = {}


def liar(
    breaks: str,
    *,
    also: Sequence[str] = (),
    perhaps: Sequence[str] = (),
    kinds: Sequence[str] = (),
    mutants: Sequence[str] = (),
    most: int = 4,
) -> Callable[[M], M]:
    """Register a medium class as the liar of a law; its docstring says what it does wrong."""

    def decorate(medium: M) -> M:
        known = _LIARS.get(medium.__name__)
        if known is not None and known.medium.__module__ != medium.__module__:
            raise Misconfigured(f"configuration: two liars are called {medium.__name__!r}")
        _LIARS[medium.__name__] = Liar(
            medium.__name__,
            medium,
            breaks,
            tuple(also),
            tuple(perhaps),
            tuple(kinds),
            tuple(mutants),
            most,
        )
        return medium

    return decorate


def liars() -> tuple[Liar, ...]:
    """All liars that were imported so far, in the order of their modules."""
    return tuple(_LIARS.values())
