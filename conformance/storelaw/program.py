"""A program: the sequence of operations that a law runs, as data.

Steps name the operation (``do``), the session, the entries, the handle, and further
arguments. Programs are built by the functions below, saved as JSON
(``schemas/harness/program.schema.json``) and read back by :meth:`Program.of`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from storelaw.formats import FORMATS, readable
from storelaw.values import Entry, copied, is_array, is_tuple

#: A session id, or the parts of one where the manifest names ``key_parts``.
Key: TypeAlias = str | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Many:
    """One entry, repeated ``times`` times with the ids ``id-0``, ``id-1``, ..."""

    entry: Entry
    times: int

    def expanded(self) -> list[Entry]:
        """The single entries."""
        return [_numbered(self.entry, index) for index in range(self.times)]


def _numbered(entry: Entry, index: int) -> Entry:
    numbered: Entry = copied(entry)
    if "id" in numbered:
        numbered["id"] = f"{entry['id']}-{index}"
    return numbered


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry for a session engine, with the label by which later steps refer to it."""

    label: str
    entry: Entry


Item: TypeAlias = Entry | Many | Draft


@dataclass(frozen=True, slots=True)
class Step:
    """One operation of a program.

    ``on`` is the number of a handle at the store door, the label of a session object at
    the session door; ``args`` holds JSON values.
    """

    do: str
    session: Key = ""
    entries: tuple[Item, ...] = ()
    on: int | str = 0
    args: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    def expanded(self) -> list[Entry]:
        """The entries, repetitions written out, as fresh copies."""
        expanded: list[Entry] = []
        for each in self.entries:
            if isinstance(each, Many):
                expanded.extend(each.expanded())
            else:
                expanded.append(copied(each.entry if isinstance(each, Draft) else each))
        return expanded

    def drafts(self) -> list[Draft]:
        """The entries as drafts."""
        return [each for each in self.entries if isinstance(each, Draft)]

    @property
    def name(self) -> str:
        """The operation, or the method that a door's object is asked for."""
        return str(self.args["method"]) if self.do == "ask" else self.do

    def __getitem__(self, name: str) -> Any:
        return self.args.get(name)


@dataclass(frozen=True, slots=True)
class Program:
    """A complete sequence of steps; data before it runs."""

    steps: tuple[Step, ...]

    def __len__(self) -> int:
        return len(self.steps)

    def with_steps(self, steps: Iterable[Step]) -> "Program":
        """The program with other steps."""
        return replace(self, steps=tuple(steps))

    def data(self) -> dict[str, Any]:
        """The program as JSON: entries in one table, named by ordinal from the steps."""
        table: list[Entry] = []
        steps = [_step_data(each, table) for each in self.steps]
        return {"storelaw": FORMATS["program"], "entries": table, "steps": steps}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Program":
        """A program from JSON; raises :class:`Misconfigured` for a newer version."""
        table = readable(data, "program")["entries"]
        return cls(tuple(_step_of(each, table) for each in data["steps"]))


def _ordinal(entry: Entry, table: list[Entry]) -> int:
    for index, each in enumerate(table):
        if each is entry:
            return index
    table.append(entry)
    return len(table) - 1


def nested(value: Any) -> tuple[Any, ...]:
    """The values of an argument that may be a tuple of them."""
    return value if is_tuple(value) else (value,)


def _item_data(item: Item, table: list[Entry]) -> Any:
    if isinstance(item, Many):
        return {"entry": _ordinal(item.entry, table), "times": item.times}
    if isinstance(item, Draft):
        return {"entry": _ordinal(item.entry, table), "label": item.label}
    return _ordinal(item, table)


def _step_data(step: Step, table: list[Entry]) -> dict[str, Any]:
    data: dict[str, Any] = {"do": step.do}
    if step.session != "":
        data["session"] = list(step.session) if isinstance(step.session, tuple) else step.session
    if step.on != 0:
        data["on"] = step.on
    if step.entries:
        data["entries"] = [_item_data(each, table) for each in step.entries]
    if step.args:
        data["args"] = {name: _argument_data(value, table) for name, value in step.args.items()}
    return data


def _argument_data(value: Any, table: list[Entry]) -> Any:
    if isinstance(value, Step):
        return {"step": _step_data(value, table)}
    if isinstance(value, Draft):
        return {"draft": _item_data(value, table)}
    if isinstance(value, tuple):
        return {"list": [_argument_data(each, table) for each in nested(value)]}
    return {"value": value}


