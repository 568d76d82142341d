"""The entry kinds of the kit's profiles: the schema of each, and a strategy of instances."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from hypothesis.strategies import SearchStrategy

from storelaw.manifest import Manifest
from storelaw.profiles import Kind
from storelaw.strategies import log_entries, turn_entries, values
from storelaw.values import Entry

_ANY: Final = Manifest(name="any")


def kinds() -> dict[str, list[Kind]]:
    """The kinds by profile. An instance has an id, which whoever needs several replaces."""
    return {"transcript": _transcript(), "log": _log(), "turns": _turns()}


def _made(schema: str, made: Mapping[str, SearchStrategy[Any]]) -> list[Kind]:
    return [Kind(name, schema, _always(strategy)) for name, strategy in made.items()]


def _always(strategy: SearchStrategy[Any]) -> Callable[[], SearchStrategy[Any]]:
    return lambda: strategy


def _transcript() -> list[Kind]:
    bodies = {
        "user message": values.messages(_ANY, "user"),
        "assistant message": values.messages(_ANY, "assistant"),
        "tool result": values.messages(_ANY, "tool_result"),
        "compaction": values.compactions(),
        "custom": values.noted(values.json_values(_ANY)),
    }
    return _made("transcript/stored-entry", {name: e.map(_named) for name, e in bodies.items()})


def _named(body: Entry) -> Entry:
    return {**body, "id": "e"}


def _log() -> list[Kind]:
    inputs = {name: log_entries.entries("input", e) for name, e in log_entries.INPUTS.items()}
    others = {name: log_entries.entries(name, e) for name, e in log_entries.OTHERS.items()}
    custom = {"custom": others.pop("my-plugin/config")}
    return [*_made("log/entry", inputs | others), *_made("log/custom-entry", custom)]


def _turns() -> list[Kind]:
    blocks = turn_entries.BLOCKS
    roles = ("user", "assistant", "inbox", "side-note")
    made = {f"{role} turn": turn_entries.turns(role, *blocks.values()) for role in roles}
    made["inbox_done turn"] = turn_entries.turns("inbox_done")
    made |= {name: turn_entries.noted(each) for name, each in turn_entries.NOTES.items()}
    made |= {f"{name} block": turn_entries.turns("user", each) for name, each in blocks.items()}
    return _made("turns/entry", made)
