"""Programs over a few sessions whose ids are related."""

from collections.abc import Sequence
from typing import Final

from hypothesis import strategies as st

from storelaw.program import Key, Program, Step, append, call, load
from storelaw.samples import said

#: What happens to a session, writes and reads most often.
_DEEDS: Final = ("append", "append", "append", "load", "load", "delete", "clear")

_MOVES: Final = st.lists(
    st.tuples(st.sampled_from(_DEEDS), st.integers(0, 7)), min_size=3, max_size=8
)


def session_programs(families: st.SearchStrategy[Sequence[Key]]) -> st.SearchStrategy[Program]:
    """Programs that write to, read and empty the sessions of one family, then read them all."""
    return st.builds(_made, families, _MOVES)


def _made(family: Sequence[Key], moves: list[tuple[str, int]]) -> Program:
    steps = [_step(deed, family[which % len(family)], n) for n, (deed, which) in enumerate(moves)]
    return Program((*steps, *(load(each) for each in family)))


def _step(deed: str, key: Key, number: int) -> Step:
    match deed:
        case "append":
            return append(key, said(f"e{number}"), said(f"f{number}"))
        case "load":
            return load(key)
        case _:
            return call(deed, key)