def _item_of(data: Any, table: Sequence[Entry]) -> Item:
    if isinstance(data, int):
        return table[data]
    return _marked(data, table)


def _marked(data: Mapping[str, Any], table: Sequence[Entry]) -> Item:
    entry = table[int(data["entry"])]
    if "times" in data:
        return Many(entry, data["times"])
    return Draft(data["label"], entry)


def _argument_of(data: Mapping[str, Any], table: Sequence[Entry]) -> Any:
    if "step" in data:
        return _step_of(data["step"], table)
    if "draft" in data:
        return _item_of(data["draft"], table)
    if "list" in data:
        return tuple(_argument_of(each, table) for each in data["list"])
    return data["value"]


def _key_of(session: Any) -> Key:
    return tuple(session) if is_array(session) else session


def _step_of(data: Mapping[str, Any], table: Sequence[Entry]) -> Step:
    return Step(
        do=data["do"],
        session=_key_of(data.get("session", "")),
        entries=tuple(_item_of(each, table) for each in data.get("entries", ())),
        on=data.get("on", 0),
        args={name: _argument_of(value, table) for name, value in data.get("args", {}).items()},
    )


# ------------------------------------------------------------------ store door


def program(*steps: Step) -> Program:
    """A program of these steps. Handle 0 is open when it starts."""
    return Program(steps)


def append(session: Key, *entries: Item, on: int = 0) -> Step:
    """``store.append(session, [entries])``."""
    return Step("append", session, entries, on)


def load(session: Key, *, on: int = 0, **filters: Any) -> Step:
    """``store.load(session)``, with filters: last, first, after, before, since."""
    return Step("load", session, (), on, filters)


def call(operation: str, session: Key, *entries: Item, on: int = 0, **args: Any) -> Step:
    """Any other operation: create, record, delete, clear, pop, replace, delete_entry, ..."""
    return Step(operation, session, entries, on, args)


def list_sessions(*, on: int = 0, prefix: tuple[str, ...] = ()) -> Step:
    """``store.list_sessions(*prefix)``."""
    return Step("list_sessions", "", (), on, {"prefix": prefix} if prefix else {})


def opened(on: int) -> Step:
    """Open a further handle under this number."""
    return Step("open", on=on)


def closed(on: int = 0) -> Step:
    """Close a handle."""
    return Step("close", on=on)


def reopened(on: int = 0) -> Step:
    """Close a handle, open it anew: a restart."""
    return Step("reopen", on=on)


def meddle(what: str, *, on: int = 0) -> Step:
    """Change what the caller holds, in place: ``appended`` or ``loaded`` (the last of each)."""
    return Step("meddle", on=on, args={"what": what})


def bad(entry: Entry, how: str = "object") -> Entry:
    """An entry that no store can keep: it holds a value that is no JSON (``object`` or ``nan``)."""
    return {**entry, "bad": {"$storelaw": how}}


def at_once(
    session: Key,
    way: str,
    *,
    pauses: tuple[int, ...] = (),
    strides: tuple[int, ...] = (),
    **workers: tuple[Step, ...],
) -> Step:
    """Let workers loose on one session at once, each with steps of its own.

    ``way`` is ``tasks`` (on one handle), ``threads`` or ``processes`` (each on a handle of its
    own). Workers have names of one capital letter.
    ``pauses`` say, over and over, how many more turns of the loop each suspension of a task
    lasts, and after how many calls of functions a thread or process lets others through.
    ``strides`` say for each worker how far apart its steps begin; without them all workers
    begin each step together.
    """
    args: dict[str, Any] = {"way": way, **workers}
    if pauses:
        args["pauses"] = list(pauses)
    if strides:
        args["strides"] = list(strides)
    return Step("at_once", session, (), 0, args)


def workers_of(step: Step) -> dict[str, tuple[Step, ...]]:
    """The workers of a step, by name, each with its steps."""
    return {name: steps for name, steps in step.args.items() if name.isupper()}


def hangs_on_timing(program: Program) -> bool:
    """Whether what happens hangs on which of several workers comes first."""
    return any(each.do == "at_once" and each["way"] != "tasks" for each in program.steps)


# ---------------------------------------------------------------- session door


def session(key: Key, label: str = "A", *, on: int = 0) -> Step:
    """Open a session object under a label, over a handle."""
    return Step("open_session", key, (), label, {"handle": on} if on else {})


def add(*drafts: Draft, on: str = "A") -> Step:
    """``session.append([drafts])``."""
    return Step("add", "", drafts, on)


