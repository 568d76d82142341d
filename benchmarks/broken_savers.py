"""Twenty broken variants of LangGraph's ``InMemorySaver``, each wrong in one way.

They are our own, made after the published list of what LangGraph's suite catches and misses.
"""

import asyncio
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from langgraph.checkpoint.memory import InMemorySaver

Config: TypeAlias = Any
Change: TypeAlias = Callable[[Any], Any]

#: The integers that a 64-bit float still tells apart.
EXACT: Final = 2**53

#: How many checkpoints of a thread are kept by a saver that forgets.
KEPT: Final = 100


class LosesTheLastWrite(InMemorySaver):
    """Cuts the batch of a task's writes one too early."""

    def put_writes(
        self, config: Config, writes: Sequence[Any], task_id: str, task_path: str = ""
    ) -> None:
        super().put_writes(config, writes[:-1], task_id, task_path)


class Listing(InMemorySaver):
    """Lists in a way of its own: ``chosen`` goes through what the honest list has, newest first."""

    def list(
        self,
        config: Config,
        *,
        filter: Any = None,
        before: Config = None,
        limit: int | None = None,
    ) -> Iterator[Any]:
        yield from self.chosen(config, filter, before, limit)

    def chosen(self, config: Config, filter: Any, before: Config, limit: int | None) -> Any:
        """What is listed."""
        return super().list(config, filter=filter, before=before, limit=limit)


class IgnoresTheLimit(Listing):
    """Gives the whole list, whatever its limit."""

    def chosen(self, config: Config, filter: Any, before: Config, limit: int | None) -> Any:
        return super().chosen(config, filter, before, None)


class ListsOldestFirst(Listing):
    """Lists in the order of writing."""

    def chosen(self, config: Config, filter: Any, before: Config, limit: int | None) -> Any:
        return [*super().chosen(config, filter, before, None)][::-1][:limit]


class IncludesBefore(Listing):
    """Lists the checkpoint too before which it should end."""

    def chosen(self, config: Config, filter: Any, before: Config, limit: int | None) -> Any:
        last = before["configurable"]["checkpoint_id"] if before else None
        found = super().chosen(config, filter, None, None)
        return [e for e in found if last is None or _id(e) <= last][:limit]


class ListsNamespacesByPrefix(Listing):
    """Lists every namespace that begins like the one that is asked for."""

    def chosen(self, config: Config, filter: Any, before: Config, limit: int | None) -> Any:
        wanted = (config or {}).get("configurable", {}).get("checkpoint_ns")
        if not wanted:
            return super().chosen(config, filter, before, limit)
        wide = {"configurable": {**config["configurable"]}}
        del wide["configurable"]["checkpoint_ns"]
        found = super().chosen(wide, filter, before, None)
        return [e for e in found if _namespace(e).startswith(wanted)][:limit]


def _id(found: Any) -> str:
    return str(found.config["configurable"]["checkpoint_id"])


def _namespace(found: Any) -> str:
    return str(found.config["configurable"]["checkpoint_ns"])


class StoresRetriesTwice(InMemorySaver):
    """Numbers a task's writes anew when they come again."""

    def put_writes(
        self, config: Config, writes: Sequence[Any], task_id: str, task_path: str = ""
    ) -> None:
        where = config["configurable"]
        key = (where["thread_id"], where.get("checkpoint_ns", ""), where["checkpoint_id"])
        again = dict(self.writes.get(key, {}))
        super().put_writes(config, writes, task_id, task_path)
        for index, (channel, value) in enumerate(writes):
            if (task_id, index) in again:
                number = len(self.writes[key])
                told = (task_id, channel, self.serde.dumps_typed(value), task_path)
                self.writes[key][(task_id, number)] = told


