"""The mutation score of each release, from the documents that the releases recorded."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from storelaw import catalogue
from storelaw.score import page
from storelaw.selftest import all_liars
from storelaw_pages.names import law_linked, liar_linked

FOLDER: Final = Path(__file__).parents[2] / "score"


def written(_: str) -> str:
    """The scores, newest first."""
    files = sorted(FOLDER.glob("*.json"), key=lambda each: _numbers(each.stem), reverse=True)
    return "\n\n".join(told(json.loads(each.read_bytes())) for each in files)


def _numbers(version: str) -> list[int]:
    return [int(each) for each in re.findall(r"\d+", version)]


def told(score: Mapping[str, Any]) -> str:
    """One score, its headings a level lower, its laws and liars linked."""
    links = {each.name: law_linked(each.name) for each in catalogue.all_laws()}
    links |= {each.name: liar_linked(each.name) for each in all_liars()}
    lowered = re.sub(r"^#", "##", page(score), flags=re.MULTILINE)
    return re.sub(r"`(\w+)`", lambda found: links.get(found[1], found[0]), lowered)
