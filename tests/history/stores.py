"""Small stores, right and broken, played by a seeded scheduler.

An operation is a generator: it stops where another may come in between, and what it returns is
the answer. The scheduler chooses who goes on, takes the tickets, and now and then gives up on an
append, which then goes on by itself or stays where it was.
"""

from collections import defaultdict
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeAlias

from storelaw.history import Act, History
from storelaw.history.acts import Deed, Outcome, Writer

Play: TypeAlias = Generator[None, None, Any]


class Log:
    """A right store under every promise: one list, and each append extends it at once."""

    settles = False

    def __init__(self, random: Random, whole: bool) -> None:
        self.random, self.whole = random, whole
        self.units: list[tuple[str, ...]] = []

    def append(self, writer: Writer, tags: tuple[str, ...], refused: bool) -> Play:
        """Take effect once, or entry by entry; a refused one at most in part."""
        yield
        pieces = [tags] if self.whole else [(tag,) for tag in tags]
        kept = self.random.randrange(len(pieces)) if refused else len(pieces)
        for piece in pieces[:kept]:
            self.take(writer, piece)
            yield
        return "failed" if refused else "ok"

    def take(self, writer: Writer, piece: tuple[str, ...]) -> None:
        """Keep what has to be kept at once."""
        self.units.append(piece)

    def load(self, writer: Writer) -> Play:
        """All that is there at one moment."""
        yield
        seen = self.view(writer)
        yield
        return tuple(tag for unit in seen for tag in unit)

    def view(self, writer: Writer) -> list[tuple[str, ...]]:
        """What a writer sees now."""
        return list(self.units)

    def settle(self) -> None:
        """Nothing has to."""


class Replica(Log):
    """Right up to ``sequential``: a writer may see an old state, but never an older one."""

    settles = True

    def __init__(self, random: Random, whole: bool) -> None:
        super().__init__(random, whole)
        self.floors = defaultdict[Writer, int](int)

    def take(self, writer: Writer, piece: tuple[str, ...]) -> None:
        """The writer sees what it wrote."""
        super().take(writer, piece)
        self.floors[writer] = len(self.units)

    def view(self, writer: Writer) -> list[tuple[str, ...]]:
        """A beginning that is no shorter than the last."""
        self.floors[writer] = self.random.randint(self.floors[writer], len(self.units))
        return self.units[: self.floors[writer]]

    def settle(self) -> None:
        """Everybody is up to date."""
        self.floors = defaultdict(lambda: len(self.units))


class Queues(Log):
    """Right up to ``sequential``: answers at once and writes later, each writer in its order."""

    settles = True

    def __init__(self, random: Random, whole: bool) -> None:
        super().__init__(random, whole)
        self.queues = defaultdict[Writer, list[tuple[str, ...]]](list)

    def take(self, writer: Writer, piece: tuple[str, ...]) -> None:
        """Put it behind the writer's others."""
        self.queues[writer].append(piece)

    def view(self, writer: Writer) -> list[tuple[str, ...]]:
        """All of the writer's own, and some of the others'."""
        for each, queue in self.queues.items():
            count = len(queue) if each == writer else self.random.randint(0, len(queue))
            self.units += queue[:count]
            del queue[:count]
        return list(self.units)

    def settle(self) -> None:
        """Write all."""
        for each in self.queues:
            self.view(each)


class Shards(Log):
    """Right under ``per-writer`` only: a list for each writer, merged anew by each load."""

    settles = True

    def __init__(self, random: Random, whole: bool) -> None:
        super().__init__(random, whole)
        self.shards = defaultdict[Writer, list[tuple[str, ...]]](list)
        self.settled = False

    def take(self, writer: Writer, piece: tuple[str, ...]) -> None:
        """The writer's own list."""
        self.shards[writer].append(piece)

    def view(self, writer: Writer) -> list[tuple[str, ...]]:
        """Any merge of beginnings."""
        shown = [
            each[: len(each) if self.settled else self.random.randint(0, len(each))]
            for each in self.shards.values()
        ]
        order = [index for index, each in enumerate(shown) for _ in each]
        self.random.shuffle(order)
        return [shown[index].pop(0) for index in order]

    def settle(self) -> None:
        """From now on loads are complete."""
        self.settled = True


class LostUpdate(Log):
    """Reads the whole, waits, and writes the whole."""

    def append(self, writer: Writer, tags: tuple[str, ...], refused: bool) -> Play:
        """Whoever comes in between is overwritten."""
        before = list(self.units)
        yield
        self.units = [*before, *([] if refused else [tags])]
        return "failed" if refused else "ok"


class Repeating(Log):
    """Writes once more when in doubt."""

    def take(self, writer: Writer, piece: tuple[str, ...]) -> None:
        """Now and then twice."""
        self.units += [piece] * self.random.choice([1, 1, 2])


class Torn(Log):
    """Promises whole batches and writes entry by entry."""

    def append(self, writer: Writer, tags: tuple[str, ...], refused: bool) -> Play:
        """Others see the half, and come in between."""
        for tag in () if refused else tags:
            self.take(writer, (tag,))
            yield
        return "failed" if refused else "ok"


