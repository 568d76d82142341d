"""The laws of fidelity: none accuses a store that is right."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

import pytest

from storelaw import aspects
from storelaw.clauses import Law, registered
from storelaw.errors import Rejected
from storelaw.failures import Broken
from storelaw.families import (
    fidelity,
    length_fidelity,
    limit_fidelity,
    member_fidelity,
    text_fidelity,
    value_fidelity,
)
from storelaw.liars import length_fidelity as length_liars
from storelaw.liars import text_fidelity as text_liars
from storelaw.liars import value_fidelity as value_liars
from storelaw.liars.honest import MANIFEST, HonestExplicit, HonestMedium, HonestStore, Log, claiming
from storelaw.manifest import Manifest
from storelaw.media.reference import IdempotentReferenceMedium, ReferenceMedium
from storelaw.medium import Medium
from storelaw.player import play
from storelaw.program import append, load, program
from storelaw.samples import custom, said
from storelaw.trace import Event, Trace
from storelaw.trial import hold
from storelaw.values import Entry, is_object

MODULES = {
    each.__name__
    for each in (
        fidelity,
        length_fidelity,
        limit_fidelity,
        member_fidelity,
        text_fidelity,
        value_fidelity,
    )
}
LAWS = [each for each in registered() if each.judge.__module__ in MODULES]
BY_NAME = {each.name: each for each in LAWS}

STRICT = claiming(
    MANIFEST,
    name="strict",
    max_entry=8_192,
    max_depth=32,
    max_id=40,
    refuses=frozenset({"nul", "surrogates", "big-integers", "big-floats"}),
)


def _strange(entry: Entry) -> bool:
    odd = [
        value_fidelity.has_nul,
        value_fidelity.has_surrogate,
        value_fidelity.is_big_integer,
        limit_fidelity.is_big_float,
    ]
    return any(aspects.concerned(entry, each) for each in odd)


class Strict(HonestMedium):
    """Refuses exactly what its manifest says, and entries without a header."""

    manifest = STRICT

    class store(length_liars.Limited):
        def checked(self, entries: list[Entry]) -> list[Entry]:
            if any(
                _strange(each) or not {"id", "type", "created_at"} <= each.keys()
                for each in entries
            ):
                raise Rejected("refused")
            return super().checked(entries)


class Keeping(HonestMedium):
    """Keeps the newest three entries, as it says."""

    manifest = claiming(MANIFEST, name="keeping", keep=3)

    class store(HonestStore):
        def stored(self, log: Log, entries: list[Entry]) -> None:
            super().stored(log, entries)
            del log.entries[:-3]


class KeepingTurns(Keeping):
    """Keeps the newest turns, whose number of entries nobody knows."""

    manifest = claiming(MANIFEST, name="keeping-turns", keep=3, keep_unit="turns")


class OneByOne(HonestMedium):
    """Takes no batches."""

    manifest = claiming(MANIFEST, name="one-by-one", batch="one")


class Minting(HonestMedium):
    """Gives every entry an id of its own."""

    manifest = claiming(MANIFEST, name="minting", options={"ids": "minted", "reappend": None})

    class store(HonestStore):
        def kept(self, entry: Entry) -> Entry:
            self.count = getattr(self, "count", 0) + 1
            return {**super().kept(entry), "id": f"minted-{self.count}"}


class Columns(HonestMedium):
    """Calls the members of the header otherwise."""

    manifest = claiming(
        MANIFEST, name="columns", fields={"created_at": "seq", "type": "rowid"}, entry_id="_id"
    )

    class store(HonestStore):
        def twin(self, entries: list[Entry], entry: Entry) -> Entry | None:
            return next((each for each in entries if each.get("_id") == entry.get("_id")), None)

        def repeated(self, log: Log, twin: Entry, entry: Entry) -> None:
            if "_id" not in entry:
                log.entries.append(entry)


class Lossy(HonestMedium):
    """Has one number type, no empty values and times of its own, and says so."""

    manifest = claiming(MANIFEST, name="lossy", equality=frozenset({"numbers", "empties", "times"}))

    class store(text_liars.Rewriting):
        def kept(self, entry: Entry) -> Entry:
            lost = value_liars.mapped(super().kept(entry), _one_number)
            return _without_empties(lost)  # type: ignore[no-any-return]


def _without_empties(value: Any) -> Any:
    if is_object(value):
        members = value.items()
        return {k: _without_empties(v) for k, v in members if v not in (None, "", [], {})}
    return [_without_empties(each) for each in value] if isinstance(value, list) else value


def _one_number(leaf: Any) -> Any:
    return float(leaf) if type(leaf) is int and abs(leaf) <= 2**53 else leaf


RIGHT: list[type[Medium]] = [
    ReferenceMedium,
    IdempotentReferenceMedium,
    HonestMedium,
    HonestExplicit,
    Strict,
    Keeping,
    KeepingTurns,
    OneByOne,
    Minting,
    Columns,
    Lossy,
]


@pytest.mark.parametrize("medium", RIGHT, ids=[each.manifest.name for each in RIGHT])
def test_no_law_accuses_a_store_that_is_right(medium: type[Medium]) -> None:
    """No law breaks, and no law fails in itself, on stores that do what they say."""
    verdicts = [hold(each, medium, "battery") for each in LAWS]

    assert [each for each in verdicts if each.outcome == "broken" or each.fault] == []
    assert sum(each.outcome == "held" for each in verdicts) >= len(LAWS) - 6


def test_refusing_what_is_undeclared_is_a_note() -> None:
    """A store that refuses odd entries holds the laws, which note it."""
    noted = {
        name
        for name, each in BY_NAME.items()
        if any("refused" in note for note in hold(each, Strict, "battery").notes)
    }

    assert noted == {
        "an_acknowledged_entry_is_there_however_odd",
        "deeper_values_are_kept_or_refused",
        "integers_beyond_2_53_are_kept_or_refused",
        "lone_surrogates_are_kept_or_refused",
        "nul_characters_are_kept_or_refused",
    }


# ------------------------------------------------------------------------ judges


class Scripted(HonestMedium):
    """Answers each load with what the test says."""

    answer: ClassVar[Any] = []

    def __init__(self, workdir: Path) -> None:
        super().__init__(workdir)
        answer = type(self).answer

        class Answering(HonestStore):
            def load(self, session: Any, **filters: Any) -> list[Entry]:
                if isinstance(answer, Exception):
                    raise answer
                return list(answer)

        self.answering = Answering

    def open(self) -> Any:
        """A handle that answers as told."""
        return self.answering(self.data, self.manifest)


def told(law: Law, entries: list[Entry], answer: Any, manifest: Manifest = MANIFEST) -> Any:
    """What a law says of a store that took these entries and answers so."""
    medium = type("Told", (Scripted,), {"answer": answer, "manifest": manifest})
    trace = play(program(append("s", *entries), load("s")), medium)
    return law.judge(trace)


ODD_ANSWERS: list[Any] = [None, "text", ["text"], [None, 7], [[]], [{"id": "a"}]]


@pytest.mark.parametrize("answer", ODD_ANSWERS, ids=repr)
@pytest.mark.parametrize("law", LAWS, ids=[each.name for each in LAWS])
def test_judges_are_total(law: Law, answer: Any) -> None:
    """Whatever a store answers, a judge ends with a verdict and never with another error."""
    entries = [
        custom("a", data={"list": ["x", None, "y"], "value": True, "n": 2**53 + 1}),
        said("t", "a\x00 \ud800"),
        {"data": "nothing else"},
    ]

    with suppress(Broken):
        assert told(law, entries, answer) in (None, "refused")


def test_a_load_that_raises_breaks_the_laws_that_its_entries_are_about() -> None:
    """An accepted null that stops the load breaks the law of nulls, and not that of booleans."""
    entries = [custom("a", data={"value": None})]

    with pytest.raises(Broken) as caught:
        told(BY_NAME["null_members_are_kept"], entries, ValueError("unreadable"))
    told(BY_NAME["booleans_stay_booleans"], entries, ValueError("unreadable"))

    assert caught.value.kind == "raised"


def test_a_filtered_load_that_raises_is_no_matter_of_fidelity() -> None:
    """Only unfiltered loads are judged."""
    medium = type("Told", (Scripted,), {"answer": ValueError("no filters")})
    trace = play(program(append("s", custom("a", data={"value": None})), load("s", last=1)), medium)

    BY_NAME["null_members_are_kept"].judge(trace)


def test_an_uncertain_session_is_not_judged() -> None:
    """After an append whose outcome is unknown nothing is demanded of a read."""
    step = append("s", custom("a", data={"value": None}))
    events = (
        Event(0, step, passed=tuple(step.expanded())),
        Event(1, append("s", said("b")), "raised", error="unknown", passed=(said("b"),)),
        Event(2, load("s"), value=[]),
        Event(3, load("s"), "raised", error="unknown"),
    )

    BY_NAME["null_members_are_kept"].judge(Trace(MANIFEST, events))


def test_a_leaf_whose_surroundings_are_gone_is_no_matter_of_its_law() -> None:
    """A lost ``data`` is a lost field; the law of booleans says nothing of it."""
    entry = custom("a", data={"value": True})
    bare = custom("a")

    told(BY_NAME["booleans_stay_booleans"], [entry], [bare])
    with pytest.raises(Broken):
        told(BY_NAME["every_field_of_every_shape_is_kept"], [entry], [bare])


@pytest.mark.parametrize(
    ("name", "entry", "observed"),
    [
        ("null_members_are_kept", {"v": None}, {"v": ""}),
        ("empty_values_are_kept", {"v": []}, {"v": {}}),
        ("booleans_stay_booleans", {"v": True}, {"v": 1}),
        ("integers_stay_integers", {"v": 1}, {"v": True}),
        ("integers_stay_integers", {"v": 2**31}, {"v": -(2**31)}),
        ("whole_floats_stay_floats", {"v": -0.0}, {"v": 0.0}),
        ("floats_keep_their_digits", {"v": 5e-324}, {"v": 0.0}),
        ("integers_beyond_2_53_are_kept_or_refused", {"v": 2**53 + 1}, {"v": 2**53}),
        ("nul_characters_are_kept_or_refused", {"a\x00b": "v"}, {"a": "v"}),
        ("lone_surrogates_are_kept_or_refused", {"v": "\ud800"}, {"v": "\ufffd"}),
        ("text_comes_back_character_by_character", {"v": "ab"}, {"v": "aB"}),
        ("characters_of_four_bytes_are_kept", {"v": "\U0001f600"}, {"v": "\ud83d\ude00"}),
        ("parts_of_an_entry_keep_their_order", {"v": ["a", "b"]}, {"v": ["b", "a"]}),
    ],
)
def test_a_law_sees_the_difference_that_it_is_about(
    name: str, entry: Entry, observed: Entry
) -> None:
    """The difference breaks the law, and the same value doesn't."""
    appended = custom("a", data=entry)

    told(BY_NAME[name], [appended], [appended])
    with pytest.raises(Broken):
        told(BY_NAME[name], [appended], [custom("a", data=observed)])


