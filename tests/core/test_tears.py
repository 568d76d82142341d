"""Where a write may end early, and the copies of files that show it."""

from itertools import pairwise
from pathlib import Path

import pytest

from storelaw.errors import MediumFault
from storelaw.tears import MOST, PADDED, Tear, held, laid_out, named, surroundings, tears
from storelaw.wreckage import Cut


def test_files_are_held_and_laid_out_again(tmp_path: Path) -> None:
    """All of them, in folders too, byte for byte."""
    files = {"a": b"\0\xff", "in/side": b""}
    laid_out(files, tmp_path)
    assert held(tmp_path) == files


def test_a_mediums_files_lie_below_its_directory(tmp_path: Path) -> None:
    """One that lies elsewhere is the medium's fault."""
    assert named([tmp_path / "in" / "side"], tmp_path) == ["in/side"]
    with pytest.raises(MediumFault) as caught:
        named([Path("/elsewhere")], tmp_path)
    assert str(caught.value) == (
        "medium: files() gave '/elsewhere', which isn't below the medium's workdir"
    )


def test_only_what_was_added_can_be_torn() -> None:
    """A file that was rewritten, or left alone, or is gone, has no tear."""
    old = {"grown": b"ab", "same": b"ab", "rewritten": b"ab", "gone": b"ab"}
    new = {"grown": b"abc", "same": b"ab", "rewritten": b"xbc", "made": b"c"}
    names = ["grown", "same", "rewritten", "gone", "made"]
    assert tears(old, new, names) == [Tear("grown", b"ab", b"c"), Tear("made", None, b"c")]


def test_a_short_write_is_cut_at_every_byte() -> None:
    """But before the first and behind the last one."""
    assert Tear("f", b"", b"abcd").places() == [1, 2, 3]
    assert Tear("f", b"", b"x" * MOST).places() == list(range(1, MOST))


def test_a_long_write_is_cut_at_a_sample() -> None:
    """At its edges, around line ends, inside characters, and evenly between."""
    wide = "\u6f22".encode()
    added = b"x" * 1_000 + b"\n" + b"y" * 1_000 + wide + b"z" * 1_000 + b"\n"
    places = Tear("f", b"", added).places()
    assert len(places) <= MOST
    assert {1, 2, len(added) - 1, 1_000, 1_001, 1_002, 2_002, 2_003} <= set(places)
    assert max(b - a for a, b in pairwise(places)) <= len(added) // 60


def test_a_cut_says_what_it_leaves() -> None:
    """Bytes that are kept, alone or with NUL bytes up to the whole length, or blanks."""
    tear = Tear("f", b"old\n", b"new\n")
    cuts = list(tear.cuts())
    assert [each.left for each in cuts] == [
        *(b"n", b"ne", b"new"),
        *(b"\0\0\0\0", b"n\0\0\0", b"ne\0\0", b"new\0"),
        b" " * 8,
    ]
    assert tear.content(cuts[0]) == b"old\nn"
    assert [each.unended for each in cuts] == [False, False, True, *[False] * 5]
    assert cuts[0].behind


def test_the_padding_is_a_sample_too() -> None:
    """Some places, and the one before all."""
    padded = [each for each in Tear("f", b"", b"x" * MOST).cuts() if each.tail == "nul"]
    assert PADDED <= len(padded) <= PADDED + 2
    assert padded[0].kept == 0


def test_a_new_file_may_be_empty() -> None:
    """That cut exists for no other one, and blanks are for files of lines."""
    cuts = list(Tear("f", None, b"ab").cuts())
    assert cuts[-1] == Cut("f", 0, 2, created=True, lost=b"ab")
    assert not any(each.unended or each.behind or each.tail == "blank" for each in cuts)


def test_a_cut_shows_what_lies_around_it() -> None:
    """Where the write began, what stood before it, and the first of what it lost."""
    cut = next(each for each in Tear("f", b"a" * 100, b"bcd").cuts() if each.kept == 1)
    assert (cut.at, cut.near, cut.left, cut.lost) == (100, b"a" * 64, b"b", b"cd")


def test_a_single_byte_can_be_missing_only() -> None:
    """There is no place inside it."""
    assert [each.tail for each in Tear("f", b"", b"\n").cuts()] == ["nul", "blank"]


def test_what_lies_around_a_torn_file() -> None:
    """As the write left it; and as it found it, where that is something else."""
    old, new = {"f": b"a", "g": b"1"}, {"f": b"ab", "g": b"1"}
    assert surroundings(old, new, "f") == {"new": {"g": b"1"}}
    assert surroundings(old, {**new, "h": b"2"}, "f") == {
        "new": {"g": b"1", "h": b"2"},
        "old": {"g": b"1"},
    }
