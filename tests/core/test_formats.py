"""The formats of files: which versions are read, and what is said of others."""

from typing import Any

import pytest

from storelaw import release
from storelaw.errors import Misconfigured
from storelaw.formats import BY_HAND, FORMATS, readable


@pytest.mark.parametrize("kind", sorted(FORMATS))
def test_every_version_so_far_is_read(kind: str) -> None:
    """An older document is as good as a new one."""
    for version in range(1, FORMATS[kind] + 1):
        data = {"storelaw": version}
        assert readable(data, kind) is data


@pytest.mark.parametrize("kind", sorted(FORMATS))
def test_a_newer_version_is_refused(kind: str) -> None:
    """The message names the file, both versions, and the command that upgrades."""
    newer = FORMATS[kind] + 1
    with pytest.raises(Misconfigured) as caught:
        readable({"storelaw": newer}, kind, "x.json")
    assert str(caught.value) == (
        f"configuration: x.json has version {newer} of the format {kind}; storelaw "
        f"{release.__version__} reads it up to version {FORMATS[kind]}; "
        "upgrade: python -m pip install --upgrade storelaw"
    )


def test_the_kit_that_wrote_a_newer_document_is_named() -> None:
    """Where the document says which kit wrote it, so does the message."""
    with pytest.raises(Misconfigured, match=r"the report has version 9 .*, written by storelaw 7;"):
        readable({"storelaw": 9, "kit": "7"}, "report")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "x is no program: it is no JSON object"),
        ({}, 'x is no program: its version "storelaw" is None, and this kit reads 1 to 1'),
        ({"storelaw": True}, "is True, and"),
        ({"storelaw": 0}, "is 0, and"),
        ({"storelaw": "2"}, "is '2', and"),
    ],
)
def test_what_has_no_version_is_refused(data: Any, words: str) -> None:
    """Nobody can tell what such a document means."""
    with pytest.raises(Misconfigured) as caught:
        readable(data, "program", "x")
    assert words in str(caught.value)


@pytest.mark.parametrize("kind", sorted(BY_HAND))
def test_what_is_written_by_hand_needs_no_version(kind: str) -> None:
    """It then has the first."""
    assert readable({}, kind) == {}
