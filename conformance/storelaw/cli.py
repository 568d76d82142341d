"""The command line. Exit codes: 0 conforms, 1 a law is broken, 2 nothing was evaluated,
3 the medium or the harness failed, 4 usage.
"""

import gc
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Final

import click

from storelaw import release
from storelaw.commands.badging import badge
from storelaw.commands.beginning import begin
from storelaw.commands.checking import check
from storelaw.commands.comparing import diff
from storelaw.commands.listing import explain, listed, specified
from storelaw.commands.paging import html
from storelaw.commands.recording import record
from storelaw.commands.replaying import replay
from storelaw.commands.schemas import schema
from storelaw.commands.selftesting import selftest
from storelaw.commands.waiving import waive
from storelaw.errors import Misconfigured, StorelawError, in_ascii
from storelaw.verdict import FAULT, USAGE

INTERRUPTED: Final = 130


class Commands(click.Group):
    """Ends with the exit code that a command returns, and with 4 for whatever is misused."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command; no fault of the user's shows a traceback."""
        try:
            with _seldom():
                code: Any = super().main(*args, **{**kwargs, "standalone_mode": False})
        except click.ClickException as error:
            error.show()
            code = USAGE
        except Misconfigured as error:
            code = _complained(str(error), USAGE)
        except StorelawError as error:
            code = _complained(str(error), FAULT)
        except (click.Abort, KeyboardInterrupt):
            code = _complained("interrupted", INTERRUPTED)
        sys.exit(code)


@contextmanager
def _seldom() -> Generator[None]:
    """Look for cycles seldom: nearly all that a command makes stays, or goes by itself."""
    before = gc.get_threshold()
    gc.set_threshold(50_000, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _complained(words: str, code: int) -> int:
    click.echo(in_ascii(words), err=True)
    return code


@click.group("storelaw", cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(release.__version__, prog_name="storelaw")
def main() -> None:
    """The laws that a session store of an LLM agent must obey."""


for each in (
    begin,
    check,
    listed,
    specified,
    explain,
    replay,
    record,
    diff,
    badge,
    html,
    waive,
    selftest,
    schema,
):
    main.add_command(each)
