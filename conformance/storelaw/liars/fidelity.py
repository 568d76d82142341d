"""Liars about entries as wholes: presence, fields, names, parts, repeats."""

import json
from typing import Any, cast

from storelaw.aspects import at, is_list
from storelaw.liars.honest import HonestMedium, HonestStore, Log
from storelaw.liars.registry import liar
from storelaw.trace import payload
from storelaw.values import Entry, copied, is_object, same


@liar(
    "every_accepted_entry_comes_back",
    mutants=["load leaves out the last entry"],
    also=[
        "a_fork_copies_the_active_path",
        "a_legacy_meta_entry_begins_a_turn",
        "a_model_that_fails_leaves_exactly_the_input",
        "a_receipt_names_only_what_is_stored",
        "a_run_is_one_chain",
        "a_run_without_input_goes_on_from_the_leaf",
        "a_session_shows_its_active_branch_only",
        "a_window_is_exact_on_a_long_log",
        "before_ends_ahead_of_its_entry",
        "every_stored_entry_is_in_one_receipt",
        "input_is_stored_before_the_model_runs",
        "real_results_come_first_and_missing_ones_in_call_order",
        "several_filters_apply_jointly",
        "the_first_entries_are_the_oldest_in_ascending_order",
        "the_last_entries_are_the_newest_in_ascending_order",
        "the_messages_of_a_session_are_the_view_of_its_path",
        "the_transcript_of_a_session_is_the_view_of_its_path",
        "two_live_sessions_grow_siblings",
    ],
    most=2,
)
class LeavesOutTheLast(HonestMedium):
    """Reads up to the last entry and not including it."""

    class store(HonestStore):
        def answered(self, log: Log, entries: list[Entry]) -> list[Entry]:
            return entries[:-1]


@liar(
    "every_accepted_entry_comes_back",
    kinds=["F20"],
    mutants=["ignores the second append"],
    also=[
        "a_fork_copies_the_active_path",
        "a_fork_holds_the_log_up_to_its_entry",
        "a_legacy_meta_entry_begins_a_turn",
        "a_model_that_fails_leaves_exactly_the_input",
        "a_receipt_names_only_what_is_stored",
        "a_retry_through_a_second_handle_is_answered_as_declared",
        "a_run_without_input_goes_on_from_the_leaf",
        "a_session_shows_its_active_branch_only",
        "an_id_twice_in_one_batch_is_answered_as_declared",
        "an_overlapping_batch_adds_what_is_new",
        "cumulative_saves_are_answered_as_declared",
        "delete_entry_takes_exactly_one",
        "entries_without_an_id_are_never_merged",
        "equal_entries_with_different_ids_are_all_kept",
        "every_stored_entry_is_in_one_receipt",
        "pop_takes_the_newest_entry_and_returns_it",
        "real_results_come_first_and_missing_ones_in_call_order",
        "the_ids_of_a_refused_batch_can_be_appended_later",
        "the_messages_of_a_session_are_the_view_of_its_path",
        "the_transcript_of_a_session_is_the_view_of_its_path",
    ],
    most=3,
)
class IgnoresTheSecondAppend(HonestMedium):
    """Writes a session's first append only."""

    class store(HonestStore):
        def stored(self, log: Log, entries: list[Entry]) -> None:
            if not log.entries:
                super().stored(log, entries)


@liar("entries_load_equal_to_what_was_appended", kinds=["F45"], most=2)
class ArgumentsAreText(HonestMedium):
    """Keeps the arguments of a tool call as their JSON text."""

    class store(HonestStore):
        def kept(self, entry: Entry) -> Entry:
            kept = super().kept(entry)
            for block in _blocks(kept):
                if "arguments" in block:
                    block["arguments"] = json.dumps(block["arguments"])
            return kept


def _blocks(entry: Entry) -> list[Entry]:
    content = at(entry, ("message", "content"))
    return [each for each in content if is_object(each)] if is_list(content) else []


@liar("every_field_of_every_shape_is_kept", kinds=["F44"], most=2)
class FieldList(HonestMedium):
    """Serialises messages by the fields of their base type."""

    class store(HonestStore):
        def kept(self, entry: Entry) -> Entry:
            kept = super().kept(entry)
            body = kept.get("message")
            if is_object(body):
                lost = ("api", "provider", "model", "error", "usage", "stop_reason")
                kept["message"] = {k: v for k, v in body.items() if k not in lost}
            return kept


@liar("fields_of_unregistered_kinds_are_kept", kinds=["F22"], most=2)
class KnownKindsOnly(HonestMedium):
    """Decodes custom entries into the kinds it knows, and the rest into a bare header."""

    class store(HonestStore):
        def given(self, entry: Entry) -> Entry:
            if entry.get("type") != "custom" or entry.get("kind") == "note":
                return super().given(entry)
            names = ("type", "id", "parent_id", "created_at", "kind")
            return {name: entry[name] for name in names if name in entry}


@liar(
    "entries_of_unknown_types_are_kept",
    kinds=["F49"],
    most=2,
)
class LeavesOutUnknownTypes(HonestMedium):
    """Leaves out of a read what it can't decode."""

    class store(HonestStore):
        def answered(self, log: Log, entries: list[Entry]) -> list[Entry]:
            known = ("message", "compaction", "custom", None)
            return [each for each in entries if each.get("type") in known]


