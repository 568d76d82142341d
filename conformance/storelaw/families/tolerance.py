"""What views make of entries that are older or newer than they are."""

from typing import Any

from storelaw.clauses import law
from storelaw.failures import broken
from storelaw.manifest import Manifest
from storelaw.model.blocks import blocks
from storelaw.model.projections import messages_of
from storelaw.model.sights import MODEL, TRANSCRIPT, Sight, ids, path_of, sights
from storelaw.paths import chained, summary
from storelaw.program import program, view
from storelaw.samples import assistant, note, user
from storelaw.trace import Event, Trace
from storelaw.values import Entry, is_array, is_object, same

FUTURE = "x_later"


def reads_no_legacy(manifest: Manifest) -> str | None:
    """Outside the law where the manifest says that a top-level meta still counts."""
    honoured = manifest.contract.legacy_meta == "honoured"
    return "option legacy_meta is honoured" if honoured else None


def legacy(entry: Entry) -> Entry:
    """The entry with the flag that older writers set beside the message."""
    return {**entry, "meta": True}


def _is_legacy(entry: Entry) -> bool:
    return entry.get("meta") is True and entry.get("type") == "message"


_U, _M, _A = chained(user("u"), user("m"), assistant("a"))


@law(
    family="views",
    door="views",
    acts={TRANSCRIPT},
    applies=reads_no_legacy,
    source=["PI-G1"],
    battery=[program(view(TRANSCRIPT, [_U, legacy(_M), _A]))],
)
def the_transcript_shows_legacy_meta_entries(trace: Trace) -> None:
    """An entry with a top-level ``meta: true`` is ordinary, and a reader sees it.

    The flag moved to the message and nothing reads the old one: a projection breaks it by
    still hiding such entries, so that two versions show different transcripts of one log.
    """
    for sight in sights(trace, TRANSCRIPT):
        old = [each for each in sight.expected if _is_legacy(each)]
        if any(each not in ids(sight.shown) for each in ids(old)):
            broken(
                sight.event,
                expected=ids(sight.expected),
                observed=ids(sight.shown),
                because="a top-level meta flag means nothing any more.",
            )


@law(
    family="views",
    door="views",
    acts={MODEL},
    source=["PI-G1", "PI-V1"],
    battery=[program(view(MODEL, [_U, legacy(_M), _A]))],
)
def the_model_reads_legacy_meta_entries(trace: Trace) -> None:
    """An entry with a top-level ``meta: true`` is in the model view, whatever the flag means.

    A projection breaks it by dropping what it no longer understands.
    """
    for sight in sights(trace, MODEL):
        old = messages_of([each for each in sight.path if _is_legacy(each)])
        shown = [_known(each) for each in sight.shown]
        for each in old:
            if each in sight.expected and not any(trace.same(each, one) for one in shown):
                broken(
                    sight.event,
                    expected=sight.expected,
                    observed=sight.shown,
                    because="ordinary or meta, the model reads it.",
                )


def _known(value: Any) -> Any:
    """The value without the members of a later version."""
    if is_object(value):
        return {name: _known(each) for name, each in value.items() if name != FUTURE}
    return [_known(each) for each in value] if is_array(value) else value


def newer(value: Any) -> Any:
    """The value as a later version might write it: with a member more in each object."""
    if is_object(value):
        return {**{name: newer(each) for name, each in value.items()}, FUTURE: {"n": 1}}
    return [newer(each) for each in value] if is_array(value) else value


_KNOWN = chained(user("u1"), assistant("a1"), user("u2"), summary("C", "u2"))


@law(
    family="views",
    door="views",
    acts={MODEL, TRANSCRIPT},
    source=["PI-G4"],
    incidents=["F17"],
    battery=[
        program(view(which, _KNOWN), view(which, newer(_KNOWN))) for which in (MODEL, TRANSCRIPT)
    ],
)
def unknown_members_change_no_view(trace: Trace) -> None:
    """Members that a reader doesn't know, in an entry, a message or a block, are ignored.

    A projection breaks it by a strict decoder: one line of a newer writer and the session
    can't be shown. Whether the unknown members are still there in the view is not asked.
    """
    known = list(sights(trace))
    for event in trace.of(MODEL, TRANSCRIPT):
        path = path_of(event)
        for each in known if not same(_known(path), path) else ():
            if each.event.step.do == event.step.do and same(each.path, _known(path)):
                _judge_newer(trace, each, event)


def _judge_newer(trace: Trace, known: Sight, event: Event) -> None:
    shown = event.text if event.raised else _known(event.value)
    if event.raised or not trace.same(known.shown, shown):
        broken(
            event,
            expected=known.shown,
            observed=shown,
            because="an unknown member is ignored: it is not refused, and it changes no view.",
        )


KNOWN_TYPES = ("message", "compaction", "custom")


def _hologram(label: str) -> Entry:
    head, body = chained(user("u"), note(label))
    return {**body, "type": "hologram", "parent_id": head["id"]}


_TAIL = {**chained(assistant("a"))[0], "parent_id": "h"}


@law(
    family="views",
    door="views",
    acts={TRANSCRIPT},
    source=["PI-R4"],
    incidents=["F17"],
    battery=[
        program(view(TRANSCRIPT, [_U, _hologram("h"), _TAIL]), view(TRANSCRIPT, [_U])),
    ],
)
def an_unknown_entry_type_is_not_skipped_in_silence(trace: Trace) -> str | None:
    """An entry of a type that the view does not know is an error, or is shown as it is.

    A projection breaks it by skipping it: the reader sees a conversation with a hole, and
    nothing says so.
    """
    unknown = [
        event
        for event in trace.of(TRANSCRIPT)
        if any(each.get("type") not in KNOWN_TYPES for each in path_of(event))
    ]
    for sight in sights(trace, TRANSCRIPT):
        strange = [each for each in sight.path if each.get("type") not in KNOWN_TYPES]
        if any(each not in ids(sight.shown) for each in ids(strange)):
            broken(
                sight.event,
                expected=ids(sight.path),
                observed=ids(sight.shown),
                because="an entry of an unknown type was left out and nothing was raised.",
            )
    return "unknown types: refused" if any(event.raised for event in unknown) else None


KNOWN_BLOCKS = ("text", "thinking", "image", "file", "tool_call", "reminder")


def strange_blocks(messages: list[Any]) -> list[Any]:
    """The blocks of messages whose type no version so far has."""
    found = [block for each in messages for block in blocks(each)]
    return [each for each in found if is_object(each) and each.get("type") not in KNOWN_BLOCKS]


_SCENT = chained(user("u", {"type": "scent", "of": "rain"}), assistant("a"))


@law(
    family="views",
    door="views",
    acts={MODEL},
    requirement="SHOULD",
    source=["D-PI-4"],
    battery=[program(view(MODEL, _SCENT), view(MODEL, [_U]))],
)
def an_unknown_block_is_kept_or_refused(trace: Trace) -> str | None:
    """A block of an unknown type is in the model view as it is, or the view raises.

    A projection breaks it by dropping the block: the model answers a message that it read
    in part.
    """
    for sight in sights(trace, MODEL):
        expected = strange_blocks(sight.expected)
        if len(strange_blocks(sight.shown)) < len(expected):
            broken(
                sight.event,
                expected=sight.expected,
                observed=sight.shown,
                because="a block of an unknown type was left out and nothing was raised.",
            )
    refused = any(
        event.raised and strange_blocks(messages_of(path_of(event))) for event in trace.of(MODEL)
    )
    return "unknown blocks: refused" if refused else None
