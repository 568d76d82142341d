"""Which programs can show what a liar changes."""

from functools import cached_property
from types import MappingProxyType
from typing import Any

import pytest

from storelaw.exposure import Everything, Exposures, changes
from storelaw.liars.contests import CopiesTheNewest
from storelaw.liars.crowds import FailsWhenBusy
from storelaw.liars.honest import MANIFEST, HonestExplicit, HonestMedium, HonestStore, claiming
from storelaw.liars.log_honest import LogHonest
from storelaw.liars.turns_honest import TurnsHonest
from storelaw.liars.views import HonestViews
from storelaw.media.reference import ReferenceMedium
from storelaw.medium import Medium
from storelaw.program import Program, act, append, at_once, call, load, program, run, session
from storelaw.samples import said, user
from storelaw.values import Entry
from storelaw_reference import log, transcript, turns

READS = program(append("s", said("a")), load("s"))
POPS = program(append("s", said("a")), call("pop", "s"))
TWO = program(append("s", said("a"), said("b")), call("pop", "s"))
TALKS = program(session("s"), run(user("u")), act("leaf"))
READS_ON = program(session("s"), run(user("u")), act("transcript"))


class PopsTheOldest(HonestMedium):
    """Varies one operation of the store."""

    class store(HonestStore):
        """The store."""

        def pop(self, session: Any) -> Entry | None:
            """Take the wrong end."""
            log = self.found(session)
            return log.entries.pop(0) if log is not None and log.entries else None


class AnyTwin(HonestMedium):
    """Takes the newest entry for a twin of whatever comes, which it then keeps."""

    class store(HonestStore):
        """The store."""

        def twin(self, entries: list[Entry], entry: Entry) -> Entry | None:
            """The newest entry, whatever its id."""
            return entries[-1] if entries else None

        def repeated(self, log: Any, twin: Entry, entry: Entry) -> None:
            """Leave it out without a word."""


class Reads(HonestMedium):
    """Varies every access."""

    class store(HonestStore):
        """The store."""

        def __getattribute__(self, name: str) -> Any:
            return super().__getattribute__(name)


class Adding(HonestMedium):
    """Brings operations that the honest store doesn't have, and a helper."""

    class store(HonestStore):
        """The store."""

        limit = 3

        @staticmethod
        def refresh(session: Any) -> None:
            """Do nothing."""

        def _helper(self) -> None: ...


class OwnSession(HonestMedium):
    """Varies the session alone, at what a reader sees."""

    class session_class(transcript.Session):
        """The session."""

        def transcript(self) -> list[transcript.Entry]:
            """Nothing."""
            return []


class OtherClaims(HonestMedium):
    """Claims something else."""

    manifest = claiming(MANIFEST, batch="prefix")


def shown(medium: type[Medium], *programs: Program) -> list[bool]:
    """Whether each program may run otherwise on a medium."""
    exposure = Exposures().of(medium)
    return [exposure.shows(each, creates=False) for each in programs]


def test_an_honest_medium_shows_nothing() -> None:
    """Under whatever name, with explicit creation too."""
    for each in (HonestMedium, HonestExplicit, HonestViews):
        assert shown(each, READS, TALKS) == [False, False]


def test_a_store_shows_what_it_answers_otherwise() -> None:
    """Not where no program comes to it, nor where it gives the same for all that."""
    assert shown(PopsTheOldest, READS, POPS, TWO) == [False, False, True]


def test_media_share_their_rehearsals() -> None:
    """What one of them had rehearsed serves the next one."""
    exposures = Exposures()
    found = [exposures.of(each).shows(TWO, creates=False) for each in (HonestMedium, PopsTheOldest)]
    assert found == [False, True]


def test_a_program_whose_calls_do_not_repeat_it_is_played() -> None:
    """Where it comes to what is replaced, and only there."""
    meddled = call("meddle", "s", what="loaded")
    pops = program(append("s", said("a")), call("pop", "s"), load("s"), meddled)
    assert shown(PopsTheOldest, pops, program(load("s"), meddled)) == [True, False]