class Backward(Log):
    """Writes a batch from its end."""

    def take(self, writer: Writer, piece: tuple[str, ...]) -> None:
        """The last first."""
        self.units.append(piece[::-1])


class Careless(Log):
    """Says no when it has already written."""

    def append(self, writer: Writer, tags: tuple[str, ...], refused: bool) -> Play:
        """The entries stay."""
        yield from super().append(writer, tags, False)
        return "failed" if refused else "ok"


class Mixing(Log):
    """Shares a buffer between writers."""

    def take(self, writer: Writer, piece: tuple[str, ...]) -> None:
        """Now and then a piece of the entry before is in it."""
        last = self.units[-1][0] if self.units and self.random.random() < 0.3 else None
        self.units.append(piece if last is None else (f"{piece[0]}~{last}", *piece[1:]))


class Clocked(Log):
    """Sorts by clocks that don't agree."""

    def take(self, writer: Writer, piece: tuple[str, ...]) -> None:
        """Somewhere near the end."""
        at = max(0, len(self.units) - self.random.choice([0, 0, 1, 2]))
        self.units.insert(at, piece)


class Cached(Log):
    """Promises real time and looks at the log only now and then."""

    def __init__(self, random: Random, whole: bool) -> None:
        super().__init__(random, whole)
        self.caches: dict[Writer, list[tuple[str, ...]]] = {}

    def view(self, writer: Writer) -> list[tuple[str, ...]]:
        """What was seen before, more often than not."""
        if writer not in self.caches or self.random.random() < 0.3:
            self.caches[writer] = super().view(writer)
        return self.caches[writer]


class Overtaking(Queues):
    """Writes later, and not in the order in which it was asked."""

    def take(self, writer: Writer, piece: tuple[str, ...]) -> None:
        """Anywhere in the queue."""
        queue = self.queues[writer]
        queue.insert(self.random.randint(0, len(queue)), piece)


@dataclass(slots=True)
class _Running:
    """An operation under way."""

    writer: Writer
    began: int
    play: Play
    sent: tuple[str, ...] | None


@dataclass(slots=True)
class _Clock:
    """The one counter."""

    last: int = 0

    def ticket(self) -> int:
        """The next ticket."""
        self.last += 1
        return self.last


@dataclass(slots=True)
class Scheduler:
    """Plays a few tasks of two workers on one store."""

    random: Random
    store: Log
    acts: list[Act] = field(default_factory=list[Act])
    clock: _Clock = field(default_factory=_Clock)
    running: list[_Running] = field(default_factory=list[_Running])
    abandoned: list[Play] = field(default_factory=list[Play])
    sent: int = 0

    def history(self, steps: int) -> History:
        """So many steps, then everybody ends, the store settles, and all load once more."""
        for _ in range(steps):
            self._step()
        while self.running:
            self._go_on(self.running[0])
        self.store.settle()
        settled = self.clock.ticket() if self.store.settles else 0
        for worker in "AB":
            self._begin((worker, 0), loads=True)
            while self.running:
                self._go_on(self.running[0])
        return History(tuple(self.acts), settled)

    def _step(self) -> None:
        if self.abandoned and self.random.random() < 0.3:
            next(self.abandoned[0], None)
        if len(self.running) < 3 and self.random.random() < 0.5:
            writer = self.random.choice("AB"), self.random.choice([0, 0, 1])
            self._begin(writer, loads=self.random.random() < 0.4)
        elif self.running:
            self._go_on(self.random.choice(self.running))

    def _begin(self, writer: Writer, loads: bool) -> None:
        began = self.clock.ticket()
        if loads:
            self.running.append(_Running(writer, began, self.store.load(writer), None))
            return
        tags = tuple(self._tags())
        play = self.store.append(writer, tags, self.random.random() < 0.1)
        self.running.append(_Running(writer, began, play, tags))

    def _tags(self) -> Iterator[str]:
        for _ in range(self.random.choice([1, 1, 2, 3])):
            self.sent += 1
            yield f"t{self.sent}"

    def _go_on(self, running: _Running) -> None:
        try:
            next(running.play)
        except StopIteration as stop:
            if running.sent is None:
                self._note(running, "ok", self.clock.ticket(), stop.value)
            else:
                self._note(running, stop.value, self.clock.ticket(), None)
        else:
            if running.sent is not None and self.random.random() < 0.05:
                self.abandoned.append(running.play)
                ended = self.clock.ticket() if self.random.random() < 0.5 else None
                self._note(running, "unknown", ended, None)

    def _note(
        self, running: _Running, outcome: Outcome, ended: int | None, seen: tuple[str, ...] | None
    ) -> None:
        self.running.remove(running)
        worker, handle = running.writer
        do: Deed = "load" if running.sent is None else "append"
        sent = running.sent or ()
        self.acts.append(Act(worker, handle, do, "s", sent, seen, outcome, running.began, ended))


def played(store: type[Log], seed: int, whole: bool, steps: int = 60) -> History:
    """The history of one store under one seed."""
    random = Random(seed)
    return Scheduler(random, store(random, whole)).history(steps)
