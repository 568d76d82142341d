"""The files that a score is written to."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from storelaw.errors import Misconfigured
from storelaw.score.sheet import page


@dataclass(frozen=True, slots=True)
class Papers:
    """Where the document and the page go, each perhaps nowhere."""

    report: Path | None = None
    page: Path | None = None

    @classmethod
    def at(cls, report: str | None, page: str | None) -> "Papers":
        """Papers at these places; :class:`Misconfigured` where none can be written.

        It is asked before the work begins, which takes minutes.
        """
        return cls(_place(report, ".json"), _place(page, ".md"))

    @property
    def wanted(self) -> bool:
        """Whether anything is to be written."""
        return self.report is not None or self.page is not None

    def write(self, score: Mapping[str, Any]) -> None:
        """Write the document, in ASCII, and the page."""
        if self.report is not None:
            words = json.dumps(score, ensure_ascii=True, indent=1)
            self.report.write_text(words + "\n", encoding="ascii")
        if self.page is not None:
            self.page.write_text(page(score), encoding="utf-8")


def _place(name: str | None, suffix: str) -> Path | None:
    if name is None:
        return None
    file = Path(name)
    if file.suffix != suffix:
        raise Misconfigured(f"configuration: {name!r} should end in {suffix}")
    if file.is_dir() or not file.absolute().parent.is_dir():
        raise Misconfigured(f"configuration: {name!r} can't be written: no such folder")
    return file
