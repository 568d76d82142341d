"""Strangers at which many are at work at once, each right in what it promises."""

from storelaw.liars.crowd_files import FiledMedium
from storelaw.liars.crowd_honest import THREADED, ContestedMedium, LaggingMedium, LooseMedium
from storelaw.liars.crowd_tasks import TaskedMedium
from storelaw.liars.crowds import (
    LocksForEachEntry,
    ShowsClientsInTurn,
    ShowsItsOwnWritesWhenBusy,
)
from storelaw.liars.honest import claiming


class ServesTasks(TaskedMedium):
    """Suspends in the middle of each operation."""


class ServesThreads(ContestedMedium):
    """Has one lock for everything."""


class ServesProcesses(FiledMedium):
    """Keeps everything in one file, which it reads and writes in each operation."""


class Interleaves(LocksForEachEntry):
    """Lets others come between the entries of a batch, and promises no more."""

    manifest = claiming(THREADED, name="interleaves", batch="prefix")


class Lags(ShowsItsOwnWritesWhenBusy):
    """Shows others' entries late, in the one order that it promises."""

    manifest = LaggingMedium.manifest


class GroupsByClient(ShowsClientsInTurn):
    """Shows clients one after another, and promises no order but each one's own."""

    manifest = LooseMedium.manifest
