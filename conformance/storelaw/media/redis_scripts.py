"""The keys of a session store on Redis, and its operations as Lua scripts.

Each operation is one script, which the server runs as a whole: no other client sees a part
of it. A session is a list; an item is the entry's id and the entry, both ASCII JSON, with a
line feed between them, which no such text holds, so that a script finds an entry by its id
without reading JSON. Which sessions there are stands in one hash, ids and payloads of a
store that merges in one hash for each session.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from storelaw.errors import EntryConflict, Rejected, SessionExists, SessionNotFound
from storelaw.media.powers import nothing
from storelaw.media.scripted import Script
from storelaw.media.texts import entry_text, id_text, now_utc, text_of
from storelaw.values import Entry

#: Whether the session ARGV[1] is there; KEYS are the hash of sessions, its list, its ids.
_KNOWN: Final = """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return {'unknown'} end
"""

#: The batch is ARGV from 3 on, as id, payload, entry; ARGV[2] says whether known ids merge.
#: First all of it is looked at, then all of it is written.
_BATCH: Final = """
local merges = ARGV[2] == '1'
local function fresh(known)
    local places, seen = {}, {}
    for k = 3, #ARGV, 3 do
        local held = merges and ARGV[k] ~= '' and (seen[ARGV[k]] or known(ARGV[k]))
        if held and held ~= ARGV[k + 1] then return nil, ARGV[k + 2] end
        if not held then places[#places + 1] = k end
        seen[ARGV[k]] = ARGV[k + 1]
    end
    return places
end
local function push(places)
    for _, k in ipairs(places) do
        redis.call('RPUSH', KEYS[2], ARGV[k] .. '\\n' .. ARGV[k + 2])
        if merges and ARGV[k] ~= '' then redis.call('HSET', KEYS[3], ARGV[k], ARGV[k + 1]) end
    end
    return {'done'}
end
"""

_APPEND: Final = f"""{_KNOWN}{_BATCH}
local places, other = fresh(function(id) return redis.call('HGET', KEYS[3], id) end)
if not places then return {{'conflict', other}} end
return push(places)
"""

_REPLACE: Final = f"""{_KNOWN}{_BATCH}
local places, other = fresh(function(id) return false end)
if not places then return {{'conflict', other}} end
redis.call('DEL', KEYS[2], KEYS[3])
return push(places)
"""

_CREATE: Final = """
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) == 0 then return {'exists'} end
return {'done'}
"""

_RECORD: Final = f"{_KNOWN} return {{'done', redis.call('HGET', KEYS[1], ARGV[1])}}"

_LIST: Final = "return {'done', redis.call('HKEYS', KEYS[1])}"

_DELETE: Final = """
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('DEL', KEYS[2], KEYS[3])
return {'done'}
"""

_CLEAR: Final = "redis.call('DEL', KEYS[2], KEYS[3]) return {'done'}"

_DELETE_ENTRY: Final = """
local head = ARGV[2] .. '\\n'
for _, item in ipairs(redis.call('LRANGE', KEYS[2], 0, -1)) do
    if string.sub(item, 1, #head) == head then redis.call('LREM', KEYS[2], 0, item) end
end
redis.call('HDEL', KEYS[3], ARGV[2])
return {'done'}
"""

_POP: Final = """
local item = redis.call('RPOP', KEYS[2])
if not item then return {'done'} end
redis.call('HDEL', KEYS[3], string.match(item, '^(.-)\\n'))
return {'done', item}
"""

#: KEYS 4 and 5 are the list and the ids of the new session ARGV[2], whose record is ARGV[3];
#: ARGV[4] is the id of the last entry, or empty.
_FORK: Final = f"""{_KNOWN}
local log = redis.call('LRANGE', KEYS[2], 0, -1)
local last = ARGV[4] == '' and #log
local head = ARGV[4] .. '\\n'
for k, item in ipairs(log) do
    if not last and string.sub(item, 1, #head) == head then last = k end
end
if not last then return {{'rejected', 'the session has no entry ' .. ARGV[4]}} end
if redis.call('HSETNX', KEYS[1], ARGV[2], ARGV[3]) == 0 then return {{'exists'}} end
for k = 1, last do
    local id = string.match(log[k], '^(.-)\\n')
    local payload = redis.call('HGET', KEYS[3], id)
    redis.call('RPUSH', KEYS[4], log[k])
    if payload then redis.call('HSET', KEYS[5], id, payload) end
end
return {{'done'}}
"""

_READ: Final = f"{_KNOWN} return {{'done', redis.call('LRANGE', KEYS[2], ARGV[2], ARGV[3])}}"

#: What a script answers where it has not done its work.
_ERRORS: Final = {
    "unknown": SessionNotFound,
    "exists": SessionExists,
    "conflict": EntryConflict,
    "rejected": Rejected,
}


@dataclass(frozen=True, slots=True)
class Call:
    """What the server is asked: a script with its keys and arguments."""

    lua: str
    keys: tuple[str, ...]
    args: tuple[str | int, ...] = ()


class RedisScripts:
    """The operations of a store under a prefix.

    ``merges`` says that a known entry id is a retry or a conflict; ``now`` dates sessions;
    ``reached`` is called at each ``item`` of a batch.
    """

    def __init__(
        self,
        prefix: str,
        *,
        merges: bool = False,
        now: Callable[[], datetime] = now_utc,
        reached: Callable[[str, int], None] = nothing,
    ) -> None:
        self._prefix, self._merges = prefix, merges
        self._now, self._reached = now, reached

    def _keys(self, session: str) -> tuple[str, str, str]:
        named = f"{self._prefix}:log:{session}", f"{self._prefix}:ids:{session}"
        return f"{self._prefix}:sessions", *named

    def _asked(self, lua: str, session_id: str, *args: str | int) -> Script[Any]:
        """The answer to a script about one session; its error, where it gave one."""
        session = text_of(session_id)
        answer = yield Call(lua, self._keys(session), (session, *args))
        return settled(answer)

    # ------------------------------------------------------------- sessions

    def create(self, session_id: str, parent: str | None) -> Script[None]:
        """Make an empty session, dated by the clock."""
        yield from self._asked(_CREATE, session_id, self._record(parent))

    def _record(self, parent: str | None) -> str:
        lineage = {} if parent is None else {"parent_id": parent}
        return text_of({**lineage, "created_at": self._now().isoformat()})

    def record(self, session_id: str) -> Script[dict[str, Any]]:
        """What the hash of sessions says of one."""
        text = yield from self._asked(_RECORD, session_id)
        return {"id": session_id, **json.loads(text)}

    def list_sessions(self) -> Script[list[str]]:
        """The ids of all sessions."""
        answer = yield Call(_LIST, self._keys("")[:1])
        return [json.loads(each) for each in settled(answer)]

    def delete(self, session_id: str) -> Script[None]:
        """Forget a session and its entries."""
        yield from self._asked(_DELETE, session_id)

    def fork(self, session_id: str, new_id: str, at: str | None) -> Script[str]:
        """Copy a log up to an entry."""
        session, new = text_of(session_id), text_of(new_id)
        end = "" if at is None else text_of(at)
        answer = yield Call(
            _FORK,
            (*self._keys(session), *self._keys(new)[1:]),
            (session, new, self._record(session_id), end),
        )
        settled(answer)
        return new_id

    # --------------------------------------------------------------- writes

    def append(self, session_id: str, entries: list[Entry]) -> Script[None]:
        """Add entries at the end."""
        yield from self._asked(_APPEND, session_id, *self._batch(entries))

    def replace(self, session_id: str, entries: list[Entry]) -> Script[None]:
        """Put other entries in place of the log."""
        yield from self._asked(_REPLACE, session_id, *self._batch(entries))

    def _batch(self, entries: list[Entry]) -> list[str]:
        told = ["1" if self._merges else "0"]
        for k, each in enumerate(entries):
            text = entry_text(each)
            self._reached("item", k)
            told += [id_text(each) or "", self._payload(each), text]
        return told

    def _payload(self, entry: Entry) -> str:
        """A text that equal entries share."""
        return json.dumps(entry, sort_keys=True) if self._merges else ""

    def clear(self, session_id: str) -> Script[None]:
        """Empty a session."""
        yield from self._asked(_CLEAR, session_id)

    def delete_entry(self, session_id: str, which: str) -> Script[None]:
        """Take the entries with an id out."""
        yield from self._asked(_DELETE_ENTRY, session_id, text_of(which))

    def pop(self, session_id: str) -> Script[Entry | None]:
        """Take the newest entry off."""
        item = yield from self._asked(_POP, session_id)
        return None if item is None else _parted(item)[1]

    # ---------------------------------------------------------------- reads

    def load(
        self,
        session_id: str,
        last: int | None,
        first: int | None,
        after: str | None,
        before: str | None,
    ) -> Script[list[Entry]]:
        """Read the log or a slice of it; the server cuts where a count is all that is asked."""
        bounded = after is not None or before is not None
        start, stop = (0, -1) if bounded else _range(last, first)
        items = yield from self._asked(_READ, session_id, start, stop)
        parted = [_parted(each) for each in items]
        ids = [id for id, _ in parted]
        low, high = _place(ids, after, -1) + 1, _place(ids, before, len(ids))
        entries = [entry for _, entry in parted[low : max(low, high)]]
        entries = entries if first is None else entries[: max(first, 0)]
        return entries if last is None else entries[max(len(entries) - max(last, 0), 0) :]

    def headers(self, session_id: str) -> Script[list[Entry]]:
        """The ids beside the entries."""
        items = yield from self._asked(_READ, session_id, 0, -1)
        return [{} if id is None else {"id": id} for id, _ in map(_parted, items)]


def settled(answer: list[Any]) -> Any:
    """What a script gave, or the error that it told."""
    said, *given = answer
    if said in _ERRORS:
        raise _ERRORS[said](*given)
    return given[0] if given else None


def _parted(item: str) -> tuple[Any, Entry]:
    """The id of an item, ``None`` where it has none, and the entry."""
    id, _, entry = item.partition("\n")
    return (json.loads(id) if id else None), json.loads(entry)


#: The largest index that a range takes.
_MOST: Final = 2**62

#: A range without items.
_NOTHING: Final = (1, 0)


def _range(last: int | None, first: int | None) -> tuple[int, int]:
    """The indexes of the first so many items, or of the last where no first ones are asked."""
    if first is not None:
        return (0, min(first, _MOST) - 1) if first > 0 else _NOTHING
    if last is not None:
        return (-min(last, _MOST), -1) if last > 0 else _NOTHING
    return 0, -1


def _place(ids: list[Any], bound: str | None, otherwise: int) -> int:
    """The first place of an id; where nothing is bounded, what stands for that."""
    return ids.index(bound) if bound is not None and bound in ids else otherwise
