"""The score as a page of Markdown, one function from the document."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, TypeAlias

Score: TypeAlias = Mapping[str, Any]

#: How a reader gets the kits' figures again.
REPEAT: Final = """\
```console
$ pip install -e '.[claude,langgraph]' langgraph-checkpoint-conformance
$ python benchmarks/published_kits.py
```"""

SELFTEST: Final = """\
```console
$ storelaw selftest --report score.json --page score.md
```"""


def page(score: Score) -> str:
    """The page of a score: the document of a run, or the part of it that a release records.

    Sections whose rows the document lacks are left out.
    """
    sections = (
        _head(score),
        _generated(score),
        _never_alone(score),
        _strangers(score),
        _mutants(score),
        _kits(score),
        _matrix(score),
    )
    return "\n\n\n".join("\n".join(each) for each in map(list, sections) if each) + "\n"


def _head(score: Score) -> Iterator[str]:
    totals = score["totals"]
    family = "" if score["family"] is None else f" of the family `{score['family']}`"
    yield f"# The mutation score of storelaw {score['kit']}"
    yield ""
    yield (
        f"{totals['caught']} of {totals['liars']} liars are caught by the "
        f"{totals['laws']} laws{family}."
    )
    yield (
        f"{totals['mutants_caught']} of {totals['mutants']} published mutants are among what is "
        "caught."
    )
    yield (
        f"{totals['strangers']} honest strangers were held against the same laws, with "
        f"{totals['accusations']} accusations."
    )
    yield (
        f"The selftest found {totals['problems']} problems, with Hypothesis "
        f"{score['hypothesis']} on Python {score['python']}."
    )
    yield "This says how well the kit finds faults, and nothing about any store of yours."
    yield ""
    yield "The same figures again, from a checkout:"
    yield ""
    yield SELFTEST


def _generated(score: Score) -> Iterator[str]:
    alone, only = score["programs_alone"], score["only_by_programs"]
    yield "## Generated programs"
    yield ""
    yield (
        "A law is tried first by its battery, the fixed programs with the constants that "
        "matter, and then by generated programs."
    )
    if only:
        yield f"Only generated programs catch these liars, no battery does: {_ticked(only)}."
    else:
        yield "Each liar is caught by a battery; no liar needs generated programs."
    if alone["liars"]:
        found = alone["quick"] + alone["standard"] + alone["deep"]
        yield (
            f"Without any battery, generated programs alone catch {found} of the "
            f"{alone['liars']} liars whose law has them: {alone['quick']} at quick effort, "
            f"{alone['standard']} more at standard and {alone['deep']} more at deep."
        )
    if alone["missed"]:
        yield f"They miss these, which only a battery catches: {_ticked(alone['missed'])}."


def _never_alone(score: Score) -> Iterator[str]:
    yield "## Laws that never fail alone"
    yield ""
    if not score["never_alone"]:
        yield "Each law has a liar that breaks it and nothing else."
        return
    yield (
        f"Each liar of these {len(score['never_alone'])} laws breaks another law too, so that "
        "none of them ever is the only one that tells of a fault."
    )
    yield ""
    beside = {each["name"]: each["beside"] for each in score.get("laws", ())}
    if beside:
        yield "What stands beside a law broke on each of its liars."
        yield ""
        yield from _table(
            ("law", "breaks only beside"),
            ((f"`{each}`", _ticked(beside[each]) or "-") for each in score["never_alone"]),
        )
    else:
        yield from (f"* `{each}`" for each in score["never_alone"])


def _strangers(score: Score) -> Iterator[str]:
    if "strangers" not in score:
        return
    yield "## Honest strangers"
    yield ""
    yield "Stores that look odd and are right; what is held against one is a fault of the kit."
    yield ""
    names = [each["name"] for each in score["strangers"]]
    yield f"They are {_ticked(names)}."
    accusations = [(e["name"], one) for e in score["strangers"] for one in e["against"]]
    if not accusations:
        yield "Nothing was held against any of them."
        return
    yield ""
    yield from _table(
        ("stranger", "law that accuses it", "in words"),
        (
            (f"`{name}`", f"`{one['law']}`", _plain(one["words"].splitlines()[0]))
            for name, one in accusations
        ),
    )


def _mutants(score: Score) -> Iterator[str]:
    kits = [each for each in score["kits"] if each["zoo"] == "mutants"]
    yield "## The published mutants"
    yield ""
    yield "What each of them is, and how it was found, is told on the page of the mutants."
    yield ""
    yield from _table(
        ("mutant", "liars", "storelaw", *(each["name"] for each in kits)),
        (
            (
                _plain(each["name"]),
                _ticked(each["liars"]),
                _told(each["caught"]),
                *(_told(each["name"] in kit["caught"]) for kit in kits),
            )
            for each in score["mutants"]
        ),
    )


def _kits(score: Score) -> Iterator[str]:
    if not score["kits"]:
        return
    yield "## The published kits"
    yield ""
    yield "Each kit ran on the same broken stores as this one, in the protocol of that kit."
    yield "What was published before was measured on stores made for that purpose."
    yield ""
    yield from _table(
        ("kit", "version", "broken stores", "it catches", "published", "storelaw on the same"),
        map(_kit, score["kits"]),
    )
    yield ""
    yield from (f"* {each['name']}: {each['note']}" for each in score["kits"])
    yield ""
    yield "The same figures again, from a checkout:"
    yield ""
    yield REPEAT


def _kit(kit: Score) -> Sequence[str]:
    published = kit["published"]
    return (
        kit["name"],
        kit["version"],
        str(len(kit["of"])),
        str(len(kit["caught"])),
        f"{published['caught']} of {published['of']}",
        str(len(kit["ours"])),
    )


def _matrix(score: Score) -> Iterator[str]:
    if not score.get("liars"):
        return
    yield "## Which law caught which liar"
    yield ""
    yield "The examples are the programs that were played until the first one broke the law."
    yield "The seconds are those that it took to find and to reduce it, on the machine of the run."
    for family, rows in groupby(score["liars"], lambda each: str(each["family"])):
        yield ""
        yield ""
        yield f"### {family or 'unknown laws'}"
        yield ""
        yield from _table(
            ("liar", "law", "caught by", "examples", "seconds", "programs alone", "also breaks"),
            map(_liar, rows),
        )


def _liar(row: Score) -> Sequence[str]:
    return (
        f"`{row['name']}`",
        f"`{row['law']}`",
        row["caught_by"] or "**not caught**",
        str(row["examples"]),
        f"{row['seconds']:.2f}",
        _search(row.get("programs_alone")),
        _beside(row),
    )


def _beside(row: Score) -> str:
    """The other laws that broke, those apart that need not break each time."""
    at_times = [f"`{each}` at times" for each in row["at_times"]]
    return ", ".join([*(f"`{each}`" for each in row["others"]), *at_times]) or "-"


def _search(found: Score | None) -> str:
    if found is None:
        return "-"
    if not found["effort"]:
        return f"missed by {found['programs']}"
    return f"{found['effort']}, after {found['programs']}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"| {' | '.join('---' for _ in head)} |"
    yield from (f"| {' | '.join(each)} |" for each in rows)


def _ticked(names: Iterable[str]) -> str:
    return ", ".join(f"`{each}`" for each in names)


def _plain(words: str) -> str:
    """Words that Markdown takes for nothing else."""
    return "".join(f"\\{each}" if each in "\\`*_{}[]<>#|^" else each for each in words)


def _told(caught: bool) -> str:
    return "caught" if caught else "missed"
