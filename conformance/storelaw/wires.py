"""The wires of a performance: a proxy before the server, and appends that lose their connection."""

from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from queue import Empty
from typing import TYPE_CHECKING, Any, Final

from storelaw.cutoffs import FIRST, MOST, Cutoff, Cutoffs, numbered
from storelaw.driver import Driver
from storelaw.errors import MediumFault
from storelaw.program import Step, append, call, load
from storelaw.proxy import Proxy
from storelaw.trace import UNKNOWN, Event
from storelaw.visits import Visits
from storelaw.worker import borrowed, given_back
from storelaw.wreckage import Sight

if TYPE_CHECKING:
    from storelaw.player import Performance

ACTS: Final = frozenset({"lose"})

#: Seconds that another client may take, after which it counts as kept out.
LIMIT: Final = 5.0


class Wires:
    """The wires of one performance."""

    def __init__(self, performance: "Performance") -> None:
        self._performance = performance
        self._visits = Visits(performance.driver)
        self._medium = performance.medium

    def event(self, index: int, step: Step) -> Event:
        """Carry out one step, where the medium has a route."""
        if not callable(getattr(self._medium, "route", None)):
            return Event(index, step, "skipped", text="route")
        event = self._performance.attempt(index, step, lambda: self._lost(step))
        return replace(event, passed=tuple(step.expanded()), nested=tuple(_inside(event)))

    def _lost(self, step: Step) -> Cutoffs:
        with ExitStack() as stack:
            way = _Way(self._performance, stack)
            found: list[Cutoff] = []
            while not found or (_goes_on(found[-1]) and len(found) < MOST):
                found.append(self._cut_off(way, step, len(found)))
            return Cutoffs(tuple(found))

    def _cut_off(self, way: "_Way", step: Step, number: int) -> Cutoff:
        """One append, cut after so many of its exchanges, and what is found of it."""
        due, first = numbered(step, number), numbered(append(step.session, FIRST), number)
        session = due.session
        self._begun(first)
        came, struck = way.taken(step["point"], number, due, self._visits)
        self._performance.settled()
        seen = self._seen(session)
        (retried,) = self._by_another(due)
        again = self._seen(session)
        (written,) = self._by_another(numbered(step["then"], number))
        return Cutoff(
            session=session,
            passed=number,
            struck=struck,
            before=tuple(first.expanded()),
            sent=tuple(due.expanded()),
            came=came,
            seen=seen,
            retried=retried,
            again=again,
            written=written,
            later=self._seen(session),
        )

    def _begun(self, first: Step) -> None:
        """Let a session hold an entry, by a client whose connection is sound."""
        handle, calls = self._performance.handles[0], self._performance.calls
        if self._performance.driver.has(handle, "create"):
            calls.made(handle, call("create", first.session), [])
        calls.made(handle, first, calls.given(first.expanded()))

    def _seen(self, session: Any) -> Sight:
        (sight,) = self._visits.seen(self._performance.handles[0], load(session))
        return sight

    def _by_another(self, *steps: Step) -> list[Sight]:
        """What steps come to on a fresh handle, which must not be kept waiting."""
        self._performance.worker.beat("an append by another client")
        follower = borrowed()
        visits = Visits(Driver(self._performance.manifest, follower))
        answers = follower.begin(lambda: visits.paid(self._medium, *steps))
        try:
            good, answer = answers.get(timeout=LIMIT)
        except Empty:
            return [_kept_waiting()] * len(steps)
        given_back(follower)
        if not good:
            raise answer
        return list(answer)


class _Way:
    """The way to the server by a proxy, from the first handle that takes it."""

    def __init__(self, performance: "Performance", stack: ExitStack) -> None:
        self._performance, self._stack = performance, stack
        self._proxy: Proxy | None = None

    def _through(self, host: str, port: int) -> tuple[str, int]:
        if self._proxy is None:
            self._proxy = self._stack.enter_context(Proxy(host, port))
        return self._proxy.address

    def _opened(self) -> tuple[Any, Proxy]:
        """A handle behind the proxy; later ones are opened without it."""
        performance, medium = self._performance, self._performance.medium
        performance.guarded("route()", medium.route, self._through)
        try:
            handle = performance.guarded("open()", medium.open)
        finally:
            performance.guarded("route()", medium.route, _straight)
        if self._proxy is None:
            performance.guarded("close()", medium.close, handle)
            raise MediumFault(
                f"medium: {performance.manifest.name}'s route() did not ask for a way; call "
                "through(host, port) with the server's, and let open() connect to the answer"
            )
        return handle, self._proxy

    def taken(self, point: Any, passed: int, step: Step, visits: Visits) -> tuple[Sight, bool]:
        """What a step comes to that is cut after so many exchanges, and whether it was cut."""
        handle, proxy = self._opened()
        before = proxy.struck
        proxy.cut(point, passed)
        (came,) = visits.seen(handle, step)
        proxy.heal()
        with suppress(Exception):
            self._performance.driver.resolved("close()", self._performance.medium.close, handle)
        return came, proxy.struck > before


def _straight(host: str, port: int) -> tuple[str, int]:
    return host, port


def _goes_on(cutoff: Cutoff) -> bool:
    """Whether the append may have further exchanges, and nobody was kept waiting."""
    return cutoff.struck and _kept_waiting() not in (cutoff.retried, cutoff.written)


def _kept_waiting() -> Sight:
    return Sight(None, UNKNOWN, f"TimeoutError: nothing came of it within {LIMIT:g} s")


def _inside(event: Event) -> list[Event]:
    """The operations that passed inside a step, each kind once."""
    if not isinstance(event.value, Cutoffs):
        return []
    found = event.value.found
    passed: dict[str, Callable[[Cutoff], bool]] = {
        "load": lambda each: each.seen.ok,
        "append": lambda each: each.came.ok,
    }
    return [Event(event.index, Step(name)) for name, ok in passed.items() if any(map(ok, found))]
