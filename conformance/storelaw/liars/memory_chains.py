"""Liars about signed turns."""

import json
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from typing import Any, ClassVar

from storelaw.liars.registry import liar
from storelaw.liars.turns_honest import TurnsHonest
from storelaw.values import Entry
from storelaw_reference import turns


class Trusting(turns.Memory):
    """Checks no signatures."""

    def _check_provenance(self, entry: Entry, kind: turns.Kind) -> None:
        pass


@liar("a_turn_without_a_good_signature_is_refused", most=2)
class ChecksSignaturesLater(TurnsHonest):
    """Leaves signatures to the audit."""

    variants: ClassVar[dict[str, Any]] = {"memory": Trusting}


class Presence(turns.Memory):
    """Wants a signature to be there."""

    def _check_provenance(self, entry: Entry, kind: turns.Kind) -> None:
        if self._verifier is not None and "provenance" not in entry:
            raise turns.ProvenanceRequired(entry["id"])


@liar("a_turn_without_a_good_signature_is_refused", most=2)
class TakesAnySignature(TurnsHonest):
    """Looks whether there is a signature, and not at it."""

    variants: ClassVar[dict[str, Any]] = {"memory": Presence}


class Anybodys(turns.SigningMemory):
    """Lets everybody sign."""

    def _may_publish(self, publisher: str, scope: turns.Scope) -> bool:
        return True

    def _check_authority(self, kind: turns.Kind, scope: turns.Scope) -> None:
        pass


@liar("a_session_writes_as_itself_only", most=2)
class LetsAnySessionSign(TurnsHonest):
    """Takes every good signature, whoever's it is."""

    variants: ClassVar[dict[str, Any]] = {"memory": Anybodys}


class Open(turns.Memory):
    """Asks nobody who they are."""

    def _check_authority(self, kind: turns.Kind, scope: turns.Scope) -> None:
        pass


@liar("a_session_writes_as_itself_only", most=2)
class LetsAnySessionWrite(TurnsHonest):
    """Lets a session write in every scope."""

    variants: ClassVar[dict[str, Any]] = {"memory": Open}


class Counting(turns.SigningMemory):
    """Counts its attempts."""

    taken = 0
    last = ""

    def _tail(self, scope: turns.Scope) -> tuple[int, str]:
        self.taken += 1
        return self.taken - 1, super()._tail(scope)[1] or ("0" * 64 if self.taken > 1 else "")


@liar("a_write_that_stores_nothing_takes_no_position", kinds=["F13"], most=4)
class CountsItsAttempts(TurnsHonest):
    """Takes a position for each attempt."""

    variants: ClassVar[dict[str, Any]] = {"memory": Counting}


class FromTwo(turns.SigningMemory):
    """Begins a chain in the middle."""

    def _tail(self, scope: turns.Scope) -> tuple[int, str]:
        seq, digest = super()._tail(scope)
        return (seq, digest) if seq else (1, "0" * 64)


@liar(
    "a_chain_counts_from_one_without_gaps",
    also=[
        "a_write_that_stores_nothing_takes_no_position",
        "each_entry_of_a_chain_names_the_one_before",
    ],
    most=2,
)
class BeginsAtTwo(TurnsHonest):
    """Gives the first entry of a chain the second position."""

    variants: ClassVar[dict[str, Any]] = {"memory": FromTwo}


class ByBytes(turns.SigningMemory):
    """Links by the bytes of an entry."""

    def _tail(self, scope: turns.Scope) -> tuple[int, str]:
        seq, digest = super()._tail(scope)
        return seq, sha256(json.dumps(digest).encode()).hexdigest() if seq else ""


@liar(
    "each_entry_of_a_chain_names_the_one_before",
    also=["an_audit_names_what_was_tampered_with"],
    most=3,
)
class LinksByBytes(TurnsHonest):
    """Names the entry before by a digest of its own making."""

    variants: ClassVar[dict[str, Any]] = {"memory": ByBytes}


def every_number(entries: list[Entry], verifier: turns.Verifier) -> Iterator[turns.Finding]:
    """The findings, with one for each missing number."""
    for each in turns.audit(entries, verifier):
        if each.defect != "gap":
            yield each
        for seq in range(each.first, each.last + 1) if each.defect == "gap" else ():
            yield replace(each, first=seq, last=seq)


@liar("an_audit_names_what_was_tampered_with", most=8)
class ListsEveryMissingNumber(TurnsHonest):
    """Lists every number that is missing from a chain."""

    variants: ClassVar[dict[str, Any]] = {"audit": every_number}


def signatures_only(entries: list[Entry], verifier: turns.Verifier) -> Iterator[turns.Finding]:
    """The findings about signatures."""
    return (each for each in turns.audit(entries, verifier) if each.defect != "gap")


@liar("an_audit_names_what_was_tampered_with", most=6)
class OverlooksGaps(TurnsHonest):
    """Checks each signature, and no positions."""

    variants: ClassVar[dict[str, Any]] = {"audit": signatures_only}
