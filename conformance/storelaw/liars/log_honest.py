"""The honest medium of the log profile: what liars at the agent, refs and store doors vary."""

from typing import Any, ClassVar

from storelaw.liars.honest import MANIFEST, HonestMedium, claiming


class LogHonest(HonestMedium):
    """The honest store under the log profile.

    ``variants`` names, for a door, the class that the default engine opens in place of the
    reference's own.
    """

    manifest = claiming(MANIFEST, name="log-honest", profile="log")
    variants: ClassVar[dict[str, Any]] = {}