@liar(
    "entries_of_unknown_types_are_kept",
    kinds=["F17", "F49"],
    most=2,
)
class FailsAtUnknownTypes(HonestMedium):
    """Fails a whole session for one entry that it can't decode."""

    class store(HonestStore):
        def given(self, entry: Entry) -> Entry:
            if entry.get("type") not in ("message", "compaction", "custom", None):
                raise LookupError(f"no decoder for {entry['type']!r}")
            return super().given(entry)


@liar("member_names_are_kept", most=2)
class SplitsNamesAtDots(HonestMedium):
    """Takes a dot in a name for a path."""

    class store(HonestStore):
        def kept(self, entry: Entry) -> Entry:
            return _split(copied(entry))  # type: ignore[no-any-return]


def _split(value: Any) -> Any:
    if not is_object(value):
        return value
    split: Entry = {}
    for name, each in value.items():
        first, dot, rest = name.partition(".")
        split[first] = {rest: _split(each)} if dot else _split(each)
    return split


@liar("member_names_are_kept", most=2)
class ColumnsHideMembers(HonestMedium):
    """Reads its own columns over the members of an entry."""

    class store(HonestStore):
        def given(self, entry: Entry) -> Entry:
            given = super().given(entry)
            return {**given, "seq": 1} if "seq" in given else given


@liar("member_names_are_kept", most=2)
class SwallowsProto(HonestMedium):
    """Sets members one by one on an object that has some of its own."""

    class store(HonestStore):
        def kept(self, entry: Entry) -> Entry:
            return _plain(copied(entry))  # type: ignore[no-any-return]


def _plain(value: Any) -> Any:
    if not is_object(value):
        return value
    members = value.items()
    return {name: _plain(each) for name, each in members if name != "__proto__"}


@liar(
    "nothing_is_added_to_an_entry",
    mutants=["load leaks a storage field on the long-log path"],
    also=["a_window_is_exact_on_a_long_log"],
    most=2,
)
class LeaksOnLongLogs(HonestMedium):
    """Reads long logs through another query, which gives the row number too."""

    class store(HonestStore):
        def answered(self, log: Log, entries: list[Entry]) -> list[Entry]:
            if len(entries) <= 100:
                return entries
            return [{**each, "seq": index} for index, each in enumerate(entries)]


@liar("parts_of_an_entry_keep_their_order", kinds=["F07"], most=2)
class TextsFirst(HonestMedium):
    """Collects the texts of a message and puts them first."""

    class store(HonestStore):
        def kept(self, entry: Entry) -> Entry:
            kept = super().kept(entry)
            blocks = _blocks(kept)
            if blocks:
                kept["message"]["content"] = sorted(blocks, key=lambda b: b["type"] != "text")
            return kept


@liar(
    "equal_entries_with_different_ids_are_all_kept",
    kinds=["F16"],
    mutants=["drops entries equal by content"],
    also=[
        "a_conflict_is_refused_and_leaves_the_log",
        "large_logs_load_whole",
        "long_logs_load_whole",
        "near_equal_payloads_are_other_payloads",
    ],
    most=3,
)
class MergesEqualTexts(HonestMedium):
    """Looks for an entry that is equal but for its header."""

    class store(HonestStore):
        def twin(self, entries: list[Entry], entry: Entry) -> Entry | None:
            mine = payload(entry)
            return next((each for each in entries if same(payload(each), mine)), None)

        def repeated(self, log: Log, twin: Entry, entry: Entry) -> None:
            pass


@liar("entries_with_no_content_are_kept", kinds=["F48"], most=2)
class JoinsParts(HonestMedium):
    """Joins messages with the rows of their parts, and finds none."""

    class store(HonestStore):
        def answered(self, log: Log, entries: list[Entry]) -> list[Entry]:
            return [each for each in entries if "message" not in each or _blocks(each)]


@liar("an_acknowledged_entry_is_there_however_odd", kinds=["F20"], most=2)
class SwallowsItsOwnErrors(HonestMedium):
    """Logs a failed write and goes on."""

    class store(HonestStore):
        def stored(self, log: Log, entries: list[Entry]) -> None:
            try:
                rows = [(each["created_at"], each) for each in entries]
            except KeyError:
                return
            super().stored(log, [each for _, each in rows])


@liar("entries_of_one_batch_leave_each_other_alone", kinds=["F45"], most=4)
class FillsColumns(HonestMedium):
    """Writes a batch as columns, with nulls where an entry has no such member."""

    class store(HonestStore):
        def taken(self, entries: list[Entry]) -> list[Entry]:
            custom = [each for each in entries if each.get("type") == "custom"]
            names = dict.fromkeys(name for each in custom for name in each)
            filled = [{**dict.fromkeys(names), **each} for each in custom]
            return filled if len(filled) == len(entries) else entries


@liar("entries_of_one_batch_leave_each_other_alone", kinds=["F45"], most=4)
class WidensColumns(HonestMedium):
    """Finds one number type for each column of a batch."""

    class store(HonestStore):
        def taken(self, entries: list[Entry]) -> list[Entry]:
            widened = cast("list[Entry]", copied(entries))
            for name in {name for each in widened for name in each}:
                if any(isinstance(each.get(name), float) for each in widened):
                    for each in widened:
                        if type(each.get(name)) is int:
                            each[name] = float(each[name])
            return widened
