"""A session store on Redis lists by redis-py, and its media.

An operation is one script on the server, so a batch is there as a whole or not at all.
What was acknowledged outlives a client that crashes; whether it outlives the server is for
the server's own configuration to say. Each medium has a key prefix of its own, and ``destroy``
deletes the keys under it. The server is the one of ``STORELAW_REDIS``, or of the class's
``url``.
The client's own retries are switched off, which not every way of making one does: it would
send an append again whose reply was lost, and entries without ids would be there twice.
"""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import Any, ClassVar, Final, TypeAlias

from storelaw.errors import MediumFault
from storelaw.manifest import Manifest
from storelaw.media.extras import imported
from storelaw.media.powers import DATABASE, DatabaseMedium, nothing
from storelaw.media.redis_scripts import Call, RedisScripts
from storelaw.media.scripted import Script, ScriptedStore, address
from storelaw.proxy import Way, routed

#: What is told each point of a write.
Reached: TypeAlias = Callable[[str, int], None]

VARIABLE: Final = "STORELAW_REDIS"
EXAMPLE: Final = "redis://127.0.0.1:6379/0"
START: Final = "redis-server --port 6379 --bind 127.0.0.1 --save ''"

#: How many keys are looked at in one step when a prefix is deleted.
STEP: Final = 1000


def client_of(module: str, url: str) -> Any:
    """A client of ``redis`` or ``redis.asyncio`` that sends each command once."""
    never = imported(f"{module}.retry", "redis").Retry(
        imported("redis.backoff", "redis").NoBackoff(), 0
    )
    return imported(module, "redis").Redis.from_url(url, decode_responses=True, retry=never)


class RedisStore(ScriptedStore):
    """A handle for plain callers, which may be threads."""

    def __init__(self, scripts: RedisScripts, client: Any, reached: Reached) -> None:
        super().__init__(scripts)
        self._client, self._reached = client, reached

    def _played(self, script: Script[Any], *, writes: bool) -> Any:
        reached, answer = self._reached if writes else nothing, None
        try:
            while True:
                call: Call = script.send(answer)
                reached("before-commit", 0)
                answer = self._client.register_script(call.lua)(call.keys, call.args)
        except StopIteration as end:
            reached("after-commit", 0)
            return end.value

    def close(self) -> None:
        """No work after this."""
        self._closed = True
        self._client.close()


class AsyncRedisStore(ScriptedStore):
    """A handle for tasks."""

    def __init__(self, scripts: RedisScripts, client: Any, reached: Reached) -> None:
        super().__init__(scripts)
        self._client, self._reached = client, reached

    async def _played(self, script: Script[Any], *, writes: bool) -> Any:
        reached, answer = self._reached if writes else nothing, None
        try:
            while True:
                call: Call = script.send(answer)
                reached("before-commit", 0)
                answer = await self._client.register_script(call.lua)(call.keys, call.args)
        except StopIteration as end:
            reached("after-commit", 0)
            return end.value

    async def close(self) -> None:
        """No work after this."""
        self._closed = True
        await self._client.aclose()


class RedisMedium(DatabaseMedium):
    """The keys that begin with the medium's name; a handle has a client of its own.

    A subclass may set ``url``.
    """

    manifest: ClassVar[Manifest] = replace(DATABASE, name="redis", cost=150.0)
    url: ClassVar[str | None] = None
    _opened = False
    _through: Way | None = None

    def open(self) -> Any:
        """A further client."""
        self._reach()
        client = client_of("redis", self._way())
        return RedisStore(self._scripts(), client, self.reached)

    def route(self, through: Way) -> None:
        """Let further handles connect to another host and port than the server's."""
        self._through = through

    def _address(self) -> str:
        return address(self.url, VARIABLE, EXAMPLE, START)

    def _way(self) -> str:
        """The URL that a further handle connects to."""
        return routed(self._address(), self._through) if self._through else self._address()

    def _scripts(self) -> RedisScripts:
        return RedisScripts(
            self.name,
            merges=self.manifest.options["reappend"] == "idempotent-or-conflict",
            now=self.time,
            reached=self.reached,
        )

    def _reach(self) -> None:
        """Make sure, once for each medium, that a server answers."""
        if self._opened:
            return
        with closing(client_of("redis", self._address())) as client:
            try:
                client.ping()
            except imported("redis", "redis").RedisError as error:
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


class IdempotentRedisMedium(RedisMedium):
    """The same store, where a known id is a retry, or a conflict if the payload differs."""

    manifest = replace(
        RedisMedium.manifest,
        name="redis:idempotent",
        options={**RedisMedium.manifest.options, "reappend": "idempotent-or-conflict"},
    )


class AsyncRedisMedium(RedisMedium):
    """The store for async callers."""

    manifest = replace(RedisMedium.manifest, name="redis:async")

    async def open(self) -> AsyncRedisStore:
        """A further client."""
        self._reach()
        client = client_of("redis.asyncio", self._way())
        return AsyncRedisStore(self._scripts(), client, self.reached)
