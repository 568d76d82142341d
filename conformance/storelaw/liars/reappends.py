"""Honest media under each value of the option ``reappend``."""

from storelaw.errors import Rejected
from storelaw.liars.honest import MANIFEST, HonestMedium, HonestStore, Log, claiming
from storelaw.manifest import Manifest
from storelaw.values import Entry, copied


def claims(reappend: str | None) -> Manifest:
    """An honest store's manifest with another value of ``reappend``, or with none."""
    name = f"honest-{reappend or 'undeclared'}"
    return claiming(MANIFEST, name=name, options={"reappend": reappend})


class FirstStore(HonestStore):
    """Keeps what came first."""

    def repeated(self, log: Log, twin: Entry, entry: Entry) -> None:
        """A repeat is ignored."""


class LastStore(HonestStore):
    """Puts what came last in the place of the first."""

    def repeated(self, log: Log, twin: Entry, entry: Entry) -> None:
        twin.clear()
        twin.update(copied(entry))


class RejectStore(HonestStore):
    """Refuses what it knows."""

    def repeated(self, log: Log, twin: Entry, entry: Entry) -> None:
        raise Rejected(f"{entry['id']!r} is known")


class DuplicateStore(HonestStore):
    """Stores everything."""

    def twin(self, entries: list[Entry], entry: Entry) -> Entry | None:
        return None


class FirstWins(HonestMedium):
    """Keeps the first payload of an id."""

    manifest = claims("first-wins")
    store = FirstStore


class LastWins(HonestMedium):
    """Keeps the last payload of an id, in the place of the first."""

    manifest = claims("last-wins")
    store = LastStore


class Rejects(HonestMedium):
    """Refuses a known id."""

    manifest = claims("reject")
    store = RejectStore


class Duplicates(HonestMedium):
    """Stores whatever it is given."""

    manifest = claims("duplicate")
    store = DuplicateStore


class Undeclared(HonestMedium):
    """Says nothing of retries, and merges them."""

    manifest = claims(None)


class UndeclaredDuplicates(HonestMedium):
    """Says nothing of retries, and stores them."""

    manifest = claims(None)
    store = DuplicateStore


class UndeclaredUnique(HonestMedium):
    """Says nothing of retries, and raises what its engine raises on a unique key."""

    manifest = claims(None)

    class store(HonestStore):
        """Raises an error of its own."""

        def repeated(self, log: Log, twin: Entry, entry: Entry) -> None:
            raise RuntimeError("UNIQUE constraint failed")
