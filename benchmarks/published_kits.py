"""What the two published kits catch of broken stores, and what this kit catches of the same.

Run it from a checkout::

    pip install -e '.[claude,langgraph]' langgraph-checkpoint-conformance
    python benchmarks/published_kits.py

The suite of the Claude Agent SDK tries a mirror of each liar that stands for a published mutant
(``claude_mirror.py``), the one of LangGraph twenty broken variants of its own saver
(``broken_savers.py``); this kit tries each through the medium that it ships for such stores.
What a kit finds on the stores that are not broken is held against it: a mutant counts as caught
by a law that holds there. With ``--score`` the figures are put into a score: what
``storelaw selftest --report`` wrote, without its rows, is what a release records.
"""

import argparse
import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from broken_savers import SAVERS
from claude_agent_sdk.testing import run_session_store_conformance
from claude_mirror import Mirror, Shelf, mirrored
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.memory import InMemorySaver

from storelaw import catalogue, score
from storelaw.clauses import Law
from storelaw.liars.crowd_honest import LooseMedium
from storelaw.liars.honest import HonestExplicit, HonestMedium
from storelaw.liars.keys import KeyedStore, keyed
from storelaw.liars.mutants import MUTANTS
from storelaw.media.langgraph import MemoryLangGraphMedium
from storelaw.medium import Medium
from storelaw.selftest import all_liars
from storelaw.trial import hold

CLAUDE, LANGGRAPH = "claude-agent-sdk", "langgraph-checkpoint-conformance"

#: The scores that were published for the kits, before this project had liars.
PUBLISHED: Final = {CLAUDE: {"caught": 5, "of": 44}, LANGGRAPH: {"caught": 5, "of": 20}}

NOTES: Final = {
    CLAUDE: (
        "its 14 contracts, run on the liars of the mutants as stores of the SDK's protocol; "
        "published were 4 of the first 20 mutants and 1 of the other 24. "
        "The protocol has no update time of one session but in its list, and this kit's medium "
        "reads none, so that the frozen one is caught by the liar's own port only. "
        "The liar for `deleting subpath agent-1 takes agent-10` deletes by the beginning of "
        "any part of a key, the published one of subpaths alone."
    ),
    LANGGRAPH: (
        "its suite, as far as the saver has the operations, run on 20 broken variants of it. "
        "This kit sees a saver through a graph with one growing list of entries, so that pending "
        "writes, metadata, namespaces and listings of checkpoints are out of its sight."
    ),
}


class HonestKeyed(HonestMedium):
    """The honest store behind the liars with keys of several parts."""

    manifest = keyed("honest-keyed")
    store = KeyedStore


#: What the mirrored liars vary, all of it right.
HONEST: Final[tuple[type[Medium], ...]] = (HonestMedium, HonestExplicit, LooseMedium, HonestKeyed)


def mutants() -> dict[str, list[type[Medium]]]:
    """The liars that stand for each published mutant."""
    return {name: [each.medium for each in all_liars() if name in each.mutants] for name in MUTANTS}


def claude_refuses(kind: type[Medium]) -> bool:
    """Whether the SDK's suite finds anything wrong with the mirror of a liar."""
    with TemporaryDirectory() as folder:
        return asyncio.run(_claude_refuses(lambda: Mirror(Shelf(kind, Path(folder)))))


async def _claude_refuses(make: Any) -> bool:
    tried = run_session_store_conformance(make)
    [outcome] = await asyncio.gather(tried, return_exceptions=True)
    return outcome is not None


def langgraph_refuses(kind: type[InMemorySaver]) -> bool:
    """Whether LangGraph's suite finds anything wrong with a saver."""

    async def made() -> AsyncGenerator[InMemorySaver]:
        yield kind()

    registered = checkpointer_test(name=kind.__name__)(made)
    return not asyncio.run(validate(registered)).passed_all()


def saved(kind: type[InMemorySaver]) -> type[Medium]:
    """The medium by which this kit reaches a saver."""

    class SaverMedium(MemoryLangGraphMedium):
        """A broken saver in the place of LangGraph's own."""

        def __init__(self, workdir: Path) -> None:
            super().__init__(workdir)
            self._shared = kind()

    return SaverMedium


def broken(laws: Iterable[Law], medium: type[Medium]) -> Iterable[str]:
    """The laws that break on a medium by battery, found as they are asked for."""
    return (each.name for each in laws if hold(each, medium, "battery").outcome == "broken")


def held(media: Sequence[type[Medium]]) -> list[Law]:
    """The laws of the store door that break on none of these media."""
    laws = [each for each in catalogue.all_laws("transcript") if each.door == "store"]
    accused = {name for each in media for name in broken(laws, each)}
    for name in sorted(accused):
        print(f"{name} breaks on a store that is not broken, and is left out")
    return [each for each in laws if each.name not in accused]


def compared(
    kit: str,
    zoo: str,
    stores: Mapping[str, Sequence[Any]],
    refuses: Callable[[Any], bool],
    reached: Callable[[Any], type[Medium]],
    honest: Sequence[Any],
) -> dict[str, Any]:
    """One kit beside this one, on the same stores."""
    for each in filter(refuses, honest):
        raise SystemExit(f"{kit} refuses {each.__name__}, which is not broken")
    laws = held([reached(each) for each in honest])
    theirs = [name for name, kinds in stores.items() if any(map(refuses, kinds))]
    ours = [name for name, kinds in stores.items() if any(_first(laws, reached(e)) for e in kinds)]
    return {
        "name": kit,
        "version": version(kit),
        "zoo": zoo,
        "of": list(stores),
        "caught": theirs,
        "ours": ours,
        "published": PUBLISHED[kit],
        "note": NOTES[kit],
    }


def _first(laws: Iterable[Law], medium: type[Medium]) -> bool:
    return next(iter(broken(laws, medium)), None) is not None


def kits() -> list[dict[str, Any]]:
    """Both kits."""
    savers = {name: [kind] for name, kind in SAVERS.items()}
    return [
        compared(CLAUDE, "mutants", mutants(), claude_refuses, mirrored, HONEST),
        compared(LANGGRAPH, "savers", savers, langgraph_refuses, saved, [InMemorySaver]),
    ]


def told(kit: Mapping[str, Any]) -> None:
    """Print what a kit catches, and what this one catches of the same."""
    print(f"\n{kit['name']} {kit['version']}")
    for name in kit["of"]:
        marks = ["caught" if name in kit[side] else "missed" for side in ("caught", "ours")]
        print(f"  {name:<60} {marks[0]:<8} storelaw: {marks[1]}")
    caught, ours, of = (len(kit[each]) for each in ("caught", "ours", "of"))
    published = kit["published"]
    print(f"  {caught} of {of} (published: {published['caught']} of {published['of']})", end="; ")
    print(f"storelaw: {ours} of {of}")


def main() -> None:
    """Compare, print, and write where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the kits' scores")
    parser.add_argument("--score", type=Path, metavar="FILE", help="what selftest --report wrote")
    parser.add_argument("--release", type=Path, metavar="FILE", help="write a release's score")
    given = parser.parse_args()
    found = kits()
    for each in found:
        told(each)
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n", encoding="ascii")
    if given.score and given.release:
        whole = {**json.loads(given.score.read_bytes()), "kits": found}
        words = json.dumps(score.release_of(whole), indent=1)
        given.release.write_text(words + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
