"""The text of a failure: whose fault, the shortest program, the difference, the reason.

Everything is ASCII, since the text crosses process borders; values are cut, the saved
program never is.
"""

import json
from collections.abc import Callable, Iterator
from shlex import quote
from typing import Any, Final

from storelaw.errors import in_ascii
from storelaw.failures import Failure
from storelaw.program import Draft, Item, Many, Program, Step, entries_of, nested, workers_of
from storelaw.values import (
    Entry,
    absent,
    brief,
    first_difference,
    is_array,
    is_object,
    is_tuple,
    same,
)

WIDTH: Final = 100
MOST_STEPS: Final = 24


def text(failure: Failure) -> str:
    """The whole text of a failure, at most 40 lines."""
    names = Names(failure.program)
    lines = [f"{failure.medium} broke a law: {failure.law}", ""]
    picture = ["", *(f"    {each}".rstrip() for each in failure.picture.splitlines())]
    most = MOST_STEPS - len(picture) + 1
    told = _shortened(list(program_lines(failure.program, names)), most)
    lines += [f"    {each}" for each in told]
    lines += ["", f"expected  {names.of(failure.expected)}"]
    lines += [f"observed  {names.of(failure.observed)}"]
    if failure.text_of_error:
        lines.append(f"raised    {brief(failure.text_of_error, WIDTH)}")
    difference = first_difference(failure.expected, failure.observed, failure.losses)
    if difference is not None and _worth(failure):
        lines.append(f"differs   {difference}")
    if failure.picture:
        lines += picture
    lines += ["", f"because   {failure.because}"]
    lines += [f"law       {failure.claim}"]
    if failure.replays[0] < failure.replays[1]:
        lines.append(f"flaky     it failed {failure.replays[0]} of {failure.replays[1]} replays")
    if failure.target:
        again = f"storelaw check {failure.target} --law {failure.law} --seed {failure.seed}"
        lines.append(f"rerun     {again}{_recorded(failure.program)}")
    return "\n".join(map(in_ascii, lines))


def _recorded(program: Program) -> str:
    """The option without which a run has no recording of an earlier version."""
    folders = [each["folder"] for each in program.steps if each.do == "restore" and each["folder"]]
    return f" --fixtures {quote(folders[0])}" if folders else ""


def _worth(failure: Failure) -> bool:
    return isinstance(failure.expected, list | dict) and isinstance(failure.observed, list | dict)


def _shortened(lines: list[str], most: int) -> list[str]:
    if len(lines) <= most:
        return lines
    half = most // 2
    left_out = len(lines) - 2 * half
    return [*lines[:half], f"...  # {left_out} more lines", *lines[-half:]]


class Names:
    """The names of a program's entries: its labels, or a, b, c by first appearance."""

    def __init__(self, program: Program) -> None:
        self._named: list[tuple[str, Entry]] = []
        self._told: set[str] = set()
        labels = {id(d.entry): d.label for step in program.steps for d in _drafts(step)}
        for index, each in enumerate(entries_of(program.steps)):
            self._named.append((labels.get(id(each)) or _letters(index), each))

    def name(self, entry: object) -> str | None:
        """The name of an entry that the program holds, by strict equality."""
        return next((name for name, each in self._named if same(each, entry)), None)

    def of(self, value: Any) -> str:
        """A value as text: entries by name, other JSON abbreviated."""
        if value is absent:
            return "nothing"
        if isinstance(value, Words):
            return str(value)
        if is_array(value):
            shown = [self.of(each) for each in value[:12]]
            more = f", ... {len(value) - 12} more" if len(value) > 12 else ""
            joined = f"[{', '.join(shown)}{more}]"
            return joined if len(joined) <= 3 * WIDTH else brief(value, 3 * WIDTH)
        return self.name(value) or brief(value, WIDTH)

    def told(self, step: Step) -> str:
        """A comment that says what a step's entries are, each told once."""
        fresh: list[str] = []
        for each in entries_of([step]):
            name = self.name(each) or "?"
            if name not in self._told:
                self._told.add(name)
                fresh.append(f"{name} = {gist(each)}")
        return f"  # {'; '.join(fresh[:3])}{'; ...' if len(fresh) > 3 else ''}" if fresh else ""

    def listed(self, items: tuple[Item, ...]) -> str:
        """Entries of a step as a list."""
        return f"[{', '.join(self._item(each) for each in items)}]"

    def _item(self, item: Item) -> str:
        if isinstance(item, Draft):
            return item.label
        if isinstance(item, Many):
            return f"*many({self.name(item.entry)}, {item.times})"
        return self.name(item) or "?"


