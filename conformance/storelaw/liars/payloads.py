"""Liars about what stands under an entry's id."""

import json

from storelaw.liars.honest import HonestMedium, HonestStore, Log
from storelaw.liars.reappends import FirstStore, LastStore, RejectStore, claims
from storelaw.liars.registry import liar
from storelaw.values import Entry, copied, same


@liar(
    "a_conflict_is_refused_and_leaves_the_log",
    also=["near_equal_payloads_are_other_payloads"],
    kinds=["F15", "F20"],
    mutants=["last write wins for a known uuid"],
    most=2,
)
class LastWriteWins(HonestMedium):
    """Puts another payload in the place of the first and tells nobody."""

    store = LastStore


@liar(
    "a_conflict_is_refused_and_leaves_the_log",
    also=["near_equal_payloads_are_other_payloads"],
    most=2,
)
class IgnoresConflicts(HonestMedium):
    """Keeps the first payload and tells nobody."""

    store = FirstStore


@liar("a_conflict_is_refused_and_leaves_the_log", most=3)
class KeepsTheRestOfAConflict(HonestMedium):
    """Raises the conflict after it has stored the entries before it."""

    class store(HonestStore):
        def accepted(self, log: Log, entries: list[Entry]) -> list[Entry]:
            for each in entries:
                log.entries.extend(super().accepted(log, [each]))
            return []


@liar(
    "the_first_payload_wins",
    mutants=["last write wins for a known uuid"],
    kinds=["F15"],
    most=3,
)
class LastWinsUnderFirst(HonestMedium):
    """Claims first-wins; the last write wins."""

    manifest = claims("first-wins")
    store = LastStore


@liar(
    "the_last_payload_replaces_the_first_in_place",
    kinds=["F14"],
    also=["near_equal_payloads_are_other_payloads"],
    most=3,
)
class FirstWinsUnderLast(HonestMedium):
    """Claims last-wins; an update is ignored."""

    manifest = claims("last-wins")
    store = FirstStore


@liar("a_known_id_is_refused", kinds=["F15", "F20"], most=2)
class IgnoresUnderReject(HonestMedium):
    """Claims to refuse a known id; ignores another payload without a word."""

    manifest = claims("reject")

    class store(RejectStore):
        def repeated(self, log: Log, twin: Entry, entry: Entry) -> None:
            if same(twin, entry):
                super().repeated(log, twin, entry)


@liar("repeats_are_kept_where_they_are_declared", kinds=["F20"], most=3)
class OneRowPerId(HonestMedium):
    """Claims duplicates; an update under a known id goes into the stored row."""

    manifest = claims("duplicate")

    class store(LastStore):
        def twin(self, entries: list[Entry], entry: Entry) -> Entry | None:
            found = super().twin(entries, entry)
            return None if found is None or same(found, entry) else found


@liar("another_payload_under_a_known_id_is_answered_one_way", kinds=["F24"], most=3)
class MergesMembers(HonestMedium):
    """Declares nothing; merges the members of two payloads."""

    manifest = claims(None)

    class store(HonestStore):
        def repeated(self, log: Log, twin: Entry, entry: Entry) -> None:
            if not same(twin, entry):
                twin.update({**copied(entry), "merged": True})


@liar("near_equal_payloads_are_other_payloads", kinds=["F45", "F48"], most=2)
class ComparesLoosely(HonestMedium):
    """Compares payloads with an equality to which 1, 1.0 and true are one."""

    class store(HonestStore):
        def repeated(self, log: Log, twin: Entry, entry: Entry) -> None:
            if twin != entry:
                super().repeated(log, twin, entry)


@liar("near_equal_payloads_are_other_payloads", kinds=["F48"], most=2)
class NullIsAbsent(HonestMedium):
    """Compares payloads without their null members."""

    class store(HonestStore):
        def repeated(self, log: Log, twin: Entry, entry: Entry) -> None:
            super().repeated(log, _full(twin), _full(entry))


def _full(entry: Entry) -> Entry:
    return {name: value for name, value in entry.items() if value is not None}


@liar("the_order_of_members_is_no_payload", kinds=["F26"], most=2)
class ComparesTexts(HonestMedium):
    """Compares the texts that its encoder makes of two payloads."""

    class store(HonestStore):
        def repeated(self, log: Log, twin: Entry, entry: Entry) -> None:
            texts = [{"id": each["id"], "text": json.dumps(each)} for each in (twin, entry)]
            super().repeated(log, *texts)


@liar("a_retry_is_looked_up_in_its_own_session", kinds=["F51"], most=4)
class ComparesAcrossSessions(HonestMedium):
    """Compares a retry with the first payload that the table holds under the id."""

    class store(HonestStore):
        def repeated(self, log: Log, twin: Entry, entry: Entry) -> None:
            everywhere = [each for one in self.data.logs.values() for each in one.entries]
            super().repeated(log, self.twin(everywhere, entry) or twin, entry)


@liar(
    "entries_without_an_id_are_never_merged",
    kinds=["F16"],
    mutants=["entries without uuid share one null key"],
    most=2,
)
class OneNullKey(HonestMedium):
    """Has a unique key in which all missing ids are one."""

    class store(HonestStore):
        def accepted(self, log: Log, entries: list[Entry]) -> list[Entry]:
            fresh: list[Entry] = []
            for each in super().accepted(log, entries):
                unnamed = [e for e in (*log.entries, *fresh) if e.get("id") is None]
                if each.get("id") is not None or not unnamed:
                    fresh.append(each)
            return fresh
