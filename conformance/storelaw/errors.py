"""The errors of the kit, and the five identities an operation may raise.

::

    StorelawError
      Misconfigured        the user's: a manifest, an option, a target, a file
      MediumFault          the medium's: start, open, close, destroy, a hang
      HarnessFault         ours: law code raised something that isn't a failure
    StoreError
      SessionNotFound      the session was never created, or was deleted
      SessionExists        create of a taken id
      EntryConflict        a known entry id with another payload
      Rejected             outside a declared limit, or a bad target
      Stale                a handle or condition is out of date: refresh and retry
"""

from typing import Final


def in_ascii(words: str) -> str:
    """Words as ASCII, which crosses process borders; what isn't is escaped."""
    return words.encode("ascii", "backslashreplace").decode()


def told(error: BaseException) -> str:
    """The type and the words of what was raised, as ASCII."""
    return in_ascii(f"{type(error).__name__}: {error}")


class StorelawError(Exception):
    """What this kit itself raises; the message's first word says whose fault it is."""


class Misconfigured(StorelawError):
    """A manifest, an option or a target that can't mean anything."""


class MediumFault(StorelawError):
    """The medium can't be driven: it raised, hung, or gave something that is no store."""


class HarnessFault(StorelawError):
    """The kit's own code failed; please report it."""


class StoreError(Exception):
    """What a store raises on purpose. Stores may raise these, or map their own in the manifest."""


class SessionNotFound(StoreError):
    """The session was never created, or was deleted."""


class SessionExists(StoreError):
    """The id of a new session is taken."""


class EntryConflict(StoreError):
    """The entry's id is known with another payload."""


class Rejected(StoreError):
    """Outside a declared limit, or a target that can't be one."""


class Stale(StoreError):
    """The handle or condition is out of date; after ``refresh(session_id)`` a retry may pass."""


IDENTITIES: Final[dict[str, type[StoreError]]] = {
    each.__name__: each for each in (SessionNotFound, SessionExists, EntryConflict, Rejected, Stale)
}
