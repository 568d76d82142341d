"""Histories of concurrent work on an append-only log, and what is wrong in them.

A recorder notes each append and load as an :class:`Act`; :func:`anomalies` holds the
:class:`History` of them against what the store promises, and :func:`lanes` draws the few acts
that contradict each other (:func:`drawing` gives them as data). Nothing here runs a store.
"""

from .acts import Act, History
from .checker import anomalies, every_anomaly
from .diagrams import drawing, lanes
from .overlapping import overlaps
from .terms import Terms
from .witnesses import KINDS, Anomaly, Kind

__all__ = [
    "KINDS",
    "Act",
    "Anomaly",
    "History",
    "Kind",
    "Terms",
    "anomalies",
    "drawing",
    "every_anomaly",
    "lanes",
    "overlaps",
]