class SharesTheCheckpoint(InMemorySaver):
    """Keeps the checkpoint that it is given, and gives that one out."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._kept: dict[str, Any] = {}

    def put(self, config: Config, checkpoint: Any, metadata: Any, new_versions: Any) -> Config:
        self._kept[checkpoint["id"]] = checkpoint
        return super().put(config, checkpoint, metadata, new_versions)

    def get_tuple(self, config: Config) -> Any:
        found = super().get_tuple(config)
        return found and found._replace(checkpoint=self._kept[found.checkpoint["id"]])


class Turned(defaultdict[Any, Any]):
    """A dictionary that looks for another thread than it is asked for."""

    def __init__(self, make: Any, change: Change) -> None:
        super().__init__(make)
        self._change = change

    def _found(self, key: Any) -> Any:
        return (self._change(key[0]), *key[1:]) if isinstance(key, tuple) else self._change(key)

    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__(self._found(key))

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(self._found(key), value)

    def __delitem__(self, key: Any) -> None:
        super().__delitem__(self._found(key))

    def __contains__(self, key: Any) -> bool:
        return super().__contains__(self._found(key))

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get(self._found(key), default)


class TurnsThreads(InMemorySaver):
    """Keeps threads under something made of their ids."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.storage = Turned(lambda: defaultdict(dict), self.made)
        self.writes = Turned(dict, self.made)
        self.blobs = Turned(None, self.made)

    def made(self, thread: Any) -> Any:
        """What a thread's id becomes."""
        return thread

    def delete_thread(self, thread_id: str) -> None:
        super().delete_thread(self.made(thread_id))


class FoldsCase(TurnsThreads):
    """Compares ids without case."""

    def made(self, thread: Any) -> Any:
        return str(thread).lower()


class PadsBlanks(TurnsThreads):
    """Ignores trailing blanks."""

    def made(self, thread: Any) -> Any:
        return str(thread).rstrip(" ")


class Changing(InMemorySaver):
    """Keeps something else of a channel's value; ``leaf`` changes what is no container."""

    def put(self, config: Config, checkpoint: Any, metadata: Any, new_versions: Any) -> Config:
        values = {name: self.kept(each) for name, each in checkpoint["channel_values"].items()}
        changed: Any = {**checkpoint, "channel_values": values}
        return super().put(config, changed, metadata, new_versions)

    def kept(self, value: Any) -> Any:
        """What is kept of a value."""
        if isinstance(value, dict):
            return {name: self.kept(each) for name, each in value.items()}
        if isinstance(value, list):
            return [self.kept(each) for each in value]
        return self.leaf(value)

    def leaf(self, value: Any) -> Any:
        """What is kept of a value that is no container."""
        return value


class DropsNulls(InMemorySaver):
    """Leaves out channels without a value."""

    def put(self, config: Config, checkpoint: Any, metadata: Any, new_versions: Any) -> Config:
        values = {k: each for k, each in checkpoint["channel_values"].items() if each is not None}
        changed: Any = {**checkpoint, "channel_values": values}
        return super().put(config, changed, metadata, new_versions)


class IntegersAreFloats(Changing):
    """Has one type of number."""

    def leaf(self, value: Any) -> Any:
        return float(value) if type(value) is int else value


class RoundsBigIntegers(Changing):
    """Reads every number through a float of 64 bits."""

    def leaf(self, value: Any) -> Any:
        return int(float(value)) if type(value) is int and abs(value) > EXACT else value


class BooleansAreIntegers(Changing):
    """Has no booleans."""

    def leaf(self, value: Any) -> Any:
        return int(value) if isinstance(value, bool) else value


class CutsAtNul(Changing):
    """Hands texts to a library that ends them at NUL."""

    def leaf(self, value: Any) -> Any:
        return value.split("\0")[0] if isinstance(value, str) else value


class DropsNestedMetadata(InMemorySaver):
    """Keeps metadata in columns, and has none for objects."""

    def put(self, config: Config, checkpoint: Any, metadata: Any, new_versions: Any) -> Config:
        flat: Any = {name: each for name, each in metadata.items() if not isinstance(each, dict)}
        return super().put(config, checkpoint, flat, new_versions)


