"""Waivers: broken laws that an adopter knows of, each with a reason, a link and an end."""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, cast

from storelaw.catalogue import law_of
from storelaw.errors import Misconfigured
from storelaw.verdict import Verdict

State: TypeAlias = Literal["used", "idle", "stale", "expired"]
KEYS: Final = ("law", "reason", "link", "until")


@dataclass(frozen=True, slots=True)
class Waiver:
    """One law that may be broken until a date; ``link`` is where the repair is followed."""

    law: str
    reason: str
    link: str
    until: date

    def state(self, verdict: Verdict, today: date) -> State:
        """``used`` on a broken law, ``stale`` where it holds, ``idle`` where it wasn't judged.

        From the day after ``until`` it is ``expired``, whatever the verdict.
        """
        if today > self.until:
            return "expired"
        if verdict.outcome == "broken":
            return "used"
        return "stale" if verdict.outcome == "held" else "idle"

    def data(self, state: State) -> dict[str, Any]:
        """The waiver as JSON, with what it came to."""
        until = self.until.isoformat()
        return {"reason": self.reason, "link": self.link, "until": until, "state": state}


def complaint(law: str, waiver: Mapping[str, Any]) -> str:
    """Why a waiver fails the run, or nothing."""
    if waiver["state"] == "stale":
        return f"stale waiver: {law} holds; take its waiver out"
    if waiver["state"] == "expired":
        return f"expired waiver: the waiver of {law} ended on {waiver['until']}"
    return ""


def waived(verdict: Verdict, state: State, waiver: Waiver) -> Verdict:
    """The verdict under a waiver: broken becomes waived while the waiver is in force."""
    if state != "used":
        return verdict
    return replace(verdict, outcome="waived", reason=f"{waiver.reason} ({waiver.link})")


def read(file: Path) -> dict[str, Waiver]:
    """The waivers of a TOML or JSON file, by law: a list of tables under ``waivers``.

    Raises :class:`~storelaw.errors.Misconfigured` with the file and the waiver at fault.
    """
    found: dict[str, Waiver] = {}
    for number, each in enumerate(_tables(file), start=1):
        waiver = _waiver(each, f"configuration: {file}, waiver {number}")
        if waiver.law in found:
            raise Misconfigured(f"configuration: {file} waives {waiver.law} twice")
        found[waiver.law] = waiver
    return found


def _tables(file: Path) -> list[object]:
    try:
        text = file.read_text(encoding="utf-8")
        data: Any = json.loads(text) if file.suffix == ".json" else tomllib.loads(text)
    except (OSError, ValueError) as error:
        raise Misconfigured(f"configuration: can't read waivers from {file}: {error}") from error
    table = cast("dict[str, Any]", data) if isinstance(data, dict) else {}
    if list(table) != ["waivers"] or not isinstance(table["waivers"], list):
        raise Misconfigured(f"configuration: {file} needs one list, waivers, and nothing else")
    return cast("list[object]", table["waivers"])


def _waiver(data: object, where: str) -> Waiver:
    table = cast("dict[str, Any]", data) if isinstance(data, dict) else {}
    if set(table) != set(KEYS):
        raise Misconfigured(f"{where} needs exactly these keys: {', '.join(KEYS)}")
    for key in KEYS[:3]:
        if not isinstance(table[key], str) or not table[key].strip():
            raise Misconfigured(f"{where}: {key} has to be a text that says something")
    return Waiver(law_of(table["law"]).name, table["reason"], table["link"], _day(table, where))


def _day(table: Mapping[str, Any], where: str) -> date:
    until = table["until"]
    if type(until) is date:
        return until
    try:
        return date.fromisoformat(until)
    except (TypeError, ValueError):
        raise Misconfigured(f"{where}: until has to be a date such as 2030-01-31") from None
