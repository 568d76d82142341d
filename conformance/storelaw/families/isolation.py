"""Sessions never share data: related session ids are different ids.

One law for each way in which ids are related. Ids with separators, wildcards, blanks,
controls, and case and normalisation twins may be refused; nothing may be merged or lost.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from storelaw.clauses import Battery, law
from storelaw.failures import broken
from storelaw.manifest import Manifest
from storelaw.model.owners import judge_apart, owned
from storelaw.program import Key, Program, append, list_sessions, load, program
from storelaw.samples import said
from storelaw.strategies.ids import ESCAPES, FAMILIES, LEGAL, Family, fitting, longest, related_ids
from storelaw.strategies.sharing import session_programs
from storelaw.trace import Trace

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_LEGAL = "kit-ids"


def apart(keys: Iterable[Key]) -> Program:
    """Write two entries to each session, then read all of them."""
    listed = list(keys)
    writes = [append(each, said(f"{n}a"), said(f"{n}b")) for n, each in enumerate(listed, start=1)]
    return program(*writes, *(load(each) for each in listed))


def families_of(*names: str) -> Callable[[Manifest], list[Family]]:
    """The families of these names that a manifest's limits allow."""
    return lambda manifest: fitting(manifest, [f for name in names for f in FAMILIES[name]])


def each_apart(*names: str) -> Battery:
    """One program for each family of ids."""
    chosen = families_of(*names)
    return lambda manifest: [apart(each) for each in chosen(manifest)]


def fits(*names: str) -> Callable[[Manifest], str | None]:
    """Outside the law where a manifest allows no id of these families."""
    chosen = families_of(*names)
    return lambda manifest: (
        None if chosen(manifest) else f"ids end at {longest(manifest)} characters"
    )


def _sessions(manifest: Manifest) -> "SearchStrategy[Program]":
    return session_programs(related_ids(manifest))


@law(
    family="isolation",
    source=["kit-isolation"],
    incidents=["F51", "F52"],
    battery=each_apart("plain"),
    programs=_sessions,
    weight=4,
)
def sessions_never_share_entries(trace: Trace) -> str | None:
    """A session shows its own entries, and none of another session.

    A store breaks it by leaving the session id out of a query, or out of the key.
    """
    return judge_apart(trace, "a session shows no entry of another session.")


@law(
    family="isolation",
    source=[_LEGAL],
    incidents=["F54"],
    battery=each_apart("case"),
)
def session_ids_that_differ_in_case_are_different(trace: Trace) -> str | None:
    """Session ids that differ only in the case of a letter are different sessions.

    A store breaks it by a case-insensitive collation, or by files on a file system that
    folds case: two tenants then read one history.
    """
    return judge_apart(trace, "ids that differ in case are different sessions.")


@law(
    family="isolation",
    source=[_LEGAL],
    incidents=["F54"],
    battery=each_apart("blanks"),
)
def session_ids_that_differ_in_outer_blanks_are_different(trace: Trace) -> str | None:
    """Session ids that differ only in leading or trailing blanks are different sessions.

    A store breaks it by stripping ids, or by a collation that pads with blanks.
    """
    return judge_apart(
        trace, "ids that differ in leading or trailing blanks are different sessions."
    )


@law(
    family="isolation",
    source=[_LEGAL],
    incidents=["F54"],
    battery=each_apart("forms"),
)
def session_ids_that_differ_in_unicode_form_are_different(trace: Trace) -> str | None:
    """Session ids that are equal only after Unicode normalisation are different sessions.

    A store breaks it by normalising ids, or by a file system that does (NFD on some): a
    session is then merged with another, or written under one form and sought under the other.
    """
    return judge_apart(trace, "ids of different Unicode form are different sessions.")


@law(
    family="isolation",
    source=[_LEGAL],
    incidents=["F53"],
    battery=each_apart("wildcards"),
)
def wildcards_in_session_ids_match_only_themselves(trace: Trace) -> str | None:
    """A wildcard in a session id stands for itself: no other session is read by it.

    A store breaks it by a LIKE, a glob or a regular expression over ids.
    """
    return judge_apart(
        trace, "an id is compared, not matched: wildcards in it stand for themselves."
    )


@law(
    family="isolation",
    source=["kit-ids"],
    incidents=["F53"],
    battery=each_apart("prefixes"),
)
def a_session_id_that_begins_another_is_different(trace: Trace) -> str | None:
    """A session whose id begins with another session's id is a session of its own.

    A store breaks it by scanning a key range or a file name by bare prefix.
    """
    return judge_apart(trace, "an id that begins with another id is a session of its own.")


@law(
    family="isolation",
    source=[_LEGAL, "PI-L9"],
    incidents=["F52"],
    battery=each_apart("separators"),
)
def session_ids_that_differ_in_separators_are_different(trace: Trace) -> str | None:
    """Session ids that differ only in their separators are different sessions.

    A store breaks it by turning an id into a file name or slug, where each separator
    becomes a dash: the histories of two directories are then one.
    """
    return judge_apart(trace, "ids that differ in a separator are different sessions.")


@law(
    family="isolation",
    source=[_LEGAL],
    incidents=["F52"],
    battery=each_apart("tails"),
    applies=fits("tails"),
)
def long_session_ids_are_compared_to_their_end(trace: Trace) -> str | None:
    """Session ids that differ only beyond their 64th character are different sessions.

    A store breaks it by cutting ids to the width of a column or of a file name.
    """
    return judge_apart(trace, "ids are compared to their end, beyond the 64th character too.")


