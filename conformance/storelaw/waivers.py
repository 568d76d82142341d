"""Waivers: broken laws that an adopter knows of, each with a reason, a link and an end."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import storelaw_schemas
from storelaw.catalogue import law_of
from storelaw.documents import of_toml
from storelaw.errors import Misconfigured
from storelaw.formats import readable
from storelaw.values import is_array, is_object
from storelaw.verdict import Verdict

#: What a waiver came to; the :data:`~storelaw.verdict.OFFENCES` among them fail the run.
State: TypeAlias = Literal["used", "idle", "unused", "stale", "expired", "exceeded"]
Kind: TypeAlias = Literal["broken", "flaky"]

#: What has to stand under a key, told to whoever left it empty.
FILL_IN: Final[Mapping[str, str]] = {
    "law": "the name of the law, as `storelaw laws` lists it",
    "reason": "why the law may be broken",
    "link": "where the repair is followed, such as the address of an issue",
    "until": "the last day of the waiver, such as 2030-01-31",
    "kind": "broken (what is meant where nothing is said) or flaky",
}
REQUIRED: Final = ("law", "reason", "link", "until")


@dataclass(frozen=True, slots=True)
class Waiver:
    """One law that may be broken until a date; ``link`` is where the repair is followed.

    A ``flaky`` one waives a law that failed in some replays only.
    """

    law: str
    reason: str
    link: str
    until: date
    kind: Kind = "broken"

    def state(self, verdict: Verdict, today: date) -> State:
        """What a waiver comes to by a law's verdict.

        From the day after ``until`` it is ``expired``, whatever the verdict. On a broken law
        it is ``used``, but a flaky one is ``exceeded`` where every replay failed. Where the
        law holds it is ``stale``, but a flaky one is ``idle``. It is ``unused`` on a law that
        wasn't judged, and ``idle`` where a fault of the medium or the kit stopped the judging.
        """
        if today > self.until:
            return "expired"
        if verdict.outcome == "broken":
            return "exceeded" if self.kind == "flaky" and not _flaky(verdict) else "used"
        if verdict.outcome == "held":
            return "idle" if self.kind == "flaky" else "stale"
        return "idle" if verdict.fault else "unused"

    def data(self, state: State) -> dict[str, Any]:
        """The waiver as JSON, with what it came to."""
        until = self.until.isoformat()
        return {
            "kind": self.kind,
            "reason": self.reason,
            "link": self.link,
            "until": until,
            "state": state,
        }


def _flaky(verdict: Verdict) -> bool:
    """Whether some replay of a broken law's program held."""
    return verdict.failure is not None and verdict.failure.replays[0] < verdict.failure.replays[1]


def complaint(law: str, waiver: Mapping[str, Any]) -> str:
    """Why a waiver fails the run, or nothing."""
    words = {
        "stale": f"stale waiver: {law} holds; take its waiver out",
        "expired": f"expired waiver: the waiver of {law} ended on {waiver['until']}",
        "unused": f"unused waiver: {law} was not judged on this store; take its waiver out",
        "exceeded": f"exceeded waiver: {law} is waived as flaky and fails in every replay; "
        'repair it, or waive it as kind = "broken"',
    }
    return words.get(waiver["state"], "")


def waived(verdict: Verdict, state: State, waiver: Waiver) -> Verdict:
    """The verdict under a waiver: broken becomes waived while the waiver is in force."""
    if state != "used":
        return verdict
    return replace(verdict, outcome="waived", reason=f"{waiver.reason} ({waiver.link})")


def unheld(waivers: Iterable[str], laws: Iterable[str]) -> tuple[str, ...]:
    """The waived laws that are none of these: nothing can come of their waivers."""
    held = frozenset(laws)
    return tuple(sorted(each for each in waivers if each not in held))


def read(file: Path) -> dict[str, Waiver]:
    """The waivers of a TOML or JSON file, by law: a list of tables under ``waivers``.

    Raises :class:`~storelaw.errors.Misconfigured` with the file, the waiver at fault and
    what has to be filled in.
    """
    data = readable(parsed(file), "waivers", str(file))
    words = _problem(data, file)
    if words:
        raise Misconfigured(f"configuration: {words}")
    found: dict[str, Waiver] = {}
    for each in data["waivers"]:
        law = law_of(each["law"]).name
        if law in found:
            raise Misconfigured(f"configuration: {file} waives {law} twice")
        until = date.fromisoformat(each["until"])
        kind = each.get("kind", "broken")
        found[law] = Waiver(law, each["reason"], each["link"], until, kind)
    return found


def parsed(file: Path) -> Any:
    """A TOML or JSON file as JSON; dates become text. Raises :class:`Misconfigured`."""
    try:
        text = file.read_text(encoding="utf-8")
        return json.loads(text) if file.suffix == ".json" else of_toml(text)
    except (OSError, ValueError, RecursionError) as error:
        raise Misconfigured(f"configuration: can't read waivers from {file}: {error}") from error


def _problem(data: Mapping[str, Any], file: Path) -> str:
    """What is wrong with a file of waivers, in words that say what to fill in, or nothing."""
    listed = data.get("waivers")
    if not is_array(listed):
        return f"{file} needs a list, waivers: one table [[waivers]] for each"
    for number, each in enumerate(listed, start=1):
        law = f" ({each['law']})" if is_object(each) and each.get("law") else ""
        words = next(_wrong(each, f"{file}, waiver {number}{law}"), "") if is_object(each) else ""
        if words:
            return words
    found = storelaw_schemas.problems("harness/waivers", data)
    return f"{file}: {found[0]}" if found else ""


def _wrong(waiver: Mapping[str, Any], where: str) -> Iterator[str]:
    for key in (*waiver, *REQUIRED):
        if key not in FILL_IN:
            yield f"{where} has the unknown key {key!r}; there are: {', '.join(FILL_IN)}"
        elif key not in waiver:
            yield f"{where} lacks {key}; fill in {FILL_IN[key]}"
    for key, value in waiver.items():
        shape = {"waivers": [{**_SOUND, key: value}]}
        if storelaw_schemas.problems("harness/waivers", shape):
            shown = "is empty" if value == "" else f"is {json.dumps(value)}"
            yield f"{where}: {key} {shown}; fill in {FILL_IN[key]}"


#: A waiver with which nothing is wrong: another one's values are tried in it one by one.
_SOUND: Final = {"law": "x", "reason": "x", "link": "x", "until": "2030-01-31"}
