"""Keys of several parts: compared part by part, and deleted and listed part by part.

These laws apply where the manifest names ``key_parts``.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from storelaw.clauses import Applies, all_of, law
from storelaw.failures import broken
from storelaw.families.isolation import apart
from storelaw.manifest import Manifest
from storelaw.model.logs import Logs
from storelaw.model.owners import judge_apart, looked, losses, under
from storelaw.program import Key, Program, append, call, list_sessions, load, program
from storelaw.samples import said
from storelaw.strategies.ids import joined_apart, key, one_part_apart, related_keys, required
from storelaw.strategies.sharing import session_programs
from storelaw.trace import Trace
from storelaw.values import is_array, is_tuple

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_SOURCE = ["kit-keys"]


def parts(least: int) -> Applies:
    """Outside the law where keys have fewer parts than this."""

    def applies(manifest: Manifest) -> str | None:
        enough = len(manifest.key_parts) >= least
        return None if enough else f"keys have {len(manifest.key_parts) or 'no'} parts"

    return applies


def optional(manifest: Manifest) -> str | None:
    """Outside the law where no part of a key may be left out."""
    return None if manifest.optional_parts else "no part of a key may be left out"


def by_part(*families: tuple[str, ...]) -> Callable[[Manifest], list[Program]]:
    """For each family and part, write to and read keys that differ in that part alone."""
    return lambda manifest: [
        apart(keys) for each in families for keys in one_part_apart(manifest, each)
    ]


def _generated(manifest: Manifest) -> "SearchStrategy[Program]":
    return session_programs(related_keys(manifest))


@law(
    family="isolation",
    source=_SOURCE,
    incidents=["F51"],
    battery=by_part(("one", "two")),
    applies=parts(2),
    programs=_generated,
    weight=3,
)
def every_part_of_a_key_counts(trace: Trace) -> str | None:
    """Keys that differ in one part are different sessions, whichever part it is.

    A store breaks it by a query over the session id alone: two users who chose the same
    id then read each other's history.
    """
    return judge_apart(trace, "keys that differ in one part are different sessions.")


@law(
    family="isolation",
    source=_SOURCE,
    incidents=["F54"],
    battery=by_part(("project", "Project")),
    applies=parts(2),
)
def key_parts_that_differ_in_case_are_different(trace: Trace) -> str | None:
    """Keys with a part that differs only in case are different sessions.

    A store breaks it by folding the name of a project or user.
    """
    return judge_apart(trace, "key parts that differ in case are different.")


@law(
    family="isolation",
    source=_SOURCE,
    incidents=["F52"],
    battery=lambda manifest: [apart(each) for each in joined_apart(manifest)],
    applies=parts(2),
)
def key_parts_are_never_joined_unescaped(trace: Trace) -> str | None:
    """Keys stay different when a separator stands in one part instead of in the next.

    A store breaks it by joining the parts to one text without escaping the separator.
    """
    return judge_apart(trace, "a separator within a part doesn't end that part.")


@law(
    family="isolation",
    source=_SOURCE,
    incidents=["F55"],
    battery=by_part(("b", "./b"), ("b", "a/../b"), ("b", "b/"), ("a/b", "a//b"), ("..", "b")),
    applies=parts(2),
)
def key_parts_are_not_read_as_paths(trace: Trace) -> str | None:
    """Key parts that would name one file, read as paths, are different.

    A store breaks it by normalising a part as a path.
    """
    return judge_apart(trace, "a key part is no path: other spellings are other parts.")


@law(
    family="isolation",
    source=_SOURCE,
    incidents=["F51"],
    battery=lambda manifest: [
        apart([key(manifest, {}, n), key(manifest, {}, n + 1)])
        for n in range(required(manifest), len(manifest.key_parts))
    ],
    applies=all_of(parts(2), optional),
)
def a_shorter_key_is_a_session_of_its_own(trace: Trace) -> str | None:
    """A key and the keys that lie under it are different sessions.

    A store breaks it by leaving an optional part out of its query, or by filling it in.
    """
    return judge_apart(trace, "a key and the keys under it are different sessions.")


def _family_tree(manifest: Manifest) -> list[Program]:
    least, most = required(manifest), len(manifest.key_parts)
    parent = key(manifest, {}, least)
    children = [key(manifest, {least: each}, most) for each in ("one", "two/three")]
    return [
        program(
            append(parent, said("1")),
            *(append(each, said(str(n))) for n, each in enumerate(children, start=2)),
            call("delete", parent),
            *(load(each) for each in children),
        )
    ]


@law(
    family="isolation",
    operations=["append", "load", "delete"],
    source=["kit-keys"],
    incidents=["F57"],
    battery=_family_tree,
    applies=all_of(parts(2), optional),
)
def deleting_a_key_takes_what_lies_under_it(trace: Trace) -> None:
    """Deleting a key deletes the sessions whose keys lie under it.

    A store breaks it by deleting the one row of the key: what its helpers wrote under it
    stays readable.
    """
    logs = Logs()
    deleted: list[Key] = []
    for event in trace.events:
        own = event.step.session
        if event.step.do == "delete" and event.ok:
            deleted.append(own)
        elif event.step.do == "append":
            deleted = [each for each in deleted if not under(own, each)]
        if looked(event) and any(under(own, each) for each in deleted):
            broken(
                event,
                expected=[],
                observed=event.value,
                because="deleting a key deletes what lies under it.",
            )
        logs.feed(event)


_TWINS = (("agent-1", "agent-10"), ("a_", "ab"), ("a%", "ab"), ("a*", "ab"), ("a", "a/b"))


def _siblings(manifest: Manifest) -> list[Program]:
    return [
        program(
            append(stays, said("1"), said("2")),
            append(goes, said("3")),
            load(stays),
            call("delete", goes),
            load(stays),
        )
        for each in _TWINS
        for goes, stays in one_part_apart(manifest, each)
    ]


@law(
    family="isolation",
    operations=["append", "load", "delete"],
    source=["kit-keys"],
    incidents=["F53"],
    battery=_siblings,
    applies=parts(2),
)
def deleting_a_key_leaves_what_shares_its_beginning(trace: Trace) -> None:
    """Deleting a key leaves the keys that merely begin with the same text, or match it.

    A store breaks it by deleting a range of joined keys: with agent-1 goes agent-10.
    """
    deleted = [each.step.session for each in trace.of("delete")]
    for loss in losses(trace):
        if deleted and not loss.after:
            broken(
                loss.event,
                expected=loss.before,
                observed=loss.after,
                because="deleting a key takes only that key and what lies under it.",
            )


def _prefixes(manifest: Manifest) -> list[Program]:
    return [
        program(
            *(append(each, said(str(n))) for n, each in enumerate(keys)),
            *(load(each) for each in keys),
            list_sessions(prefix=prefix),
        )
        for family in (("p1", "p10"), ("p_", "px"), ("p%", "px"), ("p*", "px"), ("p", "P"))
        for keys, prefix in _under_prefix(manifest, family)
    ]


def _under_prefix(
    manifest: Manifest, family: Iterable[str]
) -> list[tuple[list[Key], tuple[str, ...]]]:
    names = list(family)
    return [
        (
            [key(manifest, {index: each}) for each in names],
            (*manifest.key_parts[:index], names[0]),
        )
        for index in range(required(manifest) - 1)
    ]


@law(
    family="isolation",
    operations=["append", "load", "list_sessions"],
    source=["kit-list"],
    incidents=["F53", "F11"],
    battery=_prefixes,
    applies=lambda manifest: None if required(manifest) > 1 else "keys have no leading parts",
)
def listing_under_a_prefix_is_exact(trace: Trace) -> None:
    """A listing under leading parts names the keys with exactly those parts.

    A store breaks it by comparing the beginning of a text, or by matching a pattern.
    """
    for event in trace.of("list_sessions"):
        prefix = tuple(event["prefix"] or ())
        named = [_key_of(each) for each in event.value or ()]
        strange = [each for each in named if not under(each, prefix)]
        if prefix and strange:
            broken(
                event,
                expected=[list(each) for each in named if each not in strange],
                observed=[list(each) for each in named],
                because="a prefix selects the keys with exactly these leading parts.",
            )


def _key_of(name: object) -> tuple[str, ...]:
    if is_tuple(name) or is_array(name):
        return tuple(str(each) for each in name)
    return (str(name),)
