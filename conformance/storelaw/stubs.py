"""Waivers written on an adopter's behalf: a table at the end of a TOML file, the rest untouched."""

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any, Final

from storelaw.catalogue import law_of
from storelaw.documents import of_toml
from storelaw.errors import Misconfigured
from storelaw.values import is_array, is_object
from storelaw.waivers import FILL_IN, Waiver, parsed

HEAD: Final = (
    "# Laws that this store is known to break: `storelaw check --waivers FILE` reads them.\n"
)


def add(waiver: Waiver, file: Path) -> None:
    """Put a waiver at the end of a TOML file, which is made where there is none.

    An empty reason or link becomes a stub, with a comment that says what belongs there.
    Raises :class:`~storelaw.errors.Misconfigured`, and leaves the file as it is, where the
    law is waived already and where the file can't take another table.
    """
    before = _before(waiver, file)
    text = _table(waiver)
    added = ("\n" if before and not before.endswith("\n") else "") + ("\n" if before else HEAD)
    _check(before, added + text, waiver, file)
    try:
        with file.open("a", encoding="utf-8", newline="") as out:
            out.write(added + text)
    except OSError as error:
        raise Misconfigured(f"configuration: can't write {file}: {error}") from error


def _before(waiver: Waiver, file: Path) -> str:
    if file.suffix != ".toml":
        raise Misconfigured(
            f"configuration: {file} is no .toml file; waivers are added to TOML only, so write "
            "this one by hand"
        )
    if not file.exists():
        return ""
    for each in _listed(parsed(file)):
        law = each.get("law")
        if isinstance(law, str) and law.rsplit("/", 1)[-1] == waiver.law:
            raise Misconfigured(f"configuration: {file} waives {waiver.law} already")
    return file.read_bytes().decode("utf-8")


def _listed(data: Any) -> list[Mapping[str, Any]]:
    listed = data.get("waivers") if is_object(data) else None
    return [each for each in listed if is_object(each)] if is_array(listed) else []


def _table(waiver: Waiver) -> str:
    lines = ["[[waivers]]", f"law = {_text(waiver.law)}"]
    for key, value in (("reason", waiver.reason), ("link", waiver.link)):
        hint = "" if value.strip() else f"  # fill in {FILL_IN[key]}"
        lines.append(f"{key} = {_text(value)}{hint}")
    lines.append(f"until = {waiver.until.isoformat()}")
    if waiver.kind != "broken":
        lines.append(f"kind = {_text(waiver.kind)}")
    return "\n".join([*lines, ""])


def _text(value: str) -> str:
    """A basic string of TOML, which has the escapes of JSON, and one more for DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _check(before: str, added: str, waiver: Waiver, file: Path) -> None:
    """What will be read back is what was there, and the waiver behind it."""
    wanted = {"law": waiver.law, "reason": waiver.reason, "link": waiver.link}
    try:
        after = _listed(of_toml((before + added).encode().decode()))
    except ValueError:
        after = []
    if [{key: each.get(key) for key in wanted} for each in after[-1:]] != [wanted]:
        raise Misconfigured(
            f"configuration: {file} can't take another table [[waivers]]; write it by hand:\n\n"
            f"{_table(waiver)}"
        )


def until(text: str | None, today: date) -> date:
    """The end of a waiver: the day that is asked for, or 30 days from today.

    Raises :class:`~storelaw.errors.Misconfigured` for what is no day, or is past.
    """
    if text is None:
        return date.fromordinal(today.toordinal() + 30)
    try:
        asked = date.fromisoformat(text)
    except ValueError:
        raise Misconfigured(f"configuration: --until {text!r} is no date") from None
    if asked < today:
        raise Misconfigured(f"configuration: --until {text} is past; today is {today}")
    return asked


def waiver(law: str, reason: str, link: str, end: date, *, flaky: bool) -> Waiver:
    """A waiver of the law with a name or title."""
    return Waiver(law_of(law).name, reason, link, end, "flaky" if flaky else "broken")
