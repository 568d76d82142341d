"""Driving handles under the names, keys and errors that a manifest gives."""

from typing import Any

import pytest

from storelaw import errors
from storelaw.driver import Absent, Driver, identities
from storelaw.errors import Misconfigured
from storelaw.manifest import Manifest
from storelaw.worker import Worker, current


class Lost(Exception):
    """A store's own error."""


class Gone(Exception):
    """Another one."""


class Outer:
    """A namespace."""

    class Inner(Exception):
        """An error within it."""


@pytest.fixture
def worker() -> Worker:
    """The worker of this process."""
    return current()


def driver(**fields: Any) -> Driver:
    """A driver under a manifest."""
    return Driver(Manifest(name="x", **fields), current())


# ------------------------------------------------------------------------ names


def test_entries_go_out_and_come_in_under_the_stores_names() -> None:
    """Renamed members are translated both ways, others left alone."""
    renaming = driver(entry_id="uuid", fields={"parent_id": "parentUuid"})
    entry = {"id": "1", "parent_id": "0", "type": "custom"}
    theirs = {"uuid": "1", "parentUuid": "0", "type": "custom"}
    assert renaming.outward(entry) == theirs
    assert renaming.inward(theirs) == entry
    assert renaming.inward("no entry") == "no entry"


def test_entries_pass_untouched_where_nothing_is_renamed() -> None:
    """A store with our names gets the very object."""
    entry = {"id": "1"}
    assert driver().outward(entry) is entry
    assert driver().inward(entry) is entry
    assert driver(entry_id=None).outward(entry) is entry


def test_a_session_id_becomes_a_key_and_back() -> None:
    """Where keys have parts, the leading ones are filled in and taken off again."""
    plain = driver()
    assert (plain.key("s"), plain.session_of("s")) == ("s", "s")
    keyed = driver(key_parts=("project", "user", "thread"), optional_parts=1)
    assert keyed.key("s") == ("storelaw", "s")
    assert keyed.session_of(("storelaw", "s")) == "s"
    assert keyed.session_of(["storelaw", "s"]) == "s"
    assert keyed.key(("p", "u", "t")) == ("p", "u", "t")
    assert keyed.session_of(("p", "u", "t")) == ("p", "u", "t")
    assert keyed.session_of(("storelaw", "storelaw", "s")) == ("storelaw", "storelaw", "s")
    assert keyed.session_of("odd") == "odd"


# ------------------------------------------------------------------- identities


def test_our_errors_have_their_identity_without_a_manifest() -> None:
    """Each identity is known by our own class; any other error is unknown."""
    plain = driver()
    assert plain.identity(errors.SessionNotFound()) == "SessionNotFound"
    assert plain.identity(errors.Stale()) == "Stale"
    assert plain.identity(ValueError()) == "unknown"


@pytest.mark.parametrize(
    "given",
    [
        Lost,
        (Gone, Lost),
        f"{__name__}:Lost",
        f"{__name__}.Lost",
        (f"{__name__}:Gone", f"{__name__}:Lost"),
    ],
)
def test_a_stores_errors_are_mapped_by_class_tuple_or_name(given: Any) -> None:
    """A class, several, and dotted names in both spellings stand for an identity."""
    mapped = driver(errors={"SessionNotFound": given})
    assert mapped.identity(Lost()) == "SessionNotFound"
    assert mapped.identity(errors.SessionNotFound()) == "SessionNotFound"


def test_an_error_within_a_class_is_found_by_the_name_that_a_manifest_writes() -> None:
    """The written form of a nested class can be read back."""
    manifest = Manifest(name="x", errors={"Stale": (Outer.Inner,)})
    again = Manifest.of(manifest.data())
    assert identities(again)["Stale"] == (errors.Stale, Outer.Inner)


@pytest.mark.parametrize("given", [5, str, f"{__name__}:worker"])
def test_what_is_no_exception_is_refused(given: Any) -> None:
    """The message names the identity and the value."""
    with pytest.raises(Misconfigured) as caught:
        driver(errors={"Rejected": given})
    assert str(caught.value) == (
        f"configuration: manifest field 'errors' maps Rejected to {given!r}, "
        "which is no exception type; give a class, or 'module:Class'"
    )


@pytest.mark.parametrize("given", ["no_such_module:Lost", f"{__name__}:Nothing", "Lost", "..a:B"])
def test_what_cannot_be_imported_is_refused(given: str) -> None:
    """The message names the identity and the dotted name."""
    with pytest.raises(Misconfigured) as caught:
        driver(errors={"Rejected": given})
    assert str(caught.value).startswith(
        f"configuration: manifest field 'errors' maps Rejected to {given!r}, "
        "which can't be imported: "
    )


