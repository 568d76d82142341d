"""What would open a law that was not judged, told from the reason why it wasn't."""

import re
from collections.abc import Callable, Mapping
from typing import Final

#: What each power of a medium is, as the sentence that asks for it.
POWERS: Final[Mapping[str, str]] = {
    "crash": "abandons a handle without closing it",
    "files": "gives the paths of the append-only files that hold the data",
    "damage": "makes one stored record junk, cut or zero",
    "clock": "lets the store read its time from a function of the kit's",
    "settle": "waits until what was written can be read",
    "fail_next": "lets the store's next write fail at a given point",
    "former": "gives the medium class of an earlier version of the store",
    "target": "says how another process opens the same medium",
    "route": "sends the store's connections by way of a proxy",
}


def _power(names: str) -> str:
    asked = [f"{each}(), which {POWERS.get(each, 'is a power')}" for each in names.split(", ")]
    return f"Give the medium {'; and '.join(asked)}."


#: Patterns of reasons, and the sentence that each becomes.
PATTERNS: Final[tuple[tuple[re.Pattern[str], Callable[[str], str]], ...]] = (
    (re.compile(r"the medium has no power (.+)"), _power),
    (
        re.compile(r"the store has no (.+)"),
        lambda names: f"Give the handle {names}, if the store can do that.",
    ),
    (
        re.compile(r"the medium brings no (\w+) door"),
        lambda name: f"Name the {name} door in the manifest's doors, if the store brings one.",
    ),
    (
        re.compile(r"(.+) is not promised"),
        lambda names: f"Promise it in the manifest ({names}=True), if the store keeps it.",
    ),
    (
        re.compile(r"option (\w+) is undeclared.*"),
        lambda name: f'Declare it in the manifest: options={{"{name}": ...}}.',
    ),
    (
        re.compile(r"manifest field (\w+) is (?:undeclared|None)"),
        lambda name: f"Declare it in the manifest: {name}=...",
    ),
    (
        re.compile(r"no filter (.+)"),
        lambda names: f"Name it in the manifest's filters ({names}), if the store's load takes it.",
    ),
    (
        re.compile(r"no program got as far as a successful (.+)"),
        lambda names: f"Each {names} that was tried failed: look at what it raises.",
    ),
    (
        re.compile(r"no two operations of (\w+) overlapped.*"),
        lambda _: "Run it again on a quieter machine, or with a higher effort.",
    ),
)


def opening(reason: str) -> str:
    """What an author can do so that a law is judged next time; empty where nothing is known."""
    for pattern, sentence in PATTERNS:
        found = pattern.fullmatch(reason)
        if found is not None:
            return sentence(found[1])
    return ""
