"""Sessions that clone wrongly."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Self

from storelaw.liars.log_honest import LogHonest, varying
from storelaw.liars.registry import liar
from storelaw_reference import log

Chosen = Sequence[str] | Literal["all"] | None


class _NewIds(log.Session):
    def _carried(self, now: log.Snapshot, tips: Iterable[str | None]) -> list[log.Entry]:
        kept = super()._carried(now, tips)
        return [{**each, "timestamp": self._now()} for each in kept]


@liar("a_clone_has_the_paths_of_its_refs", most=3)
class ClonesAreDatedAnew(LogHonest):
    """Gives the entries of a clone other times."""

    variants = varying(refs=_NewIds)


class _ByRef(log.Session):
    def _carried(self, now: log.Snapshot, tips: Iterable[str | None]) -> list[log.Entry]:
        kept = super()._carried(now, tips)
        nodes = [each for each in kept if self._is_semantic(each)]
        events = [each for each in kept if not self._is_semantic(each)]
        return [*sorted(nodes, key=lambda each: str(each["id"]), reverse=True), *events]


@liar("a_clone_has_the_paths_of_its_refs", kinds=["F33"], most=3)
class ClonesInAnotherOrder(LogHonest):
    """Copies the entries of a clone in the order of their ids."""

    variants = varying(refs=_ByRef)


class _Whole(log.Session):
    def _carried(self, now: log.Snapshot, tips: Iterable[str | None]) -> list[log.Entry]:
        list(super()._carried(now, tips))
        return self._balanced([e for e in now.entries if e["type"] not in log.CONTROLS])


@liar(
    "a_clone_has_the_paths_of_its_refs",
    also=["a_clone_has_the_events_on_its_paths"],
    kinds=["F33"],
    most=6,
)
class ClonesEveryBranch(LogHonest):
    """Copies every branch, whatever refs are chosen."""

    variants = varying(refs=_Whole)


class _Silent(log.Session):
    def _carried(self, now: log.Snapshot, tips: Iterable[str | None]) -> list[log.Entry]:
        return [each for each in super()._carried(now, tips) if each["type"] != "event"]


@liar("a_clone_has_the_events_on_its_paths", kinds=["F22"], most=3)
class ClonesWithoutEvents(LogHonest):
    """Leaves the events behind."""

    variants = varying(refs=_Silent)


class _AllRefs(log.Session):
    def clone(self, destination: log.Storage, refs: Chosen = None, at: str | None = None) -> Self:
        made = super().clone(destination, refs, at)
        for name in self.refs():
            if name not in made.refs():
                made._write([self._ref(name, None)])
        return made


@liar("a_clone_has_the_refs_that_were_chosen", kinds=["F33"], most=4)
class ClonesAllRefs(LogHonest):
    """Names every ref in a clone."""

    variants = varying(refs=_AllRefs)


class _Headless(log.Session):
    def _stand(self, now: log.Snapshot, names: Sequence[str]) -> Mapping[str, str]:
        return {"type": "empty"}


@liar("a_clone_stands_where_it_was_told", kinds=["F32"], most=3)
class ClonesStandNowhere(LogHonest):
    """Leaves the head of a clone at nothing."""

    variants = varying(refs=_Headless)


class _Twins(log.Session):
    _source: "log.Session | None" = None

    def clone(self, destination: log.Storage, refs: Chosen = None, at: str | None = None) -> Self:
        made = super().clone(destination, refs, at)
        made._source = self
        return made

    def append(self, *entries: Any) -> list[log.Entry]:
        if self._source is not None:
            self._source.append(*entries)
        return super().append(*entries)


@liar("a_clone_and_its_source_are_apart", kinds=["F33"], most=4)
class ClonesWriteToTheirSource(LogHonest):
    """Appends to the source whatever a clone takes in."""

    variants = varying(refs=_Twins)


class _Open(log.Nothing):
    """A storage that looks empty."""

    def __init__(self, storage: log.Storage) -> None:
        super().__init__()
        self._storage, self._looked = storage, False

    def append(self, *entries: Any) -> None:
        """Append as the storage does."""
        self._storage.append(*entries)

    def read(self) -> list[Any]:
        """Nothing at first, then what is there."""
        looked, self._looked = self._looked, True
        return self._storage.read() if looked else []


class _Appending(log.Session):
    def clone(self, destination: log.Storage, refs: Chosen = None, at: str | None = None) -> Self:
        return super().clone(_Open(destination), refs, at)


@liar("a_clone_goes_into_an_empty_session", kinds=["F31"], most=4)
class ClonesIntoAnything(LogHonest):
    """Appends a clone to whatever the other session holds (C3)."""

    variants = varying(refs=_Appending)


class _Unbalanced(log.Session):
    def _balanced(self, entries: Sequence[log.Entry]) -> list[log.Entry]:
        return list(entries)


@liar("a_part_of_a_log_can_be_cloned", kinds=["F19"], most=4)
class ClonesHalfATurn(LogHonest):
    """Copies the start of a turn whose end stays behind (D-AP-4)."""

    variants = varying(refs=_Unbalanced)


class _Tolerant(log.Session):
    def _chosen(self, now: log.Snapshot, refs: Chosen) -> list[str]:
        return [each for each in super()._chosen(now, refs) if each in now.refs]


@liar("an_unknown_ref_is_not_cloned", most=3)
class SkipsUnknownRefs(LogHonest):
    """Clones those of the chosen refs that there are."""

    variants = varying(refs=_Tolerant)
