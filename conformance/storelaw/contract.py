"""The options in which session stores differ, as one frozen contract.

An option is undeclared (``None``) until a manifest names it: a law that depends on it
then accepts each allowed value and notes the one it saw.
A profile fixes the options of its session and views doors.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any, Final

from storelaw.errors import Misconfigured

OPTIONS: Final[Mapping[str, tuple[tuple[str, ...], str]]] = {
    "reappend": (
        ("duplicate", "reject", "first-wins", "last-wins", "idempotent-or-conflict"),
        "what an append does with an entry id that the session holds already",
    ),
    "id_scope": (("session", "store"), "where an entry id is unique"),
    "ids": (
        ("caller", "optional", "minted", "number"),
        "who gives an entry its id: the caller, the caller if it likes, the store, or its counter",
    ),
    "create": (("explicit", "implicit"), "whether a session must be created before an append"),
    "unknown_session": (
        ("none", "empty", "raise"),
        "what loading a session that was never written gives",
    ),
    "unknown_delete": (("ignore", "raise"), "what deleting an unknown session does"),
    "empty_append": (("creates", "ignored"), "whether an append of nothing creates a session"),
    "delete_by": (("id", "index"), "what delete_entry takes"),
    "negative_count": (
        ("nothing", "all", "raise"),
        "what a negative first or last count gives",
    ),
    "stale": (("none", "raise"), "whether an out-of-date handle is refused"),
    "head": (("last-entry", "persisted"), "which entry is the leaf after a reopen"),
    "missing_parent": (("truncate", "raise"), "what the path walk does at a parent it can't find"),
    "branch_at": (("entry", "entry-or-empty"), "what a branch may go back to"),
    "fork": (("path", "log"), "what a fork of a session copies"),
    "repair": (("view", "none"), "whether a dangling tool call is answered in the view"),
    "legacy_meta": (("ignored", "honoured"), "what a top-level meta flag means"),
    "receipts": (("yes", "no"), "whether a run gives receipts"),
}


@dataclass(frozen=True, slots=True)
class Contract:
    """One value for each option of ``OPTIONS``, or ``None`` where it is undeclared."""

    reappend: str | None = None
    id_scope: str | None = None
    ids: str | None = None
    create: str | None = None
    unknown_session: str | None = None
    unknown_delete: str | None = None
    empty_append: str | None = None
    delete_by: str | None = None
    negative_count: str | None = None
    stale: str | None = None
    head: str | None = None
    missing_parent: str | None = None
    branch_at: str | None = None
    fork: str | None = None
    repair: str | None = None
    legacy_meta: str | None = None
    receipts: str | None = None

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> "Contract":
        """A contract from a manifest's options; :class:`Misconfigured` names what is unknown."""
        for name, value in options.items():
            _check(name, value)
        return cls(**dict(options))

    def declared(self) -> dict[str, str]:
        """The options that have a value."""
        return {
            each.name: value
            for each in fields(self)
            if (value := getattr(self, each.name)) is not None
        }


def _check(name: str, value: object) -> None:
    if name not in OPTIONS:
        raise Misconfigured(unknown("option", name, OPTIONS))
    allowed, _ = OPTIONS[name]
    if value not in allowed:
        raise Misconfigured(
            f"configuration: option {name!r} is {value!r}; allowed: {', '.join(allowed)}"
        )


def unknown(what: str, name: object, known: Mapping[str, object]) -> str:
    """The message for a name that doesn't exist: the likely meaning, and all that do."""
    near = get_close_matches(str(name), known, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ";"
    return f"configuration: no {what} is called {name!r}{hint} known: {', '.join(sorted(known))}"


#: What the transcript profile fixes at its session and views doors (seed 000, newer version).
TRANSCRIPT: Final = Contract(
    create="explicit",
    unknown_session="raise",
    head="last-entry",
    missing_parent="truncate",
    branch_at="entry",
    fork="path",
    repair="view",
    legacy_meta="ignored",
    receipts="yes",
)
