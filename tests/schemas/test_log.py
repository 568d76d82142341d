"""Checking the lines of a session log."""

import json

import pytest

from storelaw_schemas import LineProblem, check_log

RECORD = json.dumps({"type": "session_init", "id": "s1", "created_at": "2026-03-01T09:30:00Z"})
ENTRY = json.dumps(
    {"type": "custom", "id": "e1", "created_at": "2026-03-01T09:30:01Z", "kind": "note"}
)
EPHEMERAL = json.dumps(
    {
        "type": "message",
        "id": "e2",
        "created_at": "2026-03-01T09:30:01Z",
        "message": {"role": "user", "content": [], "injected": "ephemeral"},
    }
)


def _checked(text: str) -> list[LineProblem]:
    return list(check_log(text.splitlines(keepends=True)))


def _told(text: str) -> list[str]:
    return [str(problem) for problem in _checked(text)]


@pytest.mark.parametrize(
    "lines",
    [[RECORD], [RECORD, ENTRY], [f"{RECORD}\n", f"{ENTRY}\n", f"{ENTRY}\n"]],
    ids=["a record alone", "without line feeds", "with line feeds"],
)
def test_a_sound_log_has_no_problem(lines: list[str]) -> None:
    """A record and entries are a log, with their line feeds or without."""
    assert list(check_log(lines)) == []


def test_an_empty_log_lacks_its_record() -> None:
    """A file without a line, or with blank ones, is no log."""
    assert _told("") == _told("\n \n") == ["line 1: $: is missing: the log is empty"]


def test_the_first_line_is_the_record() -> None:
    """An entry in the place of the record is not taken for one."""
    assert _told(f"{ENTRY}\n") == ['line 1: $.type: is "custom", not "session_init"']


def test_a_record_is_no_entry() -> None:
    """A second record is a problem of its line."""
    assert [problem.line for problem in _checked(f"{RECORD}\n{ENTRY}\n{RECORD}\n")] == [3]


def test_an_entry_is_held_to_what_a_store_may_hold() -> None:
    """An ephemeral message in a log is told with its line and path."""
    assert _told(f"{RECORD}\n{EPHEMERAL}\n{ENTRY}\n") == [
        'line 2: $.message.injected: is "ephemeral", not "meta"'
    ]


@pytest.mark.parametrize("junk", ["{", "\0\0", "NaN", '{"a": -Infinity}', "[" * 100_000])
def test_a_line_that_is_not_json_is_told_by_number(junk: str) -> None:
    """Junk between sound lines is one problem of its line, and the rest is still checked."""
    (found,) = _checked(f"{RECORD}\n{junk}\n{ENTRY}\n")
    assert found.line == 2
    assert found.problem.message.startswith("is not JSON: ")
    assert found.problem.value == f"{junk}\n"
    assert not found.torn


@pytest.mark.parametrize("tail", [ENTRY[:-5], "\0\0\0"])
def test_a_cut_last_line_is_torn(tail: str) -> None:
    """A log that ends inside a record says so, with or without line feeds before."""
    for lines in ([f"{RECORD}\n", tail], [RECORD, tail]):
        found = list(check_log(lines))
        assert [(problem.line, problem.torn) for problem in found][-1] == (2, True)
        assert "is torn" in found[-1].problem.message


def test_a_cut_only_line_is_torn() -> None:
    """A crash while the record was written leaves a torn first line."""
    (found,) = _checked(RECORD[:10])
    assert (found.line, found.torn) == (1, True)


def test_a_last_line_without_its_line_feed_is_torn() -> None:
    """A whole record that lacks only its line feed would be run into by the next append."""
    (found,) = _checked(f"{RECORD}\n{ENTRY}")
    assert (found.line, found.torn) == (2, True)
    assert found.problem.message == "is torn: the log ends before its line feed"


def test_a_bad_line_with_its_line_feed_is_not_torn() -> None:
    """Junk that was ended properly is junk."""
    (found,) = _checked(f"{RECORD}\n{{\n")
    assert not found.torn


def test_a_torn_line_is_told_once() -> None:
    """A cut record is one problem, whether or not line feeds can be seen."""
    assert len(_checked(f"{RECORD}\n{ENTRY[:-1]}")) == 1


def test_blank_lines_are_problems_but_for_the_tail() -> None:
    """A blank line between entries is none of them; at the end it does no harm."""
    (found,) = _checked(f"{RECORD}\n\n{ENTRY}\n\n \n")
    assert found.line == 2
