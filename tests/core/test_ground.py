"""The directory of a medium, and the fence around it."""

import shutil
from collections.abc import Iterator

import pytest

from storelaw import ground
from storelaw.ground import FENCE, Ground, clear, given_back, taken


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Ground]:
    """A fresh ground, with no spare ones about."""
    monkeypatch.setattr(ground, "_SPARE", [])
    made = taken()
    yield made
    clear()
    shutil.rmtree(made.root, ignore_errors=True)


def test_a_ground_is_an_empty_directory_within_a_fence(place: Ground) -> None:
    """Two levels up is still inside."""
    assert place.workdir == place.root.joinpath(*FENCE)
    assert list(place.workdir.iterdir()) == []
    assert place.untouched()
    assert place.outside() == ()


def test_an_untouched_ground_serves_again(place: Ground) -> None:
    """A store that lives in memory doesn't pay for files."""
    given_back(place, reusable=True)
    assert taken() is place
    assert taken() is not place


def test_a_ground_that_paths_may_be_remembered_of_is_removed(place: Ground) -> None:
    """A store may keep something by its path, so only stores without files share one."""
    given_back(place, reusable=False)
    assert not place.root.exists()


def test_a_ground_with_files_is_removed(place: Ground) -> None:
    """The next program gets an empty one."""
    (place.workdir / "log").touch()
    assert not place.untouched()
    assert place.outside() == ()
    given_back(place, reusable=True)
    assert not place.root.exists()
    assert taken() is not place


@pytest.mark.parametrize("level", range(len(FENCE)))
def test_a_file_anywhere_in_the_fence_is_outside(place: Ground, level: int) -> None:
    """It is named, whatever the level."""
    place.root.joinpath(*FENCE[:level], "stray").touch()
    assert place.outside() == ("stray",)
    given_back(place, reusable=False)
    assert not place.root.exists()


def test_a_part_of_the_fence_that_is_gone_is_named(place: Ground) -> None:
    """A store that removes what lies above it is seen."""
    shutil.rmtree(place.root / FENCE[0] / FENCE[1])
    assert place.outside() == (f"{FENCE[1]} (removed)",)
    given_back(place, reusable=False)
    assert not place.root.exists()


def test_a_medium_may_remove_its_own_directory(place: Ground) -> None:
    """That is tidy, not a trespass; the ground isn't used again."""
    place.workdir.rmdir()
    assert place.outside() == ()
    given_back(place, reusable=True)
    assert not place.root.exists()


def test_spare_grounds_are_removed_at_the_end(place: Ground) -> None:
    """Nothing stays on the machine."""
    given_back(place, reusable=True)
    clear()
    assert not place.root.exists()