def gist(entry: Entry) -> str:
    """An entry in a few words where it is a plain draft message, else its abbreviated JSON."""
    body = entry.get("message")
    if not is_object(body) or "id" in entry or not is_array(body.get("content")):
        return brief(entry, 88)
    words = [str(body[name]) for name in ("injected", "role") if body.get(name)]
    return f"{' '.join(words)}: {', '.join(_block(each) for each in body['content'])}"


def _block(block: Any) -> str:
    if not is_object(block):
        return brief(block, 30)
    kind = block.get("type")
    if kind == "text":
        return brief(block.get("text", ""), 40)
    return f"{kind} {brief(block.get('id') or block.get('text') or '', 30)}"


class Words(str):
    """Expected or observed, told in words instead of a value."""

    __slots__ = ()


def _drafts(step: Step) -> Iterator[Draft]:
    yield from step.drafts()
    for value in step.args.values():
        for one in nested(value):
            if isinstance(one, Draft):
                yield one
            elif isinstance(one, Step):
                yield from _drafts(one)


def _letters(index: int) -> str:
    letter = chr(ord("a") + index % 26)
    return letter if index < 26 else f"{letter}{index // 26}"


def program_lines(program: Program, names: Names | None = None) -> Iterator[str]:
    """The program as calls that a reader can paste, one on each line."""
    names = names or Names(program)
    yield "store = medium.open()"
    for step in program.steps:
        if step.do == "at_once":
            yield from _crowd(step, names)
        else:
            yield _call(step, names) + names.told(step)


def _crowd(step: Step, names: Names) -> Iterator[str]:
    how = [f"{name} {step[name]}" for name in ("pauses", "strides") if step[name]]
    yield ", ".join((f"# at once, as {step['way']}", *how))
    for worker, steps in workers_of(step).items():
        for each in steps:
            yield f"{worker}: {_call(each, names)}{names.told(each)}"


def _handle(step: Step) -> str:
    return "store" if step.on in (0, "") else f"store{step.on}"


def _key(key: Any) -> str:
    return brief(_plain(key), 60)


def _call(step: Step, names: Names) -> str:
    teller = _TELLERS.get(step.do)
    if teller is not None:
        return teller(step, names)
    if isinstance(step.on, str):
        return _session_call(step, names)
    arguments = [_key(step.session)] if step.session != "" else []
    if step.entries or step.do in ("append", "replace"):
        listed = names.listed(step.entries)
        arguments.append(listed[1:-1] if step.do == "append_one" else listed)
    arguments += [f"{name}={brief(_plain(value), 40)}" for name, value in step.args.items()]
    return f"{_handle(step)}.{step.do}({', '.join(arguments)})"


def _plain(value: Any) -> Any:
    return list(value) if is_tuple(value) else value


def _told_elsewhere(value: Any) -> bool:
    return isinstance(value, tuple) and any(isinstance(e, Step | Draft) for e in nested(value))


def _session_call(step: Step, names: Names) -> str:
    arguments = [names.listed(step.entries)] if step.entries else []
    arguments += [
        f"{name}={value if name == 'target' else brief(_plain(value), 40)}"
        for name, value in step.args.items()
        if not _told_elsewhere(value)
    ]
    arguments += [f"meanwhile {_call(each, names)}" for each in step["during"] or ()]
    return f"{step.on}.{step.do}({', '.join(arguments)})"


def _opened(step: Step, _: Names) -> str:
    return f"{step.on} = open_session({_handle_of(step)}, {_key(step.session)})"


def _handle_of(step: Step) -> str:
    return f"store{step['handle']}" if step["handle"] else "store"


def _ran(step: Step, names: Names) -> str:
    answers = [each.label for each in step["answer"] or ()]
    model = [f"meanwhile {_call(each, names)}" for each in step["during"] or ()]
    model += [f"answer [{', '.join(answers)}]"] if answers else []
    model += ["fail"] if step["fails"] else []
    return (
        f"{step.on}.run({names.listed(step.entries)}, model: {', then '.join(model) or 'silent'})"
    )


def _forked(step: Step, names: Names) -> str:
    return f"{step['as_']} = {step.on}.fork({_key(step['new'])})"


def _reopened(step: Step, _: Names) -> str:
    handle = _handle(step)
    return f"medium.close({handle}); {handle} = medium.open()"


