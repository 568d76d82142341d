"""Manifests: what they refuse, and their form as data."""

import json
from typing import Any

import pytest

from storelaw import errors
from storelaw.manifest import Manifest
from storelaw_schemas import problems


class Lost(Exception):
    """A store's own error."""


class Gone(Exception):
    """Another one."""


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            {"name": "x", "durible": True},
            "configuration: no manifest field is called 'durible'; did you mean 'durable'? known: ",
        ),
        ({"durable": True}, "configuration: manifest field 'name' is missing"),
        ({"name": ""}, "configuration: manifest field 'name' is empty; give the store a name"),
        (
            {"name": "x", "durable": "yes"},
            "configuration: manifest field 'durable' is 'yes', a str; it takes bool",
        ),
        (
            {"name": "x", "max_id": True},
            "configuration: manifest field 'max_id' is True, a bool; it takes int or None",
        ),
        (
            {"name": "x", "cost": "slow"},
            "configuration: manifest field 'cost' is 'slow', a str; it takes int or float or None",
        ),
        (
            {"name": "x", "doors": "store"},
            "configuration: manifest field 'doors' is 'store', a str; it takes frozenset or set",
        ),
        (
            {"name": "x", "profile": "transcripts"},
            "configuration: no profile is called 'transcripts'; did you mean 'transcript'?",
        ),
        (
            {"name": "x", "batch": "all"},
            "configuration: manifest field 'batch' has 'all'; allowed: prefix, atomic, one",
        ),
        (
            {"name": "x", "crash": "safe"},
            (
                "configuration: manifest field 'crash' has 'safe'; "
                "allowed: none, prefix-safe, batch-atomic, acknowledged"
            ),
        ),
        (
            {"name": "x", "writers": ["robots"]},
            (
                "configuration: manifest field 'writers' has 'robots'; "
                "allowed: tasks, threads, processes"
            ),
        ),
        (
            {"name": "x", "filters": ["last", "middle"]},
            (
                "configuration: manifest field 'filters' has 'middle'; "
                "allowed: last, first, after, before, since"
            ),
        ),
        (
            {"name": "x", "without": ["laod"]},
            "configuration: manifest field 'without' has 'laod'; allowed: append, append_one, load",
        ),
        (
            {"name": "x", "errors": {"NotFound": "a:B"}},
            (
                "configuration: manifest field 'errors' has 'NotFound'; "
                "allowed: SessionNotFound, SessionExists, EntryConflict, Rejected, Stale"
            ),
        ),
        (
            {"name": "x", "fields": {"parent": "p"}},
            (
                "configuration: manifest field 'fields' has 'parent'; "
                "allowed: id, parent_id, created_at, type"
            ),
        ),
        (
            {"name": "x", "equality": "loose"},
            (
                "configuration: manifest field 'equality' has 'loose'; "
                "allowed: exact, json, numbers, times, empties"
            ),
        ),
        (
            {"name": "x", "equality": ["json"]},
            "configuration: manifest field 'equality' has 'json'; allowed: numbers, times, empties",
        ),
        (
            {"name": "x", "options": {"create": "maybe"}},
            "configuration: option 'create' is 'maybe'; allowed: explicit, implicit",
        ),
    ],
)
def test_a_claim_that_means_nothing_is_refused(data: dict[str, Any], message: str) -> None:
    """Each refusal names the field and lists what is allowed."""
    with pytest.raises(errors.Misconfigured) as caught:
        Manifest.of(data)
    assert str(caught.value).startswith(message)


def test_only_a_name_is_needed() -> None:
    """The defaults promise nothing but a store."""
    manifest = Manifest(name="x")
    assert manifest.doors == {"store"}
    assert not manifest.durable
    assert manifest.losses == frozenset()
    assert manifest.contract.declared() == {}
    assert manifest.data() == {"storelaw": 1, "name": "x"}


@pytest.mark.parametrize(
    ("equality", "losses"),
    [
        ("exact", set()),
        ("json", {"numbers"}),
        ("times", {"times"}),
        (frozenset({"times", "empties"}), {"times", "empties"}),
        (frozenset(), set()),
    ],
)
def test_equality_names_the_losses(equality: Any, losses: set[str]) -> None:
    """``exact`` loses nothing, ``json`` the types of numbers, other names themselves."""
    assert Manifest(name="x", equality=equality).losses == losses


def test_a_manifest_goes_through_json_and_back() -> None:
    """Sets, tuples and names survive; exception types become dotted names."""
    manifest = Manifest(
        name="x",
        doors=frozenset({"store", "session"}),
        entry_id=None,
        fields={"parent_id": "parent"},
        durable=True,
        batch="atomic",
        options={"ids": "minted"},
        key_parts=("user", "thread"),
        optional_parts=1,
        filters=frozenset({"last"}),
        without=frozenset({"pop"}),
        errors={
            "Stale": "acme.errors:Stale",
            "Rejected": ("acme.errors:A", "acme.errors:B"),
        },
        max_id=64,
        equality=frozenset({"times"}),
        cost=20.5,
        probe_ids=("default",),
    )
    data = json.loads(json.dumps(manifest.data()))
    assert Manifest.of(data) == manifest
    assert data["doors"] == ["session", "store"]
    assert data["errors"]["Rejected"] == ["acme.errors:A", "acme.errors:B"]


def test_exception_types_are_written_as_dotted_names() -> None:
    """A class is named by module and name, several as a list."""
    manifest = Manifest(name="x", errors={"SessionNotFound": Lost, "Rejected": (Gone, "a:B")})
    home = Lost.__module__
    assert manifest.data()["errors"] == {
        "SessionNotFound": f"{home}:Lost",
        "Rejected": [f"{home}:Gone", "a:B"],
    }


def test_plain_sets_are_as_good_as_frozen_ones() -> None:
    """What an author writes with braces can be written as JSON too."""
    doors: Any = {"store", "views"}
    assert Manifest(name="x", doors=doors).data()["doors"] == ["store", "views"]


def test_a_manifest_as_data_fits_its_schema() -> None:
    """The published schema describes what is written."""
    manifest = Manifest(name="x", durable=True, options={"ids": "minted"}, errors={"Stale": Lost})
    assert problems("harness/manifest", manifest.data()) == ()
