"""How storelaw drives the store."""

from typing import ClassVar

import storelaw
from acme.store import Store


class AcmeMedium(storelaw.Medium):
    """A folder for one store."""

    manifest: ClassVar = storelaw.Manifest(name="acme", durable=True)

    def open(self) -> Store:
        """A handle on the folder."""
        return Store(self.workdir / "sessions")
