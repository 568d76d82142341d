"""Processes of the kit's own that see what this one sees: its folders and its environment."""

import os
import subprocess
import sys
from typing import Any

from storelaw.worker import Overdue


def spawned(module: str, **how: Any) -> subprocess.Popen[Any]:
    """A process that runs a module of the kit, with pipes to it and from it.

    ``how`` are further arguments of ``subprocess.Popen``.
    """
    path = os.pathsep.join(filter(None, sys.path))
    return subprocess.Popen(
        [sys.executable, "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path},
        **how,
    )


def silent(limit: float) -> Overdue:
    """What to raise where such a process said nothing for so many seconds."""
    return Overdue(
        f"medium: another process was silent for {limit:g} s; "
        "if that is right for this store, raise operation_timeout in its manifest"
    )