# ------------------------------------------------------------------------ calls


class Handle:
    """A handle with one operation of each kind."""

    pop = None

    def __init__(self) -> None:
        self.calls: list[Any] = []
        self.stale = 0

    def load(self, session_id: str, **filters: Any) -> Any:
        """A sync answer."""
        self.calls.append(("load", session_id, filters))
        return [session_id]

    async def append_one(self, session_id: str, entry: Any) -> str:
        """An async answer."""
        self.calls.append(("append_one", session_id, entry))
        if self.stale:
            self.stale -= 1
            raise errors.Stale("old")
        return f"id-{entry['id']}"

    def clear(self, session_id: str) -> None:
        """Not there."""
        raise NotImplementedError

    def delete(self, session_id: str) -> None:
        """Refused."""
        raise errors.SessionNotFound(session_id)


class Refreshing(Handle):
    """A handle that can be brought up to date."""

    def refresh(self, session_id: str) -> None:
        """Note it."""
        self.calls.append(("refresh", session_id))


@pytest.mark.parametrize("operation", ["pop", "clear", "record", "headers"])
def test_an_operation_may_be_absent_in_four_ways(operation: str) -> None:
    """None, NotImplementedError, missing, and left out by the manifest."""

    class Holding(Handle):
        def headers(self, session_id: str) -> list[Any]:
            """Left out below."""
            return []

    calling = driver(without=frozenset({"headers"}))
    with pytest.raises(Absent) as caught:
        calling.call(Holding(), operation, "s")
    assert caught.value.operation == operation


def test_sync_and_async_operations_are_called_alike(worker: Worker) -> None:
    """An answer is awaited where it can be."""
    handle, calling = Handle(), driver()
    assert calling.call(handle, "load", "s", last=1) == ["s"]
    answer = worker.run(lambda: calling.call(handle, "append_one", "s", {"id": "1"}), 5)
    assert answer == "id-1"
    assert handle.calls[0] == ("load", "s", {"last": 1})


def test_single_appends_stand_in_for_a_missing_batch(worker: Worker) -> None:
    """Entries go one by one, in order; an append of nothing calls nothing."""
    handle, calling = Handle(), driver()
    batch = [{"id": "1"}, {"id": "2"}]
    assert worker.run(lambda: calling.append(handle, "s", batch), 5) == ["id-1", "id-2"]
    assert calling.append(handle, "s", []) is None
    assert [each[2]["id"] for each in handle.calls] == ["1", "2"]


def test_without_any_append_the_batch_is_absent() -> None:
    """The operation that is missed is ``append``."""
    with pytest.raises(Absent) as caught:
        driver().append(object(), "s", [{"id": "1"}])
    assert caught.value.operation == "append"


def test_a_stale_handle_is_refreshed_once_and_the_call_repeated(worker: Worker) -> None:
    """The law's retry is the driver's."""
    handle, calling = Refreshing(), driver()
    handle.stale = 1
    assert worker.run(lambda: calling.call(handle, "append_one", "s", {"id": "1"}), 5) == "id-1"
    assert [each[0] for each in handle.calls] == ["append_one", "refresh", "append_one"]


def test_a_handle_that_stays_stale_raises(worker: Worker) -> None:
    """There is one retry."""
    handle, calling = Refreshing(), driver()
    handle.stale = 2
    with pytest.raises(errors.Stale):
        worker.run(lambda: calling.call(handle, "append_one", "s", {"id": "1"}), 5)


def test_a_stale_handle_without_refresh_raises(worker: Worker) -> None:
    """Nothing is repeated where nothing can be refreshed."""
    handle, calling = Handle(), driver()
    handle.stale = 1
    with pytest.raises(errors.Stale):
        worker.run(lambda: calling.call(handle, "append_one", "s", {"id": "1"}), 5)
    assert len(handle.calls) == 1


def test_other_errors_are_not_repeated() -> None:
    """Only what the store calls stale is tried again."""
    handle = Refreshing()
    with pytest.raises(errors.SessionNotFound):
        driver().call(handle, "delete", "s")
    assert handle.calls == []


def test_an_awaitable_within_another_is_absent(worker: Worker) -> None:
    """What one loop can't drive is skipped, not blamed on the store."""
    handle, calling = Handle(), driver()

    async def outer() -> None:
        calling.call(handle, "append_one", "s", {"id": "1"})

    with pytest.raises(Absent):
        worker.run(lambda: worker.resolved(outer()), 5)
    assert handle.calls == []
