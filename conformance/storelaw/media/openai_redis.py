"""The OpenAI Agents SDK's ``RedisSession`` as a medium.

Items go in as they are, as in :mod:`storelaw.media.openai`. The SDK's guide offers it as the
memory that several workers and services share, so it promises writers of every kind; it
promises neither whole batches nor one order that all see. Each medium has a key prefix of
its own, and ``destroy`` deletes the keys under it. The server is the one of
``STORELAW_REDIS``, or of the class's ``url``.
"""

from contextlib import closing
from dataclasses import replace
from typing import ClassVar

from storelaw.errors import MediumFault
from storelaw.media.extras import imported
from storelaw.media.openai import EXTRA, OpenAIMedium, Sessions
from storelaw.media.redis_lists import EXAMPLE, START, STEP, VARIABLE, client_of
from storelaw.media.scripted import address
from storelaw.medium import Medium
from storelaw.proxy import Way, routed


class OpenAIRedisMedium(Medium):
    """The keys that begin with the medium's name; each session has a client of its own."""

    manifest = replace(
        OpenAIMedium.manifest,
        name="openai:redis",
        writers=frozenset({"tasks", "threads", "processes"}),
        cost=40.0,
    )
    url: ClassVar[str | None] = None
    _opened = False
    _through: Way | None = None

    def open(self) -> Sessions:
        """A further client for each session."""
        make = imported("agents.extensions.memory.redis_session", EXTRA).RedisSession
        self._reach()
        url = routed(self._address(), self._through) if self._through else self._address()
        return Sessions(lambda session_id: make.from_url(session_id, url=url, key_prefix=self.name))

    def route(self, through: Way) -> None:
        """Let further handles connect to another host and port than the server's."""
        self._through = through

    def _address(self) -> str:
        return address(self.url, VARIABLE, EXAMPLE, START)

    def _reach(self) -> None:
        """Make sure, once for each medium, that a server answers."""
        if self._opened:
            return
        with closing(client_of("redis", self._address())) as client:
            try:
                client.ping()
            except imported("redis", EXTRA).RedisError as error:
                raise MediumFault(
                    f"medium: no Redis server answers: {error}; "
                    f"correct {VARIABLE}, or start a server with: {START}"
                ) from error
        self._opened = True

    def destroy(self) -> None:
        """Delete the keys under the prefix, and no others."""
        if self._opened:
            with closing(client_of("redis", self._address())) as client:
                for each in client.scan_iter(f"{self.name}:*", count=STEP):
                    client.unlink(each)
