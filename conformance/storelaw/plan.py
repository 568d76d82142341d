"""What one check is to do, as data: it crosses to the workers of pytest-xdist in a file."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

from storelaw import catalogue, fixtures, grades, release, vectors, waivers
from storelaw.clauses import Law
from storelaw.medium import Medium
from storelaw.specification import versions
from storelaw.suite import Terms
from storelaw.vectors import Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A target, the laws to hold against it, and on what terms.

    ``path`` are folders whose modules can be imported, ``today`` an ISO date, ``spec`` the
    version of the specification, ``require`` a grade that has to be reached; ``narrowed``
    says that these laws are a part of what the store is held to.
    """

    target: str
    laws: tuple[str, ...]
    effort: str
    seed: int
    today: str
    vectors: str | None = None
    fixtures: str | None = None
    waivers: str | None = None
    save: str | None = None
    path: tuple[str, ...] = ()
    narrowed: bool = False
    spec: str = release.SPEC
    require: str | None = None

    def write(self, file: Path) -> None:
        """Write the plan, in ASCII."""
        file.write_text(json.dumps(asdict(self)), encoding="ascii")

    @classmethod
    def read(cls, file: Path) -> "Plan":
        """The plan that was written."""
        data: dict[str, Any] = json.loads(file.read_text(encoding="ascii"))
        data["laws"], data["path"] = tuple(data["laws"]), tuple(data["path"])
        return cls(**data)

    def medium(self) -> type[Medium]:
        """The medium class; raises :class:`~storelaw.errors.Misconfigured`."""
        for each in self.path:
            catalogue.importable(Path(each))
        return catalogue.medium_of(self.target)

    def chosen(self) -> list[Law]:
        """The laws, in the plan's order."""
        return [catalogue.law_of(each) for each in self.laws]

    def terms(self) -> Terms:
        """The terms, with the files that the plan names read."""
        waived = waivers.read(Path(self.waivers)) if self.waivers else {}
        return Terms(
            target=self.target,
            effort=self.effort,
            seed=self.seed,
            vectors=tuple(self._vectors()),
            waivers=waived,
            unheld=() if self.narrowed else waivers.unheld(waived, self.laws),
            today=date.fromisoformat(self.today),
            save=Path(self.save) if self.save else None,
            spec=versions.checked(self.spec),
            require=grades.checked(self.require) if self.require else None,
        )

    def _vectors(self) -> Iterator[Vector]:
        if self.vectors:
            yield from vectors.read_all(Path(self.vectors))
        if self.fixtures:
            profile = self.medium().manifest.profile
            yield from fixtures.vectors(fixtures.read_all(Path(self.fixtures), profile))