@pytest.mark.parametrize(
    ("items", "found"),
    [
        (["a", "b"], ["b"]),
        (["a", "b"], ["b", "c"]),
        (["a", "b"], "ab"),
        (["a", "a"], ["a", "a"]),
    ],
)
def test_only_a_reordered_list_is_out_of_order(items: list[str], found: Any) -> None:
    """Lost and changed items are for other laws."""
    law = BY_NAME["parts_of_an_entry_keep_their_order"]

    told(law, [custom("a", data={"v": items})], [custom("a", data={"v": found})])


def test_an_id_may_be_added_and_nothing_else() -> None:
    """A store may give an id to an entry that had none; any other member is too much."""
    law = BY_NAME["nothing_is_added_to_an_entry"]
    bare = {"data": {"x": "y"}}

    told(law, [bare], [{**bare, "id": "minted"}])
    for more in ({**bare, "seq": 1}, {"data": {"x": "y", "id": "1"}}):
        with pytest.raises(Broken):
            told(law, [bare], [more])


def test_an_entry_without_id_is_found_by_its_body() -> None:
    """What the store adds to a bare entry doesn't hide it; another entry isn't taken for it."""
    law = BY_NAME["an_acknowledged_entry_is_there_however_odd"]
    bare = {"data": "nothing else"}

    told(law, [bare], [{**bare, "id": "minted", "created_at": "now"}])
    for answer in ([], ["text"], [{"data": "other"}]):
        with pytest.raises(Broken):
            told(law, [bare], answer)