class LosesConcurrentWrites(InMemorySaver):
    """Reads a checkpoint's writes, adds to them and writes them back; others may come between."""

    async def aput_writes(
        self, config: Config, writes: Sequence[Any], task_id: str, task_path: str = ""
    ) -> None:
        where = config["configurable"]
        key = (where["thread_id"], where.get("checkpoint_ns", ""), where["checkpoint_id"])
        read = dict(self.writes.get(key, {}))
        await asyncio.sleep(0)
        self.writes[key] = read
        super().put_writes(config, writes, task_id, task_path)


class KeepsTheNewestHundred(InMemorySaver):
    """Forgets all but the newest hundred checkpoints of a thread."""

    def put(self, config: Config, checkpoint: Any, metadata: Any, new_versions: Any) -> Config:
        made = super().put(config, checkpoint, metadata, new_versions)
        where = made["configurable"]
        kept = self.storage[where["thread_id"]][where["checkpoint_ns"]]
        for each in sorted(kept)[:-KEPT]:
            del kept[each]
        return made


class DeletesByPrefix(InMemorySaver):
    """Deletes every thread whose id begins with the one that is given."""

    def delete_thread(self, thread_id: str) -> None:
        for each in [each for each in self.storage if each.startswith(thread_id)]:
            super().delete_thread(each)


class SelectsByLike(InMemorySaver):
    """Reads ``%`` and ``_`` in the id of a thread as wildcards."""

    def get_tuple(self, config: Config) -> Any:
        found = [super(SelectsByLike, self).get_tuple(each) for each in self._alike(config)]
        return max((each for each in found if each), key=_id, default=None)

    def list(self, config: Config, **options: Any) -> Iterator[Any]:
        for each in self._alike(config) if config else [config]:
            yield from super().list(each, **options)

    def _alike(self, config: Config) -> Sequence[Config]:
        where = config["configurable"]
        parts = (_LIKE.get(each, re.escape(each)) for each in where["thread_id"])
        pattern = re.compile("".join(parts), re.DOTALL)
        found = [each for each in self.storage if pattern.fullmatch(each)]
        return [{"configurable": {**where, "thread_id": each}} for each in found] or [config]


_LIKE: Final = {"%": ".*", "_": "."}


class WritesSurviveDelete(InMemorySaver):
    """Deletes the checkpoints of a thread, and leaves its pending writes behind."""

    def delete_thread(self, thread_id: str) -> None:
        left = {key: each for key, each in self.writes.items() if key[0] == thread_id}
        super().delete_thread(thread_id)
        self.writes.update(left)


#: The savers by the words of the published list; those that LangGraph's suite caught come first.
SAVERS: Final[dict[str, type[InMemorySaver]]] = {
    "last pending write lost": LosesTheLastWrite,
    "limit ignored": IgnoresTheLimit,
    "list oldest first": ListsOldestFirst,
    "retried write duplicated": StoresRetriesTwice,
    "`before` inclusive": IncludesBefore,
    "shared mutable checkpoint": SharesTheCheckpoint,
    "thread id without case": FoldsCase,
    "trailing blank in thread id": PadsBlanks,
    "null channel values dropped": DropsNulls,
    "ints to floats": IntegersAreFloats,
    "nested metadata dropped": DropsNestedMetadata,
    "concurrent put_writes lost": LosesConcurrentWrites,
    "only newest 100 checkpoints kept": KeepsTheNewestHundred,
    "bare-prefix thread delete": DeletesByPrefix,
    "LIKE wildcards in thread id": SelectsByLike,
    "big ints rounded": RoundsBigIntegers,
    "NUL truncation": CutsAtNul,
    "namespace listed by prefix": ListsNamespacesByPrefix,
    "booleans to ints": BooleansAreIntegers,
    "writes survive thread delete": WritesSurviveDelete,
}
