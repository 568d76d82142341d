"""Run a command with servers of its own: ``python -m tests.servers COMMAND ...``."""

import os
import subprocess
import sys
from contextlib import ExitStack

from .started import KINDS, NoServer


def main() -> int:
    """The exit code of the command, in whose environment the servers' URLs stand."""
    with ExitStack() as servers:
        urls = {
            each.variable: servers.enter_context(each.start())
            for each in KINDS.values()
            if each.variable not in os.environ
        }
        return subprocess.run(sys.argv[1:], env={**os.environ, **urls}, check=False).returncode


if __name__ == "__main__":
    try:
        code = main()
    except NoServer as reason:
        sys.exit(str(reason))
    sys.exit(code)
