"""The medium for the OpenAI Agents SDK's ``RedisSession``."""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from storelaw import catalogue
from storelaw.errors import MediumFault, Misconfigured
from storelaw.media.openai_redis import OpenAIRedisMedium
from storelaw.media.redis_lists import client_of
from storelaw.trial import hold

#: Processes that one test starts serve the next: they must know the servers from the start.
pytestmark = pytest.mark.usefixtures("servers")

A, B = {"role": "user", "content": "a"}, {"role": "user", "content": "b"}

#: A port on which nothing listens: it needs root, and is no service's.
NOWHERE = "redis://127.0.0.1:1/0"


@pytest.fixture
def medium(redis_url: str, tmp_path: Path) -> Iterator[OpenAIRedisMedium]:
    """A medium on a server."""
    pytest.importorskip(
        "agents", reason="run: pip install 'storelaw[openai]'", exc_type=ImportError
    )
    medium = OpenAIRedisMedium(tmp_path)
    yield medium
    medium.destroy()


def test_handles_share_sessions_and_keys_have_the_prefix(
    medium: OpenAIRedisMedium, redis_url: str
) -> None:
    """What one handle appends another one reads; the keys go with the medium, and no others do."""
    client = client_of("redis", redis_url)
    client.set(f"other-{medium.name}", "stays")

    async def use() -> list[object]:
        one: Any = medium.open()
        other: Any = medium.open()
        await one.append("s", [A, B])
        await other.append("t", [A])
        seen: list[object] = [await other.load("s", last=1), await other.pop("s")]
        await other.clear("t")
        seen += [await one.load("s"), await one.load("t")]
        await one.close()
        await other.close()
        return seen

    assert asyncio.run(use()) == [[B], B, [A], []]
    assert set(client.keys(f"*{medium.name}*")) == {
        f"other-{medium.name}",
        f"{medium.name}:s",
        f"{medium.name}:s:messages",
    }
    medium.destroy()
    assert client.keys(f"*{medium.name}*") == [f"other-{medium.name}"]
    client.delete(f"other-{medium.name}")
    client.close()


@pytest.mark.usefixtures("medium")
@pytest.mark.parametrize("name", ["fidelity", "atomicity", "writers_wait_for_each_other"])
def test_the_sdks_session_holds_what_it_promises(name: str) -> None:
    """By battery no law is broken, and none blames the medium or the kit."""
    verdicts = [
        hold(law, OpenAIRedisMedium, "battery") for law in catalogue.chosen([name], "transcript")
    ]
    assert [(each.law, each.reason) for each in verdicts if each.fault or each.failure] == []
    assert "held" in {each.outcome for each in verdicts}


@pytest.mark.usefixtures("medium")
def test_a_server_that_does_not_answer_is_the_mediums_fault(tmp_path: Path) -> None:
    """The message says where it was looked for, and what to do."""

    class Nowhere(OpenAIRedisMedium):
        """A medium with a URL of its own."""

        url = NOWHERE

    medium = Nowhere(tmp_path)
    with pytest.raises(MediumFault) as told:
        medium.open()
    assert str(told.value) == (
        "medium: no Redis server answers: Error 111 connecting to 127.0.0.1:1. "
        "Connection refused.; correct STORELAW_REDIS, or start a server with: "
        "redis-server --port 6379 --bind 127.0.0.1 --save ''"
    )
    medium.destroy()


def test_a_missing_package_is_named_with_its_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message holds the package and the command that installs it."""
    package = "agents.extensions.memory.redis_session"
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(Misconfigured, match=rf"{package}.*pip install 'storelaw\[openai\]'"):
        OpenAIRedisMedium(tmp_path).open()
