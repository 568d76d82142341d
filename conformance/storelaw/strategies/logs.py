"""Programs of a store's log: how entries are written, and histories of several sessions."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from storelaw.clauses import Battery
from storelaw.manifest import Manifest
from storelaw.program import Item, Key, Many, Program, Step, append, load, program
from storelaw.samples import said
from storelaw.values import Entry

#: The entry that is written last, so that a store that loses the newest entry breaks few laws.
GUARD: Final = said("guard")


def written(manifest: Manifest, session: Key, *items: Item) -> tuple[Step, ...]:
    """Entries in one batch, or one by one where the store takes no batches."""
    if manifest.batch != "one":
        return (append(session, *items),)
    single: list[Entry] = []
    for each in items:
        single.extend(each.expanded() if isinstance(each, Many) else [_entry(each)])
    return tuple(append(session, each) for each in single)


def _entry(item: Item) -> Entry:
    return item if isinstance(item, dict) else item.entry


def guarded(manifest: Manifest, *items: Item, session: Key = "s") -> Program:
    """A session with these entries and a guard after them, read once."""
    return program(*written(manifest, session, *items), append(session, GUARD), load(session))


def holding(*items: Item) -> Battery:
    """The battery of one guarded session with these entries."""
    return lambda manifest: [guarded(manifest, *items)]


def each_holding(*items: Item) -> Battery:
    """A battery with one guarded session for each of these entries."""
    return lambda manifest: [guarded(manifest, each) for each in items]


def logs_of(
    bodies: SearchStrategy[Entry], manifest: Manifest, most: int = 4
) -> SearchStrategy[Program]:
    """Guarded sessions whose entries have generated bodies and numbered ids."""
    numbered = st.lists(bodies, min_size=1, max_size=most).map(_numbered)
    return numbered.map(lambda entries: guarded(manifest, *entries))


def _numbered(bodies: Iterable[Entry]) -> list[Entry]:
    return [{**each, "id": f"e-{index}"} for index, each in enumerate(bodies)]


#: Time stamps that stand still, step back, jump, and change their zone.
STAMPS: Final = (
    "2026-01-01T00:00:00Z",
    "2026-01-01T00:00:00.040Z",
    "2026-01-01T01:00:00+01:00",
    "2025-12-31T19:00:00-05:00",
    "2025-12-31T23:59:59.960Z",
    "2026-01-01T00:00:00.000000001Z",
)

#: Makes the id of an entry from its place in the program.
IDS: Final[Sequence[Callable[[int], str]]] = (
    lambda index: f"{index}",
    lambda index: f"{99 - index:02d}",
    lambda index: f"{index * 7919 % 97:04x}",
    lambda index: f"019b76da-a800-7{(4 - index) % 4096:03x}-8000-000000000000",
)


def histories(manifest: Manifest) -> SearchStrategy[Program]:
    """Appends to two sessions in turns, with ids and stamps that tell another order."""
    naming: SearchStrategy[Callable[[int], str]] = st.sampled_from(IDS)
    write = st.tuples(
        st.sampled_from(("s", "s", "t")), st.lists(st.sampled_from(STAMPS), min_size=1, max_size=4)
    )
    writes = st.lists(write, min_size=1, max_size=8)
    return st.builds(_history, st.just(manifest), naming, writes)


def _history(
    manifest: Manifest, name: Callable[[int], str], writes: Iterable[tuple[str, list[str]]]
) -> Program:
    steps: list[Step] = []
    count = 0
    for session, stamps in writes:
        batch = [
            said(name(count + index), f"entry {count + index}", created=stamp)
            for index, stamp in enumerate(stamps)
        ]
        count += len(batch)
        steps.extend(written(manifest, session, *batch))
    return program(*steps, load("s"), load("t"))


def repeats(manifest: Manifest) -> SearchStrategy[Program]:
    """Sessions in which short texts come again and again under different ids."""
    texts = st.lists(st.sampled_from(("yes", "no")), min_size=2, max_size=6)

    def made(drawn: Sequence[str]) -> Program:
        return guarded(manifest, *(said(f"e-{i}", text) for i, text in enumerate(drawn)))

    return texts.map(made)


def without_id(entry: Entry) -> Entry:
    """The entry without its id."""
    return {name: value for name, value in entry.items() if name != "id"}
