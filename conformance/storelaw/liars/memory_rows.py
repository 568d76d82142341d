"""Liars about the rows of a memory."""

import json
import unicodedata
from typing import Any

from storelaw.liars.registry import liar
from storelaw.liars.turns_honest import HonestBackend, RowKey, TurnsHonest
from storelaw.values import Entry, is_array, is_object


@liar("a_missing_entry_is_no_error", most=2)
class RaisesOnAMiss(TurnsHonest):
    """Passes on its engine's complaint about no rows."""

    class store(HonestBackend):
        def missing(self, key: RowKey) -> Any:
            raise LookupError(str(key))


@liar("the_last_put_of_a_key_wins", most=4)
class KeepsTheFirstPut(TurnsHonest):
    """Inserts unless the key is there, and says nothing."""

    class store(HonestBackend):
        def written(self, key: RowKey, entry: Entry) -> None:
            self.rows.entries.setdefault(key, entry)


@liar("scopes_that_look_alike_hold_their_own_entries", kinds=["F54"], most=4)
class FoldsScopeCase(TurnsHonest):
    """Compares scope ids without regard to case."""

    class store(HonestBackend):
        def key(self, scope: Entry, kind: str, entry_id: str) -> RowKey:
            return scope["kind"], scope["id"].lower(), kind, entry_id


@liar("scopes_that_look_alike_hold_their_own_entries", kinds=["F52"], most=4)
class NormalisesScopeIds(TurnsHonest):
    """Puts scope ids into one normal form of Unicode."""

    class store(HonestBackend):
        def key(self, scope: Entry, kind: str, entry_id: str) -> RowKey:
            name = unicodedata.normalize("NFC", scope["id"])
            return scope["kind"], name, kind, entry_id


@liar("scopes_that_look_alike_hold_their_own_entries", kinds=["F53"], most=4)
class MatchesScopesByPattern(TurnsHonest):
    """Asks for a scope with LIKE, and leaves the wildcards in it."""

    class store(HonestBackend):
        def within(self, entry: Entry, scope: Entry) -> bool:
            name, wanted = entry["scope"]["id"], scope["id"]
            if "_" in wanted and len(name) == len(wanted):
                return all(b in ("_", a) for a, b in zip(name, wanted, strict=True))
            return bool(entry["scope"] == scope)


@liar(
    "scopes_that_look_alike_hold_their_own_entries",
    kinds=["F51"],
    also=["deleting_a_scope_empties_it_and_no_other", "a_copy_ends_at_its_cut"],
    most=4,
)
class KeysByIdAlone(TurnsHonest):
    """Leaves the scope out of the key."""

    class store(HonestBackend):
        def key(self, scope: Entry, kind: str, entry_id: str) -> RowKey:
            return "", "", kind, entry_id


@liar("deleting_twice_is_as_good_as_once", most=3)
class WantsSomethingToDelete(TurnsHonest):
    """Complains where a deletion affects no row."""

    class store(HonestBackend):
        def absent(self, key: RowKey) -> None:
            raise LookupError(str(key))


@liar(
    "deleting_twice_is_as_good_as_once",
    also=[
        "a_missing_entry_is_no_error",
        "a_scope_is_live_while_it_holds_an_entry",
        "deleting_a_scope_keeps_its_turns",
    ],
    most=4,
)
class LeavesTombstones(TurnsHonest):
    """Marks a deleted entry, and forgets the mark when it is asked for it."""

    class store(HonestBackend):
        def delete(self, scope: Entry, kind: str, entry_id: str) -> None:
            pass


@liar("deleting_a_scope_empties_it_and_no_other", most=4)
class DeletesScopesByPrefix(TurnsHonest):
    """Deletes every scope whose id begins like this one's."""

    class store(HonestBackend):
        def doomed(self, entry: Entry, scope: Entry) -> bool:
            return str(entry["scope"]["id"]).startswith(scope["id"])


@liar("deleting_a_scope_empties_it_and_no_other", kinds=["F57"], most=4)
class DeletesTheFirstOnly(TurnsHonest):
    """Deletes the user's turns of a scope, and leaves the answers."""

    class store(HonestBackend):
        def doomed(self, entry: Entry, scope: Entry) -> bool:
            return super().doomed(entry, scope) and str(entry["id"]).endswith("user")


@liar("a_scope_is_live_while_it_holds_an_entry", most=2)
class WantsAScope(TurnsHonest):
    """Has no status for a scope that nobody wrote to."""

    class store(HonestBackend):
        def status(self, scope: Entry) -> str:
            return {"live": "live"}[super().status(scope)]


