"""Liars about receipts."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from storelaw.liars.honest import HonestMedium
from storelaw.liars.registry import liar
from storelaw_reference.transcript import Entry, Session
from storelaw_reference.transcript.events import Receipt


@liar("a_receipt_holds_no_ephemeral_entry", kinds=["F40"], most=2)
class AttestsToEverything(HonestMedium):
    """Gives receipts for ephemeral entries too."""

    class session_class(Session):
        def _receipt(self, entries: Sequence[Entry]) -> Receipt:
            return Receipt(tuple(entries), self._leaf)


@liar("every_stored_entry_is_in_one_receipt", kinds=["F20"], most=2)
class AttestsToAnswersOnly(HonestMedium):
    """Gives no receipt for the input."""

    class session_class(Session):
        def _turn(self, drafts: Sequence[Entry], model: Any) -> list[Receipt]:
            return super()._turn(drafts, model)[1:]


@liar("every_stored_entry_is_in_one_receipt", kinds=["F20"], most=2)
class AttestsTwice(HonestMedium):
    """Gives the receipt of an answer again when the run is over."""

    class session_class(Session):
        def _turn(self, drafts: Sequence[Entry], model: Any) -> list[Receipt]:
            receipts = super()._turn(drafts, model)
            return [*receipts, receipts[-1]]


@liar("a_receipt_shows_the_entry_as_it_is_stored", most=2)
class AttestsBeforeTheHeader(HonestMedium):
    """Gives receipts whose entries have no parent yet."""

    class session_class(Session):
        def _receipt(self, entries: Sequence[Entry]) -> Receipt:
            bare = [replace(each, header=replace(each.header, parent_id="")) for each in entries]
            return super()._receipt(bare)


@liar(
    "a_receipt_names_only_what_is_stored",
    also=["every_stored_entry_is_in_one_receipt", "a_receipt_names_the_leaf_behind_its_entries"],
    kinds=["F20"],
    most=2,
)
class AttestsToProvisionalIds(HonestMedium):
    """Gives receipts with ids that the entries had before they were stored."""

    class session_class(Session):
        def _receipt(self, entries: Sequence[Entry]) -> Receipt:
            early = [
                replace(each, header=replace(each.header, id=f"new-{each.header.id}"))
                for each in entries
            ]
            return super()._receipt(early)


@liar("a_receipt_names_the_leaf_behind_its_entries", most=2)
class AttestsToTheOldLeaf(HonestMedium):
    """Names the leaf at which the turn began in each of its receipts."""

    class session_class(Session):
        def _turn(self, drafts: Sequence[Entry], model: Any) -> list[Receipt]:
            leaf = self._leaf
            return [replace(each, leaf=leaf) for each in super()._turn(drafts, model)]