@law(
    family="isolation",
    source=[_LEGAL],
    incidents=["F52"],
    battery=each_apart("middles"),
    applies=fits("middles"),
)
def session_ids_are_compared_in_their_middle(trace: Trace) -> str | None:
    """Session ids with the same first and last eight characters are different sessions.

    A store breaks it by naming a session after a short form of its id.
    """
    return judge_apart(trace, "ids are compared in their middle, not only at their ends.")


@law(
    family="isolation",
    source=[_LEGAL, "PI-L9"],
    incidents=["F52", "F55"],
    battery=each_apart("paths"),
)
def session_ids_are_not_read_as_paths(trace: Trace) -> str | None:
    """Session ids that would name one file, read as paths, are different sessions.

    A store breaks it by joining ids to a directory, or by normalising them as paths.
    """
    return judge_apart(trace, "an id is no path: other spellings of a path are other sessions.")


@law(
    family="isolation",
    source=[_LEGAL],
    incidents=["F41", "F52"],
    battery=each_apart("nul"),
)
def session_ids_do_not_end_at_a_nul(trace: Trace) -> str | None:
    """Session ids that differ only from a NUL character on are different sessions.

    A store breaks it by handing ids to code that ends a string at NUL.
    """
    return judge_apart(trace, "an id doesn't end at a NUL character.")


@law(
    family="isolation",
    source=["kit-ids"],
    incidents=["F54"],
    battery=each_apart("numbers"),
)
def session_ids_are_not_read_as_numbers(trace: Trace) -> str | None:
    """Session ids that are spellings of one number are different sessions.

    A store breaks it by a column of numeric affinity, or a parser that guesses types.
    """
    return judge_apart(trace, "an id is no number: other spellings of a number are other sessions.")


@law(
    family="isolation",
    source=[_LEGAL],
    incidents=["F52"],
    battery=each_apart("scripts"),
)
def session_ids_in_any_script_are_different(trace: Trace) -> str | None:
    """Session ids without a Latin letter are as different as any others.

    A store breaks it by replacing each run of other characters by one dash, so that all
    such ids fall together.
    """
    return judge_apart(trace, "ids in any script are compared as they are.")


def _accepted(manifest: Manifest) -> list[Program]:
    most = len(LEGAL) if manifest.max_id is None else -1
    ids = [each for each in LEGAL[:most] if len(each) <= longest(manifest)]
    return [program(append(each, said("1"), said("2")), load(each)) for each in ids]


@law(
    family="isolation",
    source=[_LEGAL],
    incidents=["F12"],
    battery=_accepted,
)
def legal_session_ids_are_accepted(trace: Trace) -> None:
    """Where no limit is declared, an id of 1 to 128 characters of any script is accepted.

    A store breaks it by a check that knows only the ids its author thought of.
    """
    for event in trace.of("create", "append", "append_one"):
        if event.raised and event.step.session in LEGAL:
            broken(
                event,
                expected="accepted",
                observed="refused",
                because="an id without controls, blanks and separators is legal.",
            )


def _listed(manifest: Manifest) -> list[Program]:
    chosen = families_of("case", "blanks", "wildcards", "prefixes", "separators", "scripts")
    return [
        program(
            *(append(each, said(str(n))) for n, each in enumerate((*family, "guard"))),
            *(load(each) for each in family),
            list_sessions(),
        )
        for family in chosen(manifest)
    ]


@law(
    family="isolation",
    operations=["append", "load", "list_sessions"],
    source=["kit-list"],
    incidents=["F11", "F52"],
    battery=_listed,
)
def listing_names_related_sessions_apart(trace: Trace) -> None:
    """A listing names each session that loads, under its own id.

    A store breaks it by listing the keys it made of the ids, or folded ids.
    """
    for event in trace.of("list_sessions"):
        named = list(event.value or [])
        for each in _shown(trace.upto(event.index)):
            if each not in named and any(related(each, other) for other in named):
                broken(
                    event,
                    expected=[*(e for e in named if e in owned(trace)), each],
                    observed=named,
                    because="a session that loads is listed under its own id.",
                )


def _shown(trace: Trace) -> list[Key]:
    taken = {e.step.session for e in trace.of("delete", "clear", "pop", "delete_entry")}
    shown = [e.step.session for e in trace.of("load") if e.ok and e.value and not e.step.args]
    return [each for each in dict.fromkeys(shown) if each not in taken]


def related(left: object, right: object) -> bool:
    """Whether one id may stand for another: equal, or one begins the other, when folded."""
    if not isinstance(left, str) or not isinstance(right, str):
        return False
    one, other = _folded(left), _folded(right)
    return one.startswith(other) or other.startswith(one)


def _folded(name: str) -> str:
    return "".join(each for each in name.casefold() if each.isascii() and each.isalnum())


@law(
    family="isolation",
    source=["PI-L9"],
    incidents=["F55"],
    battery=lambda manifest: [
        program(append("s", said("1")), append(each, said("2")), load(each), load("s"))
        for each in ESCAPES
    ],
)
def session_ids_never_reach_outside_the_directory(trace: Trace) -> None:
    """Whatever a session is called, nothing is written outside the medium's directory.

    A store breaks it by joining an id to its directory: an id from a request then writes,
    reads or deletes a file of its choice.
    """
    if trace.outside:
        climbing = [e for e in trace.events if ".." in str(e.step.session)]
        broken(
            climbing[-1] if climbing else None,
            expected=[],
            observed=list(trace.outside),
            because="an id never reaches outside the directory of the medium.",
        )