def test_a_refused_entry_that_is_visible_breaks_the_law() -> None:
    """An append that raised and stored all the same is broken, where others may refuse."""

    class Storing(HonestMedium):
        class store(HonestStore):
            def stored(self, log: Log, entries: list[Entry]) -> None:
                super().stored(log, entries)
                raise Rejected("too late")

    entry = custom("a", data={"value": "a\x00b"})
    trace = play(program(append("s", entry), load("s")), Storing)

    with pytest.raises(Broken) as caught:
        BY_NAME["nul_characters_are_kept_or_refused"].judge(trace)
    assert caught.value.kind == "visible"


@pytest.mark.parametrize(
    ("name", "data"),
    [("null_members_are_kept", {"v": None}), ("member_names_are_kept", {"v": {"$ref": "x"}})],
)
def test_a_refused_legal_entry_breaks_the_law(name: str, data: Entry) -> None:
    """Refusing what is legal is broken, and says so."""

    class Refusing(HonestMedium):
        class store(HonestStore):
            def stored(self, log: Log, entries: list[Entry]) -> None:
                raise Rejected("no")

    trace = play(program(append("s", custom("a", data=data)), load("s")), Refusing)

    with pytest.raises(Broken) as caught:
        BY_NAME[name].judge(trace)
    assert caught.value.kind == "refused"


