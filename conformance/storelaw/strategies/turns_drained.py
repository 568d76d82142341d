"""Programs that fill and drain an inbox."""

from hypothesis import strategies as st

from storelaw.program import Program, ask, door
from storelaw.turn_samples import CHAT, done, inbox


@st.composite
def drained(draw: st.DrawFn) -> Program:
    """Programs in which some messages wait, some are marked, and a drain comes last."""
    places = draw(st.lists(st.sampled_from((0, 1, 2, 9, 10)), unique=True, min_size=1, max_size=4))
    marked = draw(st.lists(st.sampled_from(places), unique=True, max_size=2))
    signed = draw(st.booleans())
    more = {"author": "user:YQ", "via": CHAT} if signed else {}
    waiting = [{**inbox(each, draw(st.sampled_from(("hi", "there")))), **more} for each in places]
    made = [*waiting, *map(done, marked)]
    appends = (ask("A", "append", entries=(each,), one=True) for each in made)
    return Program((door("appender", "A", "n/one"), *appends, ask("A", "drain_inbox", 11)))
