"""LangGraph's checkpointers as media: a session is a thread of a graph with one channel.

The channel is a list, to which ``update_state`` adds by the reducer ``operator.add``, as
LangGraph's guide to graphs keeps a growing list; ``get_state`` reads it back. So an append is
one checkpoint, with the longer list. Entries are opaque to such a channel, which knows no
ids. A thread that was never written has an empty state, and ``delete_thread`` forgets one.

The documentation promises memory within a thread, which a database keeps across restarts. It
promises nothing of two callers who change one thread at once and nothing of half an update,
so the manifests don't either.
"""

import operator
from abc import abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import replace
from functools import cache
from typing import Annotated, Any, ClassVar, TypedDict

from storelaw.errors import MediumFault
from storelaw.manifest import Manifest
from storelaw.media.extras import imported
from storelaw.media.postgres import EXAMPLE, START, VARIABLE
from storelaw.media.scripted import address
from storelaw.medium import Medium
from storelaw.proxy import Way, routed
from storelaw.values import Entry

EXTRA = "langgraph"

#: The graph's only node, in whose name each update is made.
NODE = "keep"


class State(TypedDict):
    """The state of a thread."""

    entries: Annotated[list[Entry], operator.add]


@cache
def _builder() -> Any:
    graphs = imported("langgraph.graph", EXTRA)
    builder = graphs.StateGraph(State)
    silent: Callable[[State], dict[str, Any]] = lambda _: {}
    builder.add_node(NODE, silent)
    builder.add_edge(graphs.START, NODE)
    return builder


class Threads:
    """A handle: the threads that a checkpointer keeps for the graph."""

    def __init__(self, making: AbstractContextManager[Any]) -> None:
        self._stack = ExitStack()
        self._checkpointer = self._stack.enter_context(making)
        self._graph = _builder().compile(checkpointer=self._checkpointer)

    def append(self, session_id: str, entries: list[Entry]) -> None:
        """One update of the thread's state."""
        self._graph.update_state(_config(session_id), {"entries": entries}, as_node=NODE)

    def load(self, session_id: str) -> list[Entry]:
        """The list in the thread's latest state."""
        values: dict[str, list[Entry]] = self._graph.get_state(_config(session_id)).values
        return values.get("entries", [])

    def delete(self, session_id: str) -> None:
        """Forget the thread."""
        self._checkpointer.delete_thread(session_id)

    def close(self) -> None:
        """Close what the checkpointer holds."""
        self._stack.close()


def _config(session_id: str) -> dict[str, Any]:
    return {"configurable": {"thread_id": session_id}}


class LangGraphMedium(Medium):
    """The graph over a checkpointer; a variant says which one."""

    manifest: ClassVar[Manifest] = Manifest(
        name="langgraph",
        durable=True,
        entry_id=None,
        options={"create": "implicit", "unknown_session": "empty"},
        cost=40.0,
    )

    def open(self) -> Threads:
        """A further checkpointer on the same data."""
        return Threads(self.checkpointer())

    @abstractmethod
    def checkpointer(self) -> AbstractContextManager[Any]:
        """A checkpointer for as long as the context is open."""
        ...


class MemoryLangGraphMedium(LangGraphMedium):
    """``InMemorySaver``, whose data are in the object itself, so that all handles have one."""

    manifest = replace(LangGraphMedium.manifest, name="langgraph:memory", durable=False)
    #: It is reached by no connection that could be cut.
    route: ClassVar[None] = None
    needs_directory = False
    _shared: Any = None

    def checkpointer(self) -> AbstractContextManager[Any]:
        """The one checkpointer, which outlives its handles."""
        if self._shared is None:
            self._shared = imported("langgraph.checkpoint.memory", EXTRA).InMemorySaver()
        return nullcontext(self._shared)


class SqliteLangGraphMedium(LangGraphMedium):
    """``SqliteSaver`` on a file of the medium's directory."""

    manifest = replace(LangGraphMedium.manifest, name="langgraph:sqlite")

    #: It is reached by no connection that could be cut.
    route: ClassVar[None] = None

    def checkpointer(self) -> AbstractContextManager[Any]:
        """A further connection."""
        make = imported("langgraph.checkpoint.sqlite", EXTRA).SqliteSaver
        opened: AbstractContextManager[Any] = make.from_conn_string(
            str(self.workdir / "checkpoints.db")
        )
        return opened


class PostgresLangGraphMedium(LangGraphMedium):
    """``PostgresSaver`` in a schema of the medium's name, which ``destroy`` drops.

    The server is the one of ``STORELAW_POSTGRES``, or of the class's ``url``. Its
    documentation wants ``setup`` called once before the first use: the first handle does it.
    """

    manifest = replace(LangGraphMedium.manifest, name="langgraph:postgres", cost=10.0)
    url: ClassVar[str | None] = None
    _made = False
    _through: Way | None = None

    def route(self, through: Way) -> None:
        """Let further handles connect to another host and port than the server's."""
        self._through = through

    def checkpointer(self) -> AbstractContextManager[Any]:
        """A further connection."""
        make = imported("langgraph.checkpoint.postgres", EXTRA).PostgresSaver
        url = self._address()
        if not self._made:
            self._ask(f"CREATE SCHEMA IF NOT EXISTS {self.name}")
            with make.from_conn_string(self._inside(url)) as first:
                first.setup()
            self._made = True
        way = routed(url, self._through) if self._through else url
        opened: AbstractContextManager[Any] = make.from_conn_string(self._inside(way))
        return opened

    def _address(self) -> str:
        return address(self.url, VARIABLE, EXAMPLE, START)

    def _inside(self, url: str) -> str:
        """How a connection is made that looks into the schema alone."""
        info = imported("psycopg.conninfo", EXTRA)
        return str(info.make_conninfo(url, options=f"-c search_path={self.name}"))

    def destroy(self) -> None:
        """Drop the schema; who still holds a lock in it after ten seconds makes it fail."""
        if self._made:
            self._ask(f"SET lock_timeout = '10s'; DROP SCHEMA IF EXISTS {self.name} CASCADE")

    def _ask(self, statements: str) -> None:
        psycopg = imported("psycopg", EXTRA)
        try:
            with psycopg.connect(
                self._address(), autocommit=True, connect_timeout=10
            ) as connection:
                connection.execute(statements)
        except psycopg.OperationalError as error:
            raise MediumFault(
                f"medium: no PostgreSQL server answers: {' '.join(str(error).split())}; "
                f"correct {VARIABLE}, or start a server with: {START}"
            ) from error
