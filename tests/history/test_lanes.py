"""The picture of a contradiction, compared whole."""

from dataclasses import replace

import pytest

from storelaw.history import KINDS, Anomaly, anomalies, every_anomaly, lanes

from . import stores
from .notation import history

FIRST = "A append a1 | 1 2\n"

PICTURES: dict[str, tuple[str, str, str]] = {
    "lost": (
        FIRST + "B append b1 | 3 4\nA load b1 | 5 6",
        "per-writer",
        """
ticket  A, handle 0
     1  + append a1
     2  + ok
     5  + load
     6  + saw b1      <-- a1 is missing
""",
    ),
    "real-time-order": (
        FIRST + "B/1 append b1 b2 | 4 7\nC/2 load b1 b2 a1 | 5 9",
        "real-time",
        """
ticket  A, handle 0   B, handle 1      C, handle 2
     1  + append a1
     2  + ok
     4                + append b1 b2
     5                |                + load
     7                + ok             |
     9                                 + saw b1 b2 a1   <-- a1 stands after b1
""",
    ),
    "forked": (
        "A append a1 | 1 - unknown\nB append b1 | 2 3\nA load b1 a1 | 5 8\nB load a1 | 6 7",
        "sequential",
        """
ticket  A, handle 0   B, handle 0
     5  + load
     6  |             + load
     7  |             + saw a1
     8  + saw b1 a1                 <-- b1 and a1 can't both come first
""",
    ),
    "invented": (
        "A append a1 | 1 - unknown\nB append t: b1 | 2 3 failed\nA load a1 b1 | 5 6",
        "sequential",
        """
ticket  B, handle 0, session t   A, handle 0, session s
     2  + append b1
     3  + refused
     5                           + load
     6                           + saw a1 b1              <-- b1 was not sent to this session
""",
    ),
    "split-batch": (
        "A append a1 a2 a3 a4 a5 a6 | 1 - unknown\nB load a1 a2 a3 a4 a6 | 2 9",
        "sequential",
        """
ticket  A, handle 0         B, handle 0
     1  + append .. a5 a6
     2  |                   + load
     9  |                   + saw .. a6   <-- a6 is there, a5 is not
     -  + no end seen
""",
    ),
    "stale": (
        FIRST + "B append b1 b2 b3 b4 b5 | 3 4\nC load b1 b2 b3 b4 b5 | 5 6\nA append z | 7 8",
        "real-time",
        """
ticket  A, handle 0   C, handle 0
     1  + append a1
     2  + ok
     5                + load
     6                + saw 5 others   <-- a1 is missing
""",
    ),
    "visible-failure": (
        "A append \u00e9 | 1 2 failed\nB append b | 3 4 unknown\nA load \u00e9 | 5 6",
        "per-writer",
        """
ticket  A, handle 0
     1  + append \\xe9
     2  + refused
     5  + load
     6  + saw \\xe9      <-- \\xe9 was refused
""",
    ),
    "back-in-time": (
        "A append a-very-long-tag-1 | 1 9\nA load a-very-long-tag-1 | 2 3\nA load | 4 5",
        "sequential",
        """
ticket  A, handle 0
     2  + load
     3  + saw a-very..ng-tag-1
     4  + load
     5  + saw nothing            <-- a-very..ng-tag-1 was there and is gone
""",
    ),
    "reordered": (
        "A append a1 a2 | 1 4 unknown\nA load a2 a1 | 2 3",
        "per-writer",
        """
ticket  A, handle 0      A, handle 0
     1  + append a1 a2
     2  |                + load
     3  |                + saw a2 a1   <-- a1 stands after a2
     4  + no answer
""",
    ),
}


def chosen(kind: str, text: str, consistency: str) -> Anomaly:
    """The anomaly of one kind."""
    found = {each.kind: each for each in anomalies(history(text), consistency)}
    return next(each for name, each in found.items() if name == kind)


@pytest.mark.parametrize("kind", PICTURES)
def test_a_contradiction_is_drawn(kind: str) -> None:
    """A lane for each writer, time downwards, the contradiction at the load."""
    text, consistency, picture = PICTURES[kind]
    assert lanes(chosen(kind, text, consistency)) == picture.strip("\n")


def test_parts_of_a_session_id_are_told_apart() -> None:
    """A session that has parts is named by all of them."""
    found = chosen("invented", *PICTURES["invented"][:2])
    first, second = found.acts
    parted = replace(found, acts=(replace(first, session=("p", "t")), second))
    assert lanes(parted).splitlines()[0].split("   ")[0] == "ticket  B, handle 0, session p/t"


def test_any_picture_is_small_and_plain() -> None:
    """At most seven lines for three acts, ASCII only, and one mark."""
    for store in (stores.LostUpdate, stores.Clocked, stores.Torn, stores.Mixing, stores.Cached):
        for seed in range(5):
            seen = stores.played(store, seed, whole=True)
            for each in every_anomaly(seen, "real-time", "atomic"):
                picture = lanes(each)
                assert picture.isascii()
                assert len(picture.splitlines()) == 1 + 2 * len(each.acts) <= 7
                assert picture.count("<--") == 1
                assert each.kind in KINDS
