"""The media for LangGraph's checkpointers."""

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from storelaw import catalogue
from storelaw.errors import MediumFault, Misconfigured
from storelaw.media.langgraph import (
    LangGraphMedium,
    MemoryLangGraphMedium,
    PostgresLangGraphMedium,
    SqliteLangGraphMedium,
)
from storelaw.trial import hold

#: Processes that one test starts serve the next: they must know the servers from the start.
pytestmark = pytest.mark.usefixtures("servers")

A, B = {"type": "message", "id": "a"}, {"type": "message", "id": "b"}

#: A port on which nothing listens: it needs root, and is no service's.
NOWHERE = "postgresql://postgres@127.0.0.1:1/postgres"

#: The serializer writes a question mark for half of a surrogate pair, and says nothing.
BROKEN = {"lone_surrogates_are_kept_or_refused"}

EMBEDDED = (MemoryLangGraphMedium, SqliteLangGraphMedium)

needs_langgraph = pytest.mark.usefixtures("langgraph")


@pytest.fixture
def langgraph() -> None:
    """LangGraph and its two packages of checkpointers, or the reason why there are none."""
    for each in ("langgraph.graph", "langgraph.checkpoint.sqlite"):
        pytest.importorskip(
            each, reason="run: pip install 'storelaw[langgraph]'", exc_type=ImportError
        )


@pytest.fixture
def server(langgraph: None, postgres_url: str, tmp_path: Path) -> Iterator[PostgresLangGraphMedium]:
    """A medium on a server."""
    medium = PostgresLangGraphMedium(tmp_path)
    yield medium
    medium.destroy()


def used(medium: LangGraphMedium) -> list[object]:
    """What two handles see of each other's appends, before and after a delete."""
    with closing(medium.open()) as one, closing(medium.open()) as other:
        one.append("s", [A, B])
        other.append("s", [A])
        other.append("t", [B])
        seen: list[object] = [one.load("s"), one.load("t"), one.load("u")]
        one.delete("s")
        return [*seen, other.load("s"), other.load("t")]


def judged(medium: type[LangGraphMedium], *families: str) -> set[str]:
    """The laws broken by battery; none blames the medium or the kit, and some are held."""
    verdicts = [hold(law, medium, "battery") for law in catalogue.chosen(families, "transcript")]
    assert not [each for each in verdicts if each.fault]
    assert "held" in {each.outcome for each in verdicts}
    return {each.law for each in verdicts if each.outcome == "broken"}


@needs_langgraph
@pytest.mark.parametrize("medium", EMBEDDED)
def test_a_thread_is_a_session(medium: type[LangGraphMedium], tmp_path: Path) -> None:
    """Its list grows by each append; a thread that was never written or is deleted is empty."""
    assert used(medium(tmp_path)) == [[A, B, A], [B], [], [], [B]]


@needs_langgraph
@pytest.mark.parametrize("medium", EMBEDDED)
def test_a_checkpointer_is_judged_to_the_end(medium: type[LangGraphMedium]) -> None:
    """One law is broken, by the serializer that all checkpointers have."""
    assert judged(medium) == BROKEN


@needs_langgraph
def test_the_file_is_in_the_directory_and_closed_with_the_handle(tmp_path: Path) -> None:
    """What one process wrote another one reads; a closed handle has no connection."""
    with closing(SqliteLangGraphMedium(tmp_path).open()) as handle:
        handle.append("s", [A])
    with pytest.raises(sqlite3.ProgrammingError, match="closed database"):
        handle.load("s")
    with closing(SqliteLangGraphMedium(tmp_path).open()) as handle:
        assert handle.load("s") == [A]


def test_a_thread_on_a_server_is_a_session(server: PostgresLangGraphMedium) -> None:
    """It grows and is deleted as anywhere else."""
    assert used(server) == [[A, B, A], [B], [], [], [B]]


@pytest.mark.usefixtures("langgraph", "postgres_url")
def test_the_checkpointer_of_a_server_breaks_what_the_others_break() -> None:
    """Its serializer is the same; a reply that is lost costs no more."""
    assert judged(PostgresLangGraphMedium, "fidelity", "atomicity") == BROKEN


def test_a_schema_is_all_that_a_medium_touches(
    server: PostgresLangGraphMedium, postgres_url: str
) -> None:
    """Tables lie in the schema, and go with it."""
    psycopg: Any = import_module("psycopg")

    def tables() -> list[Any]:
        query = "SELECT tablename FROM pg_tables WHERE schemaname = %s ORDER BY 1"
        with psycopg.connect(postgres_url) as connection:
            return [each for (each,) in connection.execute(query, [server.name])]

    server.open().close()
    assert tables() == [
        "checkpoint_blobs",
        "checkpoint_migrations",
        "checkpoint_writes",
        "checkpoints",
    ]
    server.destroy()
    assert tables() == []


@pytest.mark.usefixtures("langgraph", "postgres_url")
def test_a_server_that_does_not_answer_is_the_mediums_fault(tmp_path: Path) -> None:
    """The message says where it was looked for, and what to do."""

    class Nowhere(PostgresLangGraphMedium):
        """A medium with a URL of its own."""

        url = NOWHERE

    with pytest.raises(MediumFault) as told:
        Nowhere(tmp_path).open()
    assert str(told.value) == (
        "medium: no PostgreSQL server answers: connection failed: connection to server at "
        '"127.0.0.1", port 1 failed: Connection refused Is the server running on that host and '
        "accepting TCP/IP connections?; correct STORELAW_POSTGRES, or start a server with: "
        "initdb -D pg -U postgres -A trust && pg_ctl -D pg -o '-p 5432 -k /tmp' -l pg/log -w start"
    )


@needs_langgraph
def test_without_a_url_the_variable_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was not opened has nothing to drop."""
    pytest.importorskip("psycopg", reason="psycopg has no libpq here", exc_type=ImportError)
    monkeypatch.delenv("STORELAW_POSTGRES", raising=False)
    medium = PostgresLangGraphMedium(tmp_path)
    with pytest.raises(Misconfigured, match=r"STORELAW_POSTGRES is not set"):
        medium.open()
    medium.destroy()


@pytest.mark.parametrize(
    ("medium", "package"),
    [
        (MemoryLangGraphMedium, "langgraph.checkpoint.memory"),
        (SqliteLangGraphMedium, "langgraph.checkpoint.sqlite"),
        (PostgresLangGraphMedium, "langgraph.checkpoint.postgres"),
    ],
)
def test_a_missing_package_is_named_with_its_extra(
    medium: type[LangGraphMedium],
    package: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The message holds the package and the command that installs it."""
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(Misconfigured, match=rf"{package}.*pip install 'storelaw\[langgraph\]'"):
        medium(tmp_path).open()
