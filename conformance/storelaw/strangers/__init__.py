"""Honest strangers: stores that look odd and are right. No law may break on them."""

from storelaw.liars.crash_honest import FileHonest
from storelaw.liars.upgrade_honest import FiledRows, Later
from storelaw.liars.wire_honest import WireDuplicates, WireHonest
from storelaw.medium import Medium
from storelaw.strangers.answers import AnswersNone, CutsTimes, DropsEmpties, ReordersKeys, Slow
from storelaw.strangers.crashes import LengthPrefixed, LineForEachEntry, WritesLater
from storelaw.strangers.crowds import (
    GroupsByClient,
    Interleaves,
    Lags,
    ServesProcesses,
    ServesTasks,
    ServesThreads,
)
from storelaw.strangers.limits import (
    KeepsNewest,
    KeepsPairs,
    LimitsEntries,
    LimitsIds,
    Refuses,
)
from storelaw.strangers.logs import log_strangers
from storelaw.strangers.minted import MintsIds, RandomIds
from storelaw.strangers.names import RenamedFields, TupleKeys
from storelaw.strangers.repeats import Duplicates, FirstWins, LastWins, Rejects
from storelaw.strangers.sessions import OwnSession
from storelaw.strangers.shapes import AppendsOne, Async, Bare, OneHandle, PerSessionObjects
from storelaw.strangers.turns import ReshapesEntries

__all__ = ["strangers"]


def strangers() -> tuple[type[Medium], ...]:
    """All of them, the plain ones first."""
    return (
        Bare,
        ReordersKeys,
        CutsTimes,
        DropsEmpties,
        AnswersNone,
        Slow,
        Async,
        AppendsOne,
        PerSessionObjects,
        OneHandle,
        TupleKeys,
        RenamedFields,
        MintsIds,
        RandomIds,
        Duplicates,
        FirstWins,
        LastWins,
        Rejects,
        Refuses,
        LimitsIds,
        LimitsEntries,
        KeepsNewest,
        KeepsPairs,
        OwnSession,
        ServesTasks,
        ServesThreads,
        ServesProcesses,
        Interleaves,
        Lags,
        GroupsByClient,
        FileHonest,
        LengthPrefixed,
        LineForEachEntry,
        WritesLater,
        Later,
        WireHonest,
        WireDuplicates,
        *log_strangers(),
        ReshapesEntries,
        FiledRows,
    )
