"""Programs as an honest medium plays them: the code they come to, the calls that reach its store.

A liar that gives the same answer to each of these calls looks like the honest store to
whatever the program puts over it, so it need not play the program.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from cProfile import Profile
from dataclasses import dataclass, field
from types import CodeType
from typing import Any, Final, TypeAlias

from storelaw import ground
from storelaw.medium import Medium
from storelaw.player import play
from storelaw.program import Program, Step, nested
from storelaw.values import copied
from storelaw.worker import current

#: Steps that do more than call a handle, so that the calls alone don't repeat them.
BEYOND_CALLS: Final = frozenset(
    {
        "crash",
        "damage",
        "settle",
        "clock",
        "meddle",
        "fail_next",
        "tear",
        "kill",
        "lose",
        "restore",
    }
)

#: What makes a program run beside this thread, where nothing of it is noted.
BESIDE: Final = frozenset({"threads", "processes", "kill", "lose"})

#: What a call gave, or what it raised, in the words of ``repr``, which tell types apart.
Outcome: TypeAlias = tuple[str, str]


@dataclass(eq=False, slots=True)
class Call:
    """One call on a numbered handle, after all those that lead to it; ``open`` makes a handle."""

    number: int = 0
    operation: str = ""
    args: tuple[Any, ...] = ()
    named: Mapping[str, Any] = field(default_factory=dict[str, Any])
    before: "Call | None" = None
    outcome: Outcome = ("", "")
    then: "dict[str, Call]" = field(default_factory=dict[str, "Call"])

    def way(self) -> "list[Call]":
        """The calls from the first to this one."""
        found: list[Call] = []
        here: Call | None = self
        while here is not None and here.operation:
            found.append(here)
            here = here.before
        return found[::-1]


@dataclass(frozen=True, slots=True)
class Part:
    """One program: the names that it asks for, the code that it came to, and its last call.

    There is no last call where the calls don't repeat what the program does. Nothing is known
    of one that runs ``beside`` this thread.
    """

    asked: frozenset[str]
    codes: frozenset[CodeType] = frozenset()
    last: Call | None = None
    beside: bool = False


class Rehearsal:
    """The programs that one honest medium class has played."""

    def __init__(self, honest: type[Medium]) -> None:
        self.first = Call()
        self._tape = _Tape(self.first)
        self._medium = _taped(honest, self._tape)
        self._parts: dict[int, tuple[Program, Part]] = {}

    def part(self, program: Program) -> Part:
        """What a program came to; it is played once."""
        if id(program) not in self._parts:
            self._parts[id(program)] = (program, self._played(program))
        return self._parts[id(program)][1]

    def _played(self, program: Program) -> Part:
        asked = frozenset(_asked(program))
        if not BESIDE.isdisjoint(asked):
            return Part(asked, beside=True)
        self._tape.rewind(self.first)
        profile = Profile(builtins=False, subcalls=False)
        limit = self._medium.manifest.operation_timeout
        current().run(lambda: profile.runcall(play, program, self._medium), limit)
        codes = frozenset(e.code for e in profile.getstats() if isinstance(e.code, CodeType))
        last = self._tape.last if BEYOND_CALLS.isdisjoint(asked) else None
        return Part(asked, codes, last)


class _Tape:
    """What is being noted: the call that the program has come to, and the handles so far."""

    def __init__(self, first: Call) -> None:
        self.rewind(first)

    def rewind(self, first: Call) -> None:
        """Begin again ahead of the first call."""
        self.last, self.opened = first, 0

    def call(
        self, number: int, operation: str, method: Callable[..., Any], *args: Any, **named: Any
    ) -> Any:
        """Carry out a call, and note it with its outcome."""
        given, told = tuple(map(copied, args)), {k: copied(v) for k, v in named.items()}
        outcome: Outcome = ("", "")
        try:
            answer = method(*args, **named)
            outcome = (repr(answer), "")
            return answer
        except Exception as error:
            outcome = ("", repr(error))
            raise
        finally:
            made = Call(number, operation, given, told, self.last, outcome)
            self.last = self.last.then.setdefault(repr((number, operation, given, told)), made)


class _Taped:
    """A handle whose calls are noted."""

    def __init__(self, handle: Any, tape: _Tape, number: int) -> None:
        self._handle, self._tape, self._number = handle, tape, number

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._handle, name)

        def noted(*args: Any, **named: Any) -> Any:
            return self._tape.call(self._number, name, value, *args, **named)

        return noted if callable(value) else value


def _taped(honest: type[Medium], tape: _Tape) -> type[Medium]:
    """The honest medium, with handles whose calls are noted."""

    def opened(self: Medium) -> Any:
        number = tape.opened
        tape.opened += 1
        tape.call(number, "open", lambda: None)
        return _Taped(honest.open(self), tape, number)

    return type(honest.__name__, (honest,), {"open": opened})


def _asked(program: Program) -> Iterator[str]:
    """The names of all that a program asks for, in steps inside others too."""
    waiting = list(program.steps)
    while waiting:
        each = waiting.pop()
        yield from (each.do, each.name, f"open_{each['door']}", str(each["way"]))
        yield from ("former",) if each.do == "restore" else ()
        for value in each.args.values():
            waiting += [one for one in nested(value) if isinstance(one, Step)]


class Repetition:
    """The calls of programs made again on another medium."""

    def __init__(self, medium: type[Medium]) -> None:
        self._medium = medium
        self._agreed: set[Call] = set()
        self._different: set[Call] = set()

    def agrees(self, last: Call) -> bool:
        """Whether all calls up to this one are answered as the honest medium did.

        False for a medium whose directory counts, since calls don't show it.
        """
        if last in self._agreed:
            return True
        way = last.way()
        if self._medium.needs_directory or not self._different.isdisjoint(way):
            return False
        return self._made_again(way)

    def _made_again(self, way: list[Call]) -> bool:
        state, place = random.getstate(), ground.taken()
        current().beat("the calls of a program")
        medium, handles = self._medium(place.workdir), dict[int, Any]()
        try:
            for each in way:
                if _repeated(each, medium, handles) != each.outcome:
                    self._different.add(each)
                    return False
                self._agreed.add(each)
            return True
        finally:
            medium.destroy()
            random.setstate(state)
            ground.given_back(place, reusable=True)


def _repeated(call: Call, medium: Medium, handles: dict[int, Any]) -> Outcome:
    args, named = map(copied, call.args), {k: copied(v) for k, v in call.named.items()}
    try:
        if call.operation == "open":
            handles[call.number] = medium.open()
            return repr(None), ""
        return repr(getattr(handles[call.number], call.operation)(*args, **named)), ""
    except Exception as error:
        return "", repr(error)
