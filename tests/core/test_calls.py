"""The calls of steps: arguments in their place, entries under the store's names."""

from typing import Any

from storelaw.calls import Calls
from storelaw.driver import Driver
from storelaw.manifest import Manifest
from storelaw.program import Step, append, bad, call, list_sessions, load
from storelaw.samples import said
from storelaw.worker import current

ONE, TWO = said("1"), said("2")

RENAMED = Manifest(name="renamed", entry_id="uuid")
KEYED = Manifest(name="keyed", key_parts=("project", "user"))


class Noting:
    """A handle that notes its calls."""

    def __init__(self, *sessions: Any) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self._sessions = sessions

    def __getattr__(self, name: str) -> Any:
        def noted(*args: Any, **named: Any) -> Any:
            self.calls.append((name, *args, named) if named else (name, *args))
            return self._sessions

        return noted


def calls(manifest: Manifest) -> Calls:
    """The calls under a manifest."""
    return Calls(Driver(manifest, current()))


def noted(manifest: Manifest, *steps: Step) -> list[tuple[Any, ...]]:
    """What a handle is asked for by these steps."""
    handle, made = Noting(), calls(manifest)
    for each in steps:
        made.made(handle, each, made.given(each.expanded()))
    return handle.calls


def test_each_operation_gets_its_arguments_in_their_place() -> None:
    """Batches are lists, a single entry stands alone, further arguments go where the port says."""
    found = noted(
        Manifest(name="plain"),
        append("s", ONE, TWO),
        call("append_one", "s", ONE),
        call("replace", "s", TWO),
        load("s", last=1),
        call("fork", "s", new="f", at="1"),
        call("delete_entry", "s", which="1"),
        call("create", "t", parent="s"),
        call("create", "u", parent=None),
        list_sessions(),
        list_sessions(prefix=("p",)),
    )
    assert found == [
        ("append", "s", [ONE, TWO]),
        ("append_one", "s", ONE),
        ("replace", "s", [TWO]),
        ("load", "s", {"last": 1}),
        ("fork", "s", "f", {"at": "1"}),
        ("delete_entry", "s", "1"),
        ("create", "t", {"parent": "s"}),
        ("create", "u", {"parent": None}),
        ("list_sessions",),
        ("list_sessions", "p"),
    ]


def test_session_ids_become_keys_wherever_they_stand() -> None:
    """The new id of a fork and the parent of a session too; listed keys become ids again."""
    found = noted(KEYED, call("fork", "s", new="f"), call("create", "t", parent="s"))
    assert found == [
        ("fork", ("storelaw", "s"), ("storelaw", "f")),
        ("create", ("storelaw", "t"), {"parent": ("storelaw", "s")}),
    ]
    handle = Noting(("storelaw", "s"), ("other", "s"))
    assert calls(KEYED).made(handle, list_sessions(), []) == ["s", ("other", "s")]


def test_a_store_gets_copies_under_its_names() -> None:
    """What a store does to an entry isn't done to the program's; what is no JSON is put in."""
    given = calls(RENAMED).given([ONE, bad({"id": "2"}), bad({"id": "3"}, "nan"), {"bad": 1}])
    assert given[0] == {**{k: v for k, v in ONE.items() if k != "id"}, "uuid": "1"}
    assert given[0]["message"] is not ONE["message"]
    assert type(given[1]["bad"]).__name__ == "_NoJson"
    assert given[2]["bad"] != given[2]["bad"]
    assert given[3] == {"bad": 1}


def test_answers_are_snapshots_under_our_names() -> None:
    """Entries are renamed where entries are expected, anything else is copied as it is."""
    made, theirs = calls(RENAMED), {"uuid": "1", "parts": [1]}
    ours = {"id": "1", "parts": [1]}
    assert made.read("load", [theirs]) == made.read("headers", [theirs]) == [ours]
    assert made.read("pop", theirs) == ours
    assert made.read("load", None) is None
    assert made.read("record", theirs) == theirs
    assert made.read("record", theirs)["parts"] is not theirs["parts"]