@liar("a_scope_is_live_while_it_holds_an_entry", most=2)
class CallsEveryScopeLive(TurnsHonest):
    """Takes every scope for a live one."""

    class store(HonestBackend):
        def status(self, scope: Entry) -> str:
            return "live"


@liar("a_scope_that_was_never_written_reads_as_empty", most=2)
class WantsScopesCreated(TurnsHonest):
    """Finds no scope where nothing was written, and says so with an error."""

    class store(HonestBackend):
        def query(self, query: Entry) -> list[Entry]:
            found = super().query(query)
            if not found and set(query) == {"scope"} and self.status(query["scope"]) == "unknown":
                raise LookupError(str(query))
            return found


@liar(
    "an_entry_comes_back_as_it_was_put",
    kinds=["F44"],
    also=["an_equivalent_put_changes_nothing"],
    most=3,
)
class HasNoColumnForLinks(TurnsHonest):
    """Has no column for links."""

    class store(HonestBackend):
        def kept(self, entry: Entry) -> Entry:
            entry = super().kept(entry)
            return {name: each for name, each in entry.items() if name != "links"}


@liar(
    "an_entry_comes_back_as_it_was_put",
    also=["a_query_gives_what_passes_all_its_filters", "an_equivalent_put_changes_nothing"],
    most=3,
)
class KeepsOneTag(TurnsHonest):
    """Has room for one tag."""

    class store(HonestBackend):
        def kept(self, entry: Entry) -> Entry:
            entry = super().kept(entry)
            return {**entry, "tags": entry["tags"][:1]} if "tags" in entry else entry


@liar(
    "an_entry_comes_back_as_it_was_put",
    also=["a_turn_is_dated_once"],
    most=3,
)
class CutsTimesToSeconds(TurnsHonest):
    """Has whole seconds for a time."""

    class store(HonestBackend):
        def kept(self, entry: Entry) -> Entry:
            entry = super().kept(entry)
            return {**entry, "createdAt": f"{entry['createdAt'][:19]}Z"}


def floated(value: Any) -> Any:
    """A JSON value after a store that knows 64-bit floats alone."""
    if is_object(value):
        return {name: floated(each) for name, each in value.items()}
    if is_array(value):
        return [floated(each) for each in value]
    return int(float(value)) if isinstance(value, int) and abs(value) > 2**53 else value


@liar(
    "an_entry_comes_back_as_it_was_put",
    kinds=["F46"],
    also=[
        "another_entry_under_a_written_id_is_a_conflict",
        "numbers_beyond_two_to_the_53_tell_turns_apart",
    ],
    most=3,
)
class PutsNumbersThroughFloats(TurnsHonest):
    """Puts whole numbers through 64-bit floats."""

    class store(HonestBackend):
        def kept(self, entry: Entry) -> Entry:
            entry = super().kept(entry)
            return {**entry, "content": floated(entry.get("content"))}


@liar("what_a_caller_holds_is_a_copy", kinds=["F50"], most=5)
class SharesWhatItGives(TurnsHonest):
    """Gives the stored objects themselves to a caller who gets one."""

    class store(HonestBackend):
        def given(self, entry: Entry) -> Entry:
            return entry


@liar("what_a_caller_holds_is_a_copy", kinds=["F50"], most=4)
class SharesWhatItTakes(TurnsHonest):
    """Stores the caller's own objects."""

    class store(HonestBackend):
        def kept(self, entry: Entry) -> Entry:
            return entry


@liar("what_is_hard_to_store_is_kept_or_refused", kinds=["F41"], most=3)
class EndsTextAtNul(TurnsHonest):
    """Takes text with U+0000, and drops the sign."""

    class store(HonestBackend):
        def kept(self, entry: Entry) -> Entry:
            entry = super().kept(entry)
            kept: Entry = json.loads(json.dumps(entry).replace("\\u0000", ""))
            return kept


@liar("what_is_hard_to_store_is_kept_or_refused", most=3)
class WrapsTheZeroTime(TurnsHonest):
    """Counts nanoseconds in 64 bits, so that the year 1 becomes 1754."""

    class store(HonestBackend):
        def kept(self, entry: Entry) -> Entry:
            entry = super().kept(entry)
            zero = entry["createdAt"].startswith("0001")
            return {**entry, "createdAt": "1754-08-30T22:43:41.128654848Z"} if zero else entry