def test_a_program_that_runs_beside_this_thread_is_played() -> None:
    """Nothing is known of it; tasks are on this thread."""
    threads, tasks = (program(at_once("s", way, A=(load("s"),))) for way in ("threads", "tasks"))
    assert shown(PopsTheOldest, threads, tasks) == [True, False]


def test_a_medium_for_threads_varies_the_one_that_is_right() -> None:
    """The honest media of the crowds are known too."""
    assert shown(FailsWhenBusy, program(call("create", "s"), load("s"))) == [False]
    assert shown(CopiesTheNewest, program(call("create", "s"), load("s"))) == [False]


def test_another_twin_shows_where_the_honest_store_looks_for_none() -> None:
    """It replaces the look at ids too."""
    fresh = program(append("s", said("a")), append("s", said("b")), load("s"))
    assert shown(AnyTwin, fresh, program(load("s"))) == [True, False]


def test_new_names_show_to_programs_that_ask_for_them() -> None:
    """And private ones or plain values to nobody."""
    assert shown(Adding, READS, program(call("refresh", "s"))) == [False, True]


def test_a_session_shows_to_programs_that_come_to_it() -> None:
    """The rest never sees it."""
    assert shown(OwnSession, READS, TALKS, READS_ON) == [False, False, True]


def test_creation_is_put_in_where_the_law_leaves_it_to_the_kit() -> None:
    """So a program is rehearsed as it is played."""

    class Uncleared(HonestExplicit):
        class store(HonestStore):
            def clear(self, session: Any) -> None:
                """Do nothing."""

    exposure = Exposures().of(Uncleared)
    cleared = program(append("s", said("a")), call("clear", "s"), load("s"))
    assert [exposure.shows(cleared, creates=each) for each in (False, True)] == [True, False]


def test_everything_shows_where_more_than_functions_is_different() -> None:
    """Other claims, another family of media, and access to any attribute."""
    for each in (Reads, OtherClaims, ReferenceMedium):
        assert shown(each, READS, TALKS) == [True, True]


class _Lazy(HonestStore):
    """A store with members of every kind."""

    @cached_property
    def lazy(self) -> int:
        """One."""
        return 1


class _Kinds(HonestMedium):
    store = _Lazy
    shape = dict
    constant = 1

    @property
    def size(self) -> int:
        """One."""
        return 1

    @classmethod
    def made(cls) -> int:
        """One."""
        return 1


def test_properties_and_class_methods_are_functions_too() -> None:
    """Their code counts as replaced."""

    class Other(_Kinds):
        @property
        def size(self) -> int:
            """Two."""
            return 2

        @classmethod
        def made(cls) -> int:
            """Two."""
            return 2

    found = changes(Other, _Kinds)
    assert {each.co_name for each in found.around} == {"size", "made"}
    assert (found.store, found.added) == (frozenset(), frozenset())


@pytest.mark.parametrize(
    ("name", "member"),
    [
        ("constant", 2),
        ("shape", list),
        ("__call__", lambda self: None),
        ("__getattr__", lambda self, name: None),
    ],
)
def test_other_members_are_not_told_apart(name: str, member: object) -> None:
    """A constant, a class that isn't the same kind, and methods that Python itself calls."""
    other = type("Other", (_Kinds,), {name: member})
    with pytest.raises(Everything):
        changes(other, _Kinds)


def test_a_store_with_another_lazy_value_is_not_told_apart() -> None:
    """A descriptor of another kind has no code that could be looked for."""

    class Other(_Kinds):
        class store(_Lazy):
            lazy = cached_property(lambda self: 2)

    with pytest.raises(Everything):
        changes(Other, _Kinds)


def test_variants_are_compared_with_what_the_engines_use() -> None:
    """Classes member by member, functions as a whole."""

    class Refs(log.Session):
        def checkout(self, target: str | None = None) -> None:
            """Do nothing."""

    class Logs(LogHonest):
        variants = MappingProxyType({"refs": Refs})

    class Judged(TurnsHonest):
        variants = {"opening": lambda *_: True, "memory": turns.SigningMemory}  # noqa: RUF012

    assert {each.co_name for each in changes(Logs, LogHonest).around} == {"checkout"}
    assert changes(Judged, TurnsHonest).around == {turns.has_opening_turn.__code__}
