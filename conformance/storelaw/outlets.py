"""The files that a check may write: views of its report, each under the name of its option."""

from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias

from storelaw import badge, events, report, sinks
from storelaw.errors import Misconfigured

#: A file for each view, or nothing.
Files: TypeAlias = Mapping[str, str | None]


def _paged(made: Mapping[str, Any], file: Path) -> None:
    """Write a page; what makes it is loaded only where one is asked for."""
    from storelaw import pages

    pages.written(made, file)


#: The views that are made of a report when it is there.
WRITERS: Final[Mapping[str, Callable[[Mapping[str, Any], Path], None]]] = {
    "json": report.write,
    "html": _paged,
    "badge": badge.write,
}

#: All views; events are written as they come, and JUnit's XML is pytest's.
NAMES: Final = ("json", "events", "junit", "html", "badge")


def check(files: Files) -> None:
    """Raise for what can't be written as it is asked for, before a law is judged.

    Raises :class:`~storelaw.errors.Misconfigured`.
    """
    if files["badge"]:
        badge.check(files["badge"])
    streamed = [f"--{name}" for name, file in files.items() if file == sinks.STDOUT]
    if len(streamed) > 1 or "--junit" in streamed:
        raise Misconfigured(
            f"configuration: {' and '.join(streamed)} can't go to standard output (-); "
            "one of --json and --events can"
        )


def printing(files: Files) -> bool:
    """Whether a view takes the standard output, so that the summary has to go elsewhere."""
    return sinks.STDOUT in files.values()


@contextmanager
def listening(files: Files) -> Generator[list[events.Listener]]:
    """The listeners that write events while a check runs."""
    with ExitStack() as stack:
        streams = [stack.enter_context(sinks.opened(each)) for each in [files["events"]] if each]
        yield [events.lines_to(each) for each in streams]


def write(made: Mapping[str, Any], files: Files) -> None:
    """Write the views of a report that are asked for."""
    for name, writer in WRITERS.items():
        file = files[name]
        if file:
            writer(made, Path(file))
