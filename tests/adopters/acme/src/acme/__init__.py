"""A small store of agent sessions: a folder with a file of JSON lines for each."""

from acme.store import Store

__all__ = ["Store"]