def run(
    *drafts: Draft,
    answer: tuple[Draft, ...] = (),
    during: tuple[Step, ...] = (),
    fails: bool = False,
    on: str = "A",
) -> Step:
    """``session.run([drafts], model)``: the model answers, or runs steps, and may then raise."""
    args: dict[str, Any] = {"answer": answer}
    if during:
        args["during"] = during
    if fails:
        args["fails"] = True
    return Step("run", "", drafts, on, args)


def act(what: str, on: str = "A", **args: Any) -> Step:
    """Any other call of a session: messages, transcript, entries, leaf, branch(target=label),
    fork(new, as_), compact(keep, summary, during, fails), close_session."""
    return Step(what, "", (), on, args)


def failing(point: str, k: int = 0, *, door: str = "session") -> Step:
    """Make the next append fail: ``before-commit``, ``after-commit``, or at ``item`` k.

    At the session door the store under the sessions fails (``load`` fails their next load),
    at the store door the medium's own power ``fail_next`` is asked.
    """
    args: dict[str, Any] = {"point": point}
    if k:
        args["k"] = k
    if door != "session":
        args["door"] = door
    return Step("fail_next", args=args)


# ------------------------------------------------------------------ views door


def view(which: str, path: list[Entry]) -> Step:
    """``model_view(path)`` or ``transcript_view(path)``."""
    return Step(which, "", tuple(path))


def entries_of(steps: Iterable[Step]) -> Iterator[Entry]:
    """The distinct entries of steps, nested ones included, in order of first appearance."""
    seen: set[int] = set()
    for each in _walked(steps):
        if id(each) not in seen:
            seen.add(id(each))
            yield each


def _walked(steps: Iterable[Step]) -> Iterator[Entry]:
    for each in steps:
        for item in each.entries:
            yield item.entry if isinstance(item, Many | Draft) else item
        for value in each.args.values():
            for one in nested(value):
                if isinstance(one, Draft):
                    yield one.entry
                elif isinstance(one, Step):
                    yield from _walked([one])


#: The operations that write to a session, before which an explicit store wants a ``create``.
_WRITES: Final = frozenset({"append", "append_one", "replace"})


def with_creation(program: Program, operations: frozenset[str]) -> Program:
    """The program with a ``create`` before the first write to each session, where there is one."""
    if "create" not in operations:
        return program
    steps: list[Step] = []
    created: set[Key] = set()
    for each in program.steps:
        if each.do == "create":
            created.add(each.session)
        elif each.do == "fork":
            created.add(each["new"])
        elif each.do == "delete":
            created.discard(each.session)
        elif each.do in (*_WRITES, "at_once") and each.session not in created:
            created.add(each.session)
            steps.append(Step("create", each.session, (), each.on))
        steps.append(each)
    return program.with_steps(steps)


# ------------------------------------------------------------------ other doors


def door(name: str, label: str = "A", key: Key = "s", *, on: int = 0, **named: Any) -> Step:
    """Open a door of the profile under a label, over a handle, for a session key."""
    args: dict[str, Any] = {"door": name}
    if on:
        args["handle"] = on
    if named:
        args["named"] = named
    return Step("open_door", key, (), label, args)


def ask(
    label: str,
    method: str,
    *values: Any,
    entries: tuple[Item, ...] = (),
    one: bool = False,
    during: tuple[Step, ...] = (),
    becomes: str = "",
    at: Key = "",
    save: str = "",
    **named: Any,
) -> Step:
    """Call a method of a door's object with JSON.

    ``entries`` go first, as a list (or the one entry, with ``one``); ``save`` keeps the
    answer under a name for :func:`answer_of`, ``becomes`` keeps an object that the method
    gives under a label (for the session ``at``); ``during`` are steps that a
    :func:`function` among the values runs before it answers.
    """
    args: dict[str, Any] = {"method": method}
    if values:
        args["with"] = values
    if named:
        args["named"] = named
    for name, value in (("one", one), ("during", during), ("becomes", becomes)):
        if value:
            args[name] = value
    if at:
        args["at"] = at
    if save:
        args["as"] = save
    return Step("ask", "", entries, label, args)


def answer_of(name: str, *at: Any) -> Any:
    """Stands for an earlier answer, or what lies at a path in it."""
    return {"$answer": name, "at": list(at)}


def function(answers: Any = None, *, fails: bool = False) -> Any:
    """Stands for a function that notes what it is shown, and answers or raises."""
    return {"$call": {"answers": answers, **({"fails": True} if fails else {})}}
