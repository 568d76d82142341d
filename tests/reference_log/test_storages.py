"""Storages: memory, files and segments."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from storelaw_reference.log import (
    Damaged,
    JsonFile,
    JsonLines,
    KeyValue,
    Mem,
    Nothing,
    Rejected,
    Storage,
    place_of,
    queue_of,
)

Again = Callable[[], Storage]


class Keys(dict[str, str]):
    """A backend in memory; it counts what is written, and fails at a key when told to."""

    def __init__(self) -> None:
        super().__init__()
        self.fail = ""
        self.writes = 0

    def set(self, key: str, text: str) -> None:
        """Put a text under a key, and fail after it where told to."""
        self.writes += 1
        self[key] = text
        if self.fail and key.endswith(self.fail):
            raise OSError("full")

    def delete(self, key: str) -> None:
        """Remove a key."""
        del self[key]


@pytest.fixture(params=["mem", "json", "jsonl", "kv"])
def again(request: pytest.FixtureRequest, tmp_path: Path) -> Again:
    """Return a function that opens the same log once more."""
    keys, mem = Keys(), Mem()
    made: dict[str, Again] = {
        "mem": lambda: mem,
        "json": lambda: JsonFile(tmp_path / "log.json"),
        "jsonl": lambda: JsonLines(tmp_path / "log.jsonl"),
        "kv": lambda: KeyValue(keys, segment_size=2),
    }
    return made[request.param]


def test_a1_appends_keep_their_order(again: Again) -> None:
    """AP-A1, AP-A8: append(a, b); append(c) gives a, b, c, also to a fresh object."""
    storage = again()
    storage.append("a", "b")
    storage.append("c")
    assert storage.read() == storage.read() == again().read() == ["a", "b", "c"]


def test_a9_any_json_value_comes_back_equal(again: Again) -> None:
    """AP-A9, AP-A11, AP-A12: a storage doesn't ask what it keeps."""
    values: list[Any] = [
        None,
        0,
        "\u2028\ud800\x00",
        [],
        {"timestamp": 2},
        {"timestamp": 1, "b": [1.5]},
    ]
    again().append(*values)
    assert again().read() == values


def test_a4_clear_empties(again: Again) -> None:
    """AP-A4: append, clear, read gives nothing; the log can be written again."""
    storage = again()
    storage.append(1, 2, 3)
    storage.clear()
    assert storage.read() == again().read() == []
    storage.append(4)
    assert again().read() == [4]


