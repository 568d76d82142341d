"""Turn-shaped session programs, written with the model's state in hand.

A program is drawn as a short list of moves, each with a small number; a :class:`Script`
turns them into steps and knows which sessions are open and which labels each holds, so
that a branch, a fork or a compaction hits something real.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from storelaw import program as programs_of
from storelaw.program import Draft, Key, Program, Step, act, add, failing, reopened, run, session
from storelaw.samples import assistant, calls, ephemeral, is_ephemeral, meta, note, result, user

Ending: TypeAlias = Callable[["Script"], None]

#: The numbers that moves are drawn with; each move reads its own choices out of one.
PICKS: Final = tuple(range(24))

#: What may be said in one input, by the constructors of its entries.
INPUTS: Final = (
    (user,),
    (ephemeral, user),
    (user, ephemeral),
    (meta, user),
    (user, note, user),
    (ephemeral,),
    (user, ephemeral, note, ephemeral, meta),
    (note,),
)

TALK: Final = ("say", "run", "tools")
TREE: Final = ("branch", "compact", "fork")
TROUBLE: Final = ("fail", "model_fails", "bad_branch", "barge_in")
LIFE: Final = ("reopen", "second", "switch")
MOVES: Final = (*TALK, *TREE, *TROUBLE, *LIFE)


@dataclass
class Opened:
    """A session object of the program: its key, and the labels of what it may hold."""

    label: str
    key: Key
    durable: list[str] = field(default_factory=list[str])
    fleeting: list[str] = field(default_factory=list[str])


class Script:
    """The program as it is written: its steps, and what they should have led to."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.sessions: list[Opened] = []
        self.handles = 0
        self._numbers: dict[str, int] = {}
        self.now = self.open("s")

    def open(self, key: Key, durable: Sequence[str] = ()) -> Opened:
        """Open a session object, which is then the current one."""
        self.now = Opened(self.fresh("S"), key, list(durable))
        self.sessions.append(self.now)
        self.steps.append(session(key, self.now.label))
        return self.now

    def fresh(self, prefix: str) -> str:
        """A label or key that the program has not used yet."""
        number = self._numbers[prefix] = self._numbers.get(prefix, 0) + 1
        return f"{prefix}{number}"

    def said(self, *drafts: Draft) -> tuple[Draft, ...]:
        """Note the labels of drafts that the current session takes in."""
        for each in drafts:
            known = self.now.fleeting if is_ephemeral(each.entry) else self.now.durable
            known.append(each.label)
        return drafts

    def input(self, pick: int) -> tuple[Draft, ...]:
        """One input of the kinds that a number stands for."""
        kinds = INPUTS[pick % len(INPUTS)]
        return self.said(*(kind(self.fresh(kind.__name__[0])) for kind in kinds))

    def move(self, name: str, pick: int) -> None:
        """Write the steps of one move."""
        getattr(self, f"_{name}")(pick)

    def read(self, *names: str) -> None:
        """Read the current session: ``messages``, ``transcript``, ``entries``, ``leaf``."""
        self.steps.extend(act(name, self.now.label) for name in names)

    def program(self) -> Program:
        """The program so far."""
        return programs_of.program(*self.steps)

    # ------------------------------------------------------------------ talk

    def _say(self, pick: int) -> None:
        self.steps.append(add(*self.input(pick), on=self.now.label))

    def _run(self, pick: int) -> None:
        given = self.input(pick)
        answer = self.said(assistant(self.fresh("a")))
        self.steps.append(run(*given, answer=answer, on=self.now.label))

    def _tools(self, pick: int) -> None:
        """A turn of one to five parallel calls, of which some may stay without a result."""
        ids = [self.fresh("c") for _ in range(1 + pick % 5)]
        asked = self.said(user(self.fresh("u")))
        made = calls(self.fresh("a"), *ids)
        results = [result(self.fresh("r"), each) for each in ids]
        if pick % 2:
            results.reverse()
        results = results[: len(results) - pick % 3] if pick >= 12 else results
        final = (assistant(self.fresh("a")),) if len(results) == len(ids) else ()
        answer = self.said(made, *results, *final)
        self.steps.append(run(*asked, answer=answer, on=self.now.label))

    # ------------------------------------------------------------------ tree

    def _branch(self, pick: int) -> None:
        if self.now.durable:
            target = self.now.durable[pick % len(self.now.durable)]
            self.steps.append(act("branch", self.now.label, target=target))

    def _compact(self, pick: int) -> None:
        label = self.fresh("k")
        self.now.durable.append(label)
        summary = f"summary {label}"
        self.steps.append(
            act("compact", self.now.label, keep=pick % 3, summary=summary, label=label)
        )

    def _fork(self, pick: int) -> None:
        source, key = self.now, self.fresh("fork-")
        child = Opened(self.fresh("S"), key)
        self.steps.append(act("fork_session", source.label, new=key, as_=child.label))
        self.sessions.append(child)
        self.now = child if pick % 2 else source

    # --------------------------------------------------------------- trouble

    def _fail(self, pick: int) -> None:
        self.steps.append(failing("before-commit"))
        self.steps.append(add(user(self.fresh("x")), on=self.now.label))

    def _model_fails(self, pick: int) -> None:
        given = self.input(pick)
        self.steps.append(run(*given, fails=True, on=self.now.label))

    def _bad_branch(self, pick: int) -> None:
        fleeting = self.now.fleeting
        target = {"target": fleeting[pick % len(fleeting)]} if fleeting else {"id": "nowhere"}
        self.steps.append(act("branch", self.now.label, **target))

    def _barge_in(self, pick: int) -> None:
        """A call, something that slips in between, and then the call's result."""
        call = self.fresh("c")
        between = (note if pick % 2 else user)(self.fresh("b"))
        drafts = self.said(calls(self.fresh("a"), call), between, result(self.fresh("r"), call))
        for each in drafts:
            self.steps.append(add(each, on=self.now.label))

    # ------------------------------------------------------------------ life

    def _reopen(self, pick: int) -> None:
        """A restart: the handle and all sessions end, and each log is opened anew."""
        former = {each.key: each for each in self.sessions}
        kept = self.now.key
        self.sessions = []
        self.steps.append(reopened(self.handles))
        for key, each in former.items():
            if key != kept:
                self.open(key, each.durable)
        self.open(kept, former[kept].durable)

    def _second(self, pick: int) -> None:
        self.open(self.now.key, self.now.durable)

    def _switch(self, pick: int) -> None:
        self.now = self.sessions[pick % len(self.sessions)]


def no_ending(script: Script) -> None:
    """End a program where its moves end."""


def programs(
    moves: Sequence[str] = MOVES, ending: Ending = no_ending, *, least: int = 1, most: int = 7
) -> SearchStrategy[Program]:
    """Session programs of some moves, with steps that the law wants at the end.

    ``moves`` are names out of :data:`MOVES`; a name that stands there twice comes twice as
    often. ``ending`` gets the script, whose ``now`` is the current session.
    """
    move = st.tuples(st.sampled_from(tuple(moves)), st.sampled_from(PICKS))
    return st.lists(move, min_size=least, max_size=most).map(lambda drawn: written(drawn, ending))


def written(moves: Sequence[tuple[str, int]], ending: Ending = no_ending) -> Program:
    """The program of a list of moves."""
    script = Script()
    for name, pick in moves:
        script.move(name, pick)
    ending(script)
    return script.program()
