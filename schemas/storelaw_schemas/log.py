"""Checking the JSONL log of a session, line by line."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NoReturn

from .check import problems
from .problem import Problem

RECORD = "transcript/session-record"
ENTRY = "transcript/stored-entry"


@dataclass(frozen=True, slots=True)
class LineProblem:
    """One thing wrong with one line of a log.

    `line` counts from 1; `torn` says that the log ends inside this line.
    """

    line: int
    problem: Problem
    torn: bool = False

    def __str__(self) -> str:
        return f"line {self.line}: {self.problem}"


def check_log(lines: Iterable[str]) -> Iterator[LineProblem]:
    r"""The problems of a session log: a session record, then one stored entry on each line.

    Lines end at `\n` alone, which they may carry or not.
    A last line is torn when it is not JSON and has no line feed, or when it lacks the line feed
    that the line before it has: the next append would run into it.
    Blank lines are problems, except at the end.
    How lines belong together (unique ids, parents that resolve) is for the laws, not for this.
    """
    kept = _without_blank_tail(lines)
    line = next(kept, None)
    if line is None:
        yield LineProblem(1, Problem("$", "is missing: the log is empty", None))
        return
    number, previous = 1, ""
    for following in kept:
        yield from _line_problems(number, line)
        number, previous, line = number + 1, line, following
    yield from _last_line_problems(number, line, previous)


def _without_blank_tail(lines: Iterable[str]) -> Iterator[str]:
    blank: list[str] = []
    for line in lines:
        blank.append(line)
        if line.strip(" \t\r\n"):
            yield from blank
            blank.clear()


def _last_line_problems(number: int, line: str, previous: str) -> Iterator[LineProblem]:
    if line.endswith("\n"):
        yield from _line_problems(number, line)
        return
    found = list(_line_problems(number, line, torn=True))
    if previous.endswith("\n") and not any(problem.torn for problem in found):
        problem = Problem("$", "is torn: the log ends before its line feed", line)
        yield LineProblem(number, problem, torn=True)
    yield from found


def _line_problems(number: int, line: str, *, torn: bool = False) -> Iterator[LineProblem]:
    """The problems of one line; `torn` says what it is if it is not JSON."""
    try:
        value: object = json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        message = f"is {'torn' if torn else 'not JSON'}: {error}"
        yield LineProblem(number, Problem("$", message, line), torn)
        return
    for problem in problems(RECORD if number == 1 else ENTRY, value):
        yield LineProblem(number, problem)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON number")
