"""The honest medium whose projections of turns the timeline's liars vary."""

from dataclasses import replace

from storelaw.engine_timeline import ReferenceTimeline
from storelaw.liars.turns_honest import MANIFEST, TurnsHonest


class TurnsTimeline(ReferenceTimeline, TurnsHonest):
    """An honest backend beside right projections."""

    manifest = replace(
        MANIFEST, name="turns-timeline", doors=frozenset({*MANIFEST.doors, "timeline"})
    )
