"""Media whose package is missing say what to install, when they are used."""

import sys
from pathlib import Path

import pytest

from storelaw.errors import Misconfigured
from storelaw.media.claude import ClaudeMedium
from storelaw.media.openai import OpenAIMedium
from storelaw.medium import Medium


@pytest.mark.parametrize(
    ("medium", "package", "extra"),
    [(ClaudeMedium, "claude_agent_sdk", "claude"), (OpenAIMedium, "agents", "openai")],
)
def test_a_missing_package_is_named_with_its_extra(
    medium: type[Medium],
    package: str,
    extra: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The message holds the package and the command that installs it."""
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(Misconfigured, match=rf"{package}.*pip install 'storelaw\[{extra}\]'"):
        medium(tmp_path).open()
