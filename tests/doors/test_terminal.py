"""The progress line, which only a terminal sees."""

import io
import sys
from collections.abc import Callable, Iterator

import pytest

from storelaw.events import Stream
from storelaw.terminal import Progress

from .made import head, law


class Screen(io.StringIO):
    """A terminal that keeps what it was shown."""

    def isatty(self) -> bool:
        """It is one."""
        return True

    @property
    def lines(self) -> list[str]:
        """What was shown, one thing in place of the other."""
        return self.getvalue().split("\r\x1b[K")[1:]


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Screen]:
    """Puts a terminal in the place of standard error, which pytest replaces before each test."""

    def watching() -> Screen:
        screen = Screen()
        monkeypatch.setattr(sys, "stderr", screen)
        return screen

    return watching


def run(progress: Progress, *laws: dict[str, object]) -> None:
    """Tell the events of a check of three laws, of which these are judged."""
    stream = Stream(progress.told)
    stream.began(head(), {"order": 2, "window": 1})
    for each in laws:
        stream.judged({**head(), "law": each})
    stream.ended()
    progress.cleared()


def clock(*seconds: float) -> Callable[[], float]:
    """A clock that shows these times, one after the other."""
    times: Iterator[float] = iter(seconds)
    return lambda: next(times)


def test_progress_is_told_by_family(watched: Callable[[], Screen]) -> None:
    """The family, how far it and the whole check are, what broke, and the time; then nothing."""
    screen = watched()
    laws = [law("a"), law("b", "broken"), law("c", family="window")]
    run(Progress(clock(100, 101, 102, 102.4)), *laws)
    assert screen.lines == [
        "order 1/2, all 1/3 laws, 0:01",
        "order 2/2, all 2/3 laws, 1 broken, 0:02",
        "window 1/1, all 3/3 laws, 1 broken, 0:02",
        "",
    ]


def test_long_checks_tell_the_time_that_is_left(watched: Callable[[], Screen]) -> None:
    """Once some seconds have passed, what is left is what the laws took so far, for the others."""
    screen = watched()
    run(Progress(clock(0, 65, 70)), law("a"), law("b"))
    assert screen.lines[:2] == [
        "order 1/2, all 1/3 laws, 1:05, about 2:10 left",
        "order 2/2, all 2/3 laws, 1:10, about 0:35 left",
    ]


def test_the_line_is_never_wider_than_a_terminal(watched: Callable[[], Screen]) -> None:
    """A family with a long name is cut."""
    screen = watched()
    progress = Progress(clock(0, 1))
    stream = Stream(progress.told)
    stream.began(head(), {"x" * 90: 1})
    stream.judged({**head(), "law": law("a", family="x" * 90)})
    assert screen.lines == ["x" * 76]


def test_nothing_is_shown_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """A log of a build gets no line."""
    run(Progress(), law("a"))
    assert capsys.readouterr().err == ""
