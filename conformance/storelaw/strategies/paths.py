"""Generated paths: stored entries in one chain, of every kind and in every order.

Leaves come from small pools, so that texts repeat, ids are related, and an anchor may name
any entry of the path, one that lies behind it, or none.
"""

from collections.abc import Callable
from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from storelaw.paths import chained, summary
from storelaw.program import Draft, Program
from storelaw.samples import assistant, calls, meta, note, result, text_block, user
from storelaw.strategies.turns import PICKS, Script, programs
from storelaw.values import Entry

#: Ids that a careless comparison takes for each other.
IDS: Final = ("a", "A", "a ", "aa", "a-1", "a-10", "b", "0", "00", "é", "e\u0301", "%")
TEXTS: Final = ("yes", "yes", "Yes", "go on", "two\nlines", "\u2028", "")
TIMES: Final = (
    "2026-01-01T00:00:00Z",
    "2026-01-01T00:00:00.000000001Z",
    "2025-12-31T23:59:59Z",
    "2026-01-01T02:00:00+02:00",
    "2025-12-31T23:59:58Z",
)
REMINDER: Final[Entry] = {"type": "reminder", "text": "the file changed", "origin": "watcher"}
THOUGHT: Final[Entry] = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
PICTURE: Final[Entry] = {"type": "image", "data": "aGk=", "mime_type": "image/png"}
MISSING: Final = "missing"


def _turn(label: str, text: str) -> tuple[Draft, ...]:
    call = f"call-{label}"
    back = result(f"{label}/result", call, text_block(text), REMINDER, PICTURE)
    return calls(f"{label}/call", call), back


def _silent(label: str, _: str) -> tuple[Draft, ...]:
    return (Draft(label, {"type": "message", "message": {"role": "assistant", "content": None}}),)


_SAID: Final[dict[str, Callable[[str, str], tuple[Draft, ...]]]] = {
    "user": lambda label, text: (user(label, text),),
    "assistant": lambda label, text: (assistant(label, THOUGHT, text),),
    "meta": lambda label, text: (meta(label, text, REMINDER),),
    "custom": lambda label, text: (note(label, text=text),),
    "turn": _turn,
    "silent": _silent,
}
KINDS: Final = tuple(_SAID)


@st.composite
def paths(draw: DrawFn, most: int = 7, summaries: int = 0) -> list[Entry]:
    """Paths of stored entries; ``summaries`` is the most compactions that they hold."""
    pairs = st.tuples(st.sampled_from(KINDS), st.sampled_from(TEXTS))
    drawn = draw(st.lists(pairs, min_size=1, max_size=most))
    start = draw(st.sampled_from(PICKS))
    made: list[Draft] = []
    for place, (kind, text) in enumerate(drawn):
        made.extend(_SAID[kind](IDS[(start + place) % len(IDS)], text))
    for number in range(start % summaries + 1 if summaries else 0):
        anchor = draw(st.sampled_from([each.label for each in made] + [MISSING, ""]))
        made.insert(1 + draw(st.sampled_from(PICKS)) % len(made), summary(f"C{number}", anchor))
    return chained(*made, created=tuple(TIMES[(start * at) % 5] for at in range(len(made))))


def _read_both(script: Script) -> None:
    script.read("messages", "transcript")


def conversations() -> SearchStrategy[Program]:
    """Sessions that are talked to, branched, compacted and reopened, and then read."""
    return programs(("say", "run", "run", "branch", "compact", "reopen"), _read_both, least=2)


def compactings() -> SearchStrategy[Program]:
    """Sessions that are compacted again and again, between turns, branches and restarts."""
    return programs(
        ("run", "run", "say", "compact", "compact", "branch", "reopen"), _read_both, least=3, most=8
    )