def test_a5_parallel_appends_all_survive(again: Again) -> None:
    """AP-A5: three threads over three objects lose nothing, and don't interleave a call."""
    threads = [Thread(target=again().append, args=(name, name)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    read = again().read()
    assert sorted(read) == list("aabbcc")
    assert read[::2] == read[1::2]


def test_d10_nothing_is_shared_with_a_caller(again: Again) -> None:
    """D-AP-10: neither what was appended nor what was read is the log."""
    storage = again()
    value = {"a": [1]}
    storage.append(value)
    value["a"].append(2)
    storage.read()[0]["a"].append(3)
    storage.read().append("more")
    assert storage.read() == [{"a": [1]}]


def test_d9_foreign_values_are_refused_whole(again: Again) -> None:
    """D-AP-9, D-AP-20: a value that JSON can't say takes its whole batch with it."""
    storage = again()
    with pytest.raises(Rejected):
        storage.append(1, ValueError("lost"))
    assert storage.read() == []


def test_d14_a_big_batch_is_a_batch(again: Again) -> None:
    """D-AP-14: the size of a batch has no limit of its own."""
    storage = again()
    storage.append(*range(20_000))
    assert storage.read() == list(range(20_000))


def test_nothing_keeps_nothing() -> None:
    """The `none` storage takes JSON, as any other does, and has nothing to read."""
    storage = Nothing()
    storage.append(1)
    with pytest.raises(Rejected):
        storage.append(object())
    storage.clear()
    assert storage.read() == []
    assert place_of(storage) != place_of(Nothing())


def test_a_queue_is_shared_while_somebody_holds_it() -> None:
    """AP-A5: one place, one queue; another place, another."""
    queue = queue_of("here")
    assert queue_of("here") is queue
    assert queue_of("there") is not queue


@pytest.mark.parametrize("kind", [JsonFile, JsonLines])
def test_a2_a3_reading_and_empty_appends_make_no_file(
    kind: type[JsonFile | JsonLines], tmp_path: Path
) -> None:
    """AP-A2, AP-A3: neither `append()` nor `read()` writes; a cleared file is empty."""
    storage = kind(tmp_path / "log")
    storage.append()
    assert storage.read() == []
    assert list(tmp_path.iterdir()) == []
    storage.clear()
    assert (tmp_path / "log").read_bytes() == b""
    assert storage.read() == []


@pytest.mark.parametrize("kind", [JsonFile, JsonLines])
def test_d11_two_spellings_are_one_file(
    kind: type[JsonFile | JsonLines], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """D-AP-11: a relative and an absolute path, or a link, share the queue and the log."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to(tmp_path / "log")
    one, two, three = kind("log"), kind(tmp_path / "x" / ".." / "log"), kind("link")
    assert place_of(one) == place_of(two) == place_of(three)
    one.append(1)
    two.append(2)
    three.append(3)
    assert one.read() == [1, 2, 3]


def test_json_is_one_indented_array(tmp_path: Path) -> None:
    """Wire A.2.6: two spaces, an LF at the end, and no temporary file is left."""
    JsonFile(tmp_path / "log").append({"a": 1})
    assert (tmp_path / "log").read_text() == '[\n  {\n    "a": 1\n  }\n]\n'
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("held", [b"{broken", b'{"a": 1}', b"\xff", b"[1"])
def test_a6_a_broken_json_file_is_an_error(held: bytes, tmp_path: Path) -> None:
    """AP-A6: neither a read nor an append hides what can't be read."""
    (tmp_path / "log").write_bytes(held)
    with pytest.raises(Damaged, match="log"):
        JsonFile(tmp_path / "log").read()
    with pytest.raises(Damaged, match="log"):
        JsonFile(tmp_path / "log").append(1)
    assert (tmp_path / "log").read_bytes() == held


def test_a6_a_broken_line_is_named(tmp_path: Path) -> None:
    """AP-A6: the third line is broken, and the error says so; blank lines are skipped."""
    (tmp_path / "log").write_bytes(b"1\n\n{broken\n4\n")
    with pytest.raises(Damaged, match="line 3"):
        JsonLines(tmp_path / "log").read()


@pytest.mark.parametrize("tail", [b'{"a": ', b"\x00\x00\x00", b'{"a": "\xc3', b'"' + b"x" * 9000])
def test_d6_a_torn_tail_costs_itself_only(tail: bytes, tmp_path: Path) -> None:
    """D-AP-6: a cut last line is no entry, and the next append takes its place."""
    path = tmp_path / "log"
    path.write_bytes(b'{"a": 1}\n' + tail)
    assert JsonLines(path).read() == [{"a": 1}]
    JsonLines(path).append(2)
    assert JsonLines(path).read() == [{"a": 1}, 2]
    assert path.read_bytes() == b'{"a": 1}\n2\n'


def test_d6_a_file_that_is_all_torn_begins_anew(tmp_path: Path) -> None:
    """D-AP-6: also the very first record may be torn."""
    (tmp_path / "log").write_bytes(b'{"a"')
    JsonLines(tmp_path / "log").append(1)
    assert (tmp_path / "log").read_bytes() == b"1\n"


def test_d7_a_missing_last_lf_is_put_there(tmp_path: Path) -> None:
    """D-AP-7: a whole record without LF is kept, and the next doesn't stick to it."""
    path = tmp_path / "log"
    path.write_bytes(b'1\n{"a": 2}')
    assert JsonLines(path).read() == [1, {"a": 2}]
    JsonLines(path).append(3)
    assert path.read_bytes() == b'1\n{"a": 2}\n3\n'


def test_d19_an_append_reads_no_more_than_the_tail(tmp_path: Path) -> None:
    """D-AP-19: old bytes stay as they are, whatever is in them."""
    path = tmp_path / "log"
    path.write_bytes(b"{broken\n1\n")
    JsonLines(path).append(2)
    assert path.read_bytes() == b"{broken\n1\n2\n"


def test_a7_a_failed_line_is_absent_for_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """AP-A7: what was half written when the disk was full is not there later."""
    storage = JsonLines(tmp_path / "log")
    storage.append("a")
    real, left = os.write, [1]

    def short(handle: int, data: bytes) -> int:
        if not left:
            raise OSError("full")
        return real(handle, data[: left.pop()])

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", short)
        with pytest.raises(OSError, match="full"):
            storage.append("b", "c")
    assert storage.read() == ["a"]
    storage.append("d")
    assert storage.read() == ["a", "d"]


@pytest.mark.parametrize("kind", [JsonFile, JsonLines])
def test_a7_a_failed_replacement_is_absent_for_good(
    kind: type[JsonFile | JsonLines], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """AP-A7: the old file stands until the new one is whole."""
    storage = kind(tmp_path / "log")

    def refuse(self: Path, target: Path) -> Path:
        raise OSError("full")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", refuse)
        with pytest.raises(OSError, match="full"):
            storage.append("a")
    assert list(tmp_path.iterdir()) == []
    storage.append("b")
    assert storage.read() == ["b"]


def test_a10_segments_are_full_and_without_holes() -> None:
    """AP-A10: size 2 and five items give head 3 and the segments [1,2], [3,4], [5]."""
    keys = Keys()
    storage = KeyValue(keys, "p", 2)
    storage.append(1)
    storage.append(2, 3, 4, 5)
    held = ["[1, 2]", "[3, 4]", "[5]"]
    assert keys == {"p:head": "3", **{f"p:seg:{n:07}": held[n - 1] for n in (1, 2, 3)}}


def test_a10_another_segment_size_keeps_the_order() -> None:
    """AP-A10: a smaller size neither moves nor loses what is there."""
    keys = Keys()
    KeyValue(keys, segment_size=5).append(1, 2, 3)
    KeyValue(keys, segment_size=2).append(4)
    KeyValue(keys, segment_size=3).append(5, 6, 7)
    assert KeyValue(keys).read() == [1, 2, 3, 4, 5, 6, 7]
    with pytest.raises(ValueError, match="at least one"):
        KeyValue(keys, segment_size=0)


def test_d8_a_read_writes_nothing() -> None:
    """D-AP-8 (e): neither a read nor an empty append makes a head."""
    keys = Keys()
    assert KeyValue(keys).read() == []
    KeyValue(keys).append()
    assert keys == {}


@pytest.mark.parametrize(
    ("key", "held", "said"),
    [
        ("apeira:seg:0000001", "[1", "seg:0000001"),
        ("apeira:seg:0000002", "{}", "not an array"),
        ("apeira:seg:0000001", None, "missing"),
        ("apeira:head", "two", "number"),
        ("apeira:head", "-1", "number"),
        ("apeira:head", None, "head: missing"),
    ],
)
def test_d8_damage_is_loud(key: str, held: str | None, said: str) -> None:
    """D-AP-8 (a, b): damage is an error that names the key, and nothing is written over it."""
    keys = Keys()
    KeyValue(keys, segment_size=2).append(1, 2, 3)
    keys.pop(key)
    if held is not None:
        keys[key] = held
    before, writes = dict(keys), keys.writes
    with pytest.raises(Damaged, match=said):
        KeyValue(keys, segment_size=2).read()
    if "seg:0000001" not in key:
        with pytest.raises(Damaged, match=said):
            KeyValue(keys, segment_size=2).append(4)
        assert (keys, keys.writes) == (before, writes)
    KeyValue(keys).clear()
    KeyValue(keys).append(5)
    assert KeyValue(keys).read() == [5]


@pytest.mark.parametrize("fail", ["head", "seg:0000001", "seg:0000002"])
@pytest.mark.parametrize("held", [[], [1]])
def test_d8_a_failed_append_is_absent_for_good(fail: str, held: list[int]) -> None:
    """AP-A7, D-AP-8 (c): whichever write fails, nothing of the call is visible, then or later."""
    keys = Keys()
    KeyValue(keys, segment_size=2).append(*held)
    keys.fail = fail
    with pytest.raises(OSError, match="full"):
        KeyValue(keys, segment_size=2).append("b", "c", "d")
    keys.fail = ""
    assert KeyValue(keys, segment_size=2).read() == held
    KeyValue(keys, segment_size=2).append("e")
    assert KeyValue(keys, segment_size=2).read() == [*held, "e"]


def test_d8_two_objects_share_the_queue_of_their_backend() -> None:
    """D-AP-8 (d): one backend, or two that name one place, with one prefix, are one log."""

    class Placed(Keys):
        place = "here"

    keys = Keys()
    assert place_of(KeyValue(keys)) == place_of(KeyValue(keys))
    assert place_of(KeyValue(keys)) != place_of(KeyValue(keys, "other"))
    assert place_of(KeyValue(Placed())) == place_of(KeyValue(Placed()))
    one, two = KeyValue(keys), KeyValue(keys)
    one.append(1)
    two.append(2)
    one.append(3)
    assert json.loads(keys["apeira:seg:0000001"]) == [1, 2, 3]