def test_a_long_log_may_not_fail_to_load() -> None:
    """A load of many entries that raises breaks the law of long logs."""
    with pytest.raises(Broken):
        told(BY_NAME["long_logs_load_whole"], [said("a")], MemoryError("too many"))


def test_members_of_their_own_name_keep_their_values() -> None:
    """A member called like a column keeps its value; a member that is gone is counted once."""
    law = BY_NAME["member_names_are_kept"]
    entry = custom("top", seq="my seq", data={"a.b": "1"})

    told(law, [entry], [entry])
    for observed in ({**entry, "seq": 1}, {**entry, "data": {}}, custom("top", data={"a.b": "1"})):
        with pytest.raises(Broken):
            told(law, [entry], [observed])


def test_equal_entries_that_are_all_gone_are_no_matter_of_repeats() -> None:
    """Merging leaves one of them; losing all is for the law of presence."""
    law = BY_NAME["equal_entries_with_different_ids_are_all_kept"]
    entries = [said("a", "yes"), said("b", "yes")]

    told(law, entries, [])
    with pytest.raises(Broken):
        told(law, entries, entries[:1])


# ------------------------------------------------------------------------- limits


def limited(**limits: Any) -> tuple[Manifest, type[Medium]]:
    """A manifest with limits, and a store that keeps none of them."""
    manifest = claiming(MANIFEST, name="limited", **limits)
    return manifest, type("Unlimited", (HonestMedium,), {"manifest": manifest})


@pytest.mark.parametrize(
    ("name", "limits"),
    [
        ("the_declared_entry_size_holds_on_both_sides", {"max_entry": 2_000}),
        ("the_declared_depth_holds_on_both_sides", {"max_depth": 8}),
        ("the_declared_id_length_holds_on_both_sides", {"max_id": 20}),
        ("what_is_declared_as_refused_is_refused", {"refuses": frozenset({"big-floats"})}),
    ],
)
def test_a_limit_that_nobody_keeps_is_broken(name: str, limits: dict[str, Any]) -> None:
    """Taking what the manifest says is refused breaks the law of that limit."""
    _, medium = limited(**limits)

    assert hold(BY_NAME[name], medium, "battery").outcome == "broken"


def test_an_undeclared_limit_is_not_applicable() -> None:
    """Without a declared limit its law doesn't apply, and says which field is missing."""
    verdict = hold(BY_NAME["the_declared_depth_holds_on_both_sides"], HonestMedium, "battery")

    assert verdict.outcome == "not applicable"
    assert verdict.reason == "manifest field max_depth is undeclared"


def test_a_key_of_several_parts_is_measured_by_its_last() -> None:
    """The length of an id is that of the part that programs name."""
    manifest, _ = limited(max_id=4)
    event = Event(0, append(("project", "abcd"), said("a")), passed=(said("a"),))
    longer = Event(0, append(("p", "abcde"), said("a")), passed=(said("a"),))
    law = BY_NAME["the_declared_id_length_holds_on_both_sides"]

    law.judge(Trace(manifest, (event,)))
    with pytest.raises(Broken):
        law.judge(Trace(manifest, (longer,)))


TELLERS: list[tuple[Callable[[aspects.Path, Any], str], Any, str]] = [
    (length_fidelity._told_length, "xx", "a text of 2 characters"),  # pyright: ignore[reportPrivateUsage]
    (length_fidelity._told_length, None, "null"),  # pyright: ignore[reportPrivateUsage]
]


@pytest.mark.parametrize(("tell", "value", "words"), TELLERS)
def test_a_difference_in_length_is_told_by_length(
    tell: Callable[[aspects.Path, Any], str], value: Any, words: str
) -> None:
    """A long text is told by its length, since its beginning and end say nothing."""
    assert tell((), value) == words