def _viewed(step: Step, names: Names) -> str:
    return f"medium.{step.do}({names.listed(step.entries)})"


def _opened_door(step: Step, _: Names) -> str:
    given: dict[str, Any] = step["named"] or {}
    named = [f"{name}={_argument(value)}" for name, value in given.items()]
    arguments = ", ".join((_handle_of(step), _key(step.session), *named))
    return f"{step.on} = open_{step['door']}({arguments})"


def _asked(step: Step, names: Names) -> str:
    listed = names.listed(step.entries)
    arguments = [listed[1:-1] if step["one"] else listed] if step.entries else []
    arguments += [_argument(each, step, names) for each in step["with"] or ()]
    given: dict[str, Any] = step["named"] or {}
    arguments += [f"{name}={_argument(value, step, names)}" for name, value in given.items()]
    result = step["becomes"] or step["as"]
    asked = f"{step.on}.{step['method']}({', '.join(arguments)})"
    return f"{result} = {asked}" if result else asked


def _argument(value: Any, step: Step | None = None, names: Names | None = None) -> str:
    if is_object(value) and "$answer" in value:
        at = "".join(f"[{json.dumps(each)}]" for each in value.get("at", ()))
        return f"{value['$answer']}{at}"
    if is_object(value) and "$call" in value and step is not None and names is not None:
        return _function(value["$call"], step, names)
    return brief(value, 60)


def _function(told: dict[str, Any], step: Step, names: Names) -> str:
    does = [f"meanwhile {_call(each, names)}" for each in step["during"] or ()]
    does.append("fail" if told.get("fails") else f"answer {brief(told.get('answers'), 60)}")
    return f"<a function: {', then '.join(does)}>"


def _opened_handle(step: Step, _: Names) -> str:
    return f"{_handle(step)} = medium.open()"


def _closed_handle(step: Step, _: Names) -> str:
    return f"medium.close({_handle(step)})"


def _meddled(step: Step, _: Names) -> str:
    return f"# the caller changes what it {step['what']}, in place"


def _added(step: Step, names: Names) -> str:
    return f"{step.on}.append({names.listed(step.entries)})"


def _failed(step: Step, _: Names) -> str:
    if step["point"] == "load":
        return "# the store's next load fails"
    place = f"at item {step['k'] or 0}" if step["point"] == "item" else step["point"]
    return f"# the store's next append fails {place}"


def _torn(step: Step, names: Names) -> str:
    entries = f", {names.listed(step.entries)}" if step.entries else ""
    write = f"store.{'append' if step.entries else 'create'}({_key(step.session)}{entries})"
    return f"torn: {write}; then {_call(step['then'], names)}"


def _killed(step: Step, names: Names) -> str:
    deeds = {"append": "appends batches", "create": "creates sessions"}
    deed = deeds.get(step["deed"], f"forks {_key(step.session)}")
    return f"killed: a process that {deed}; then append {names.listed(step['then'].entries)}"


def _lost(step: Step, names: Names) -> str:
    append = f"store.append({_key(step.session)}, {names.listed(step.entries)})"
    after = names.listed(step["then"].entries)
    return f"cut off {step['point']}: {append}; then again, then append {after}"


def _damaged(step: Step, _: Names) -> str:
    return f"medium.damage({_key(step.session)}, {step['index']}, {brief(step['how'])})"


def _restored(step: Step, names: Names) -> str:
    if step["folder"]:
        written = f"what is recorded in {brief(step['folder'], 3 * WIDTH)}"
    else:
        written = f"{names.listed(step.entries)} in {_key(step.session)} of an earlier version"
    return f"medium = a medium on {written}; store = medium.open()"


_TELLERS: Final[dict[str, Callable[[Step, Names], str]]] = {
    "open": _opened_handle,
    "close": _closed_handle,
    "reopen": _reopened,
    "meddle": _meddled,
    "open_session": _opened,
    "open_door": _opened_door,
    "ask": _asked,
    "add": _added,
    "run": _ran,
    "fork_session": _forked,
    "fail_next": _failed,
    "tear": _torn,
    "kill": _killed,
    "lose": _lost,
    "damage": _damaged,
    "restore": _restored,
    "model_view": _viewed,
    "transcript_view": _viewed,
}


def saved(failure: Failure) -> str:
    """The program of a failure as JSON text, unabbreviated, with the law it breaks."""
    data = {"law": failure.law, **failure.program.data()}
    return json.dumps(data, ensure_ascii=True, indent=1) + "\n"
