"""What may remain of a write that a crash cut short, and which wrecks a law can judge."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from storelaw.clauses import Seen
from storelaw.errors import IDENTITIES
from storelaw.failures import unseen
from storelaw.manifest import Manifest
from storelaw.trace import Event, Trace, payload
from storelaw.values import Entry, brief, is_array, is_object
from storelaw.wreckage import Cut, Kill, Killed, Sight, Torn

#: What the manifest field ``crash`` may promise, from little to much.
LEVELS: Final = ("prefix-safe", "batch-atomic", "acknowledged")

#: How many of the bytes that a cut left are shown.
SHOWN: Final = 48


def whole_batches(manifest: Manifest) -> str | None:
    """Why a crash may leave a part of a batch, or ``None`` where it may not."""
    if manifest.crash == "batch-atomic":
        return None
    if manifest.crash == "acknowledged" and manifest.batch != "prefix":
        return None
    return f"manifest field crash is {manifest.crash!r}, batch is {manifest.batch!r}"


class Remains:
    """Compares logs as the manifest of a trace lets them differ."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._nameless = trace.manifest.contract.ids in ("minted", "number")

    def same(self, left: Sequence[Entry], right: Sequence[Entry]) -> bool:
        """Whether two logs are equal; without ids where the store gives them."""
        return self._trace.same(self._plain(left), self._plain(right))

    def _plain(self, log: Sequence[Entry]) -> list[object]:
        return [payload(e) if self._nameless and is_object(e) else e for e in log]

    def begins(self, log: Sequence[Entry], begin: Sequence[Entry]) -> bool:
        """Whether a log begins with these entries."""
        return len(log) >= len(begin) and self.same(log[: len(begin)], begin)


def tears_of(trace: Trace) -> Iterator[tuple[Event, Torn]]:
    """The torn writes of a trace; a run without any is no evidence."""
    for event in trace.of("tear"):
        if event.raised:
            unseen(
                f"the write that was to be torn raised {event.text}",
                applicable=event.error not in IDENTITIES,
            )
        torn: Torn = event.value
        if not torn.cuts:
            unseen("the write added nothing to the files that files() gives")
        yield event, torn


def faulty(torn: Torn, wrong: Callable[[Cut], bool]) -> Cut | None:
    """The first place at which something is wrong, however the other files lie there."""
    for _, group in groupby(sorted(torn.cuts, key=lambda c: c.place), key=lambda c: c.place):
        cuts = list(group)
        if all(map(wrong, cuts)):
            return cuts[0]
    return None


def tried(torn: Torn) -> Seen:
    """The evidence of a torn write."""
    return {"cuts tried": torn.tried, "cuts possible": torn.possible}


def kills_of(trace: Trace) -> Iterator[tuple[Event, Killed]]:
    """The sweeps of kills of a trace."""
    for event in trace.of("kill"):
        if event.raised:
            unseen(f"no process could be killed: {event.text}")
        killed: Killed = event.value
        if event["deed"] == "fork" and not killed.base.ok:
            unseen(f"the session to be forked did not load: {killed.base.text}")
        yield event, killed


def counted(killed: Killed) -> Seen:
    """The evidence of a sweep."""
    return {"kills": len(killed.kills), "kills inside an operation": killed.inside}


def tags(log: Sequence[Entry]) -> list[str]:
    """What a process called its entries, to tell them by."""
    return [_tag(each) for each in log]


def _tag(entry: object) -> str:
    body = entry.get("message") if is_object(entry) else None
    content = body.get("content") if is_object(body) else None
    block = content[0] if is_array(content) and content else None
    text = block.get("text") if is_object(block) else None
    return text.split(" ")[0] if isinstance(text, str) else brief(entry)


def told(cut: Cut) -> str:
    """A torn write and what was seen of it, as a drawing."""
    tail = {"": "", "nul": ", then NUL bytes", "blank": ", then blanks"}[cut.tail]
    beside = "" if cut.others == "new" else "; the other files as before"
    shown = ascii(cut.left[-SHOWN:])[2:-1]
    return "\n".join(
        (
            f"{cut.file}: {cut.kept} of {cut.of} bytes{tail}{beside}",
            f"tail    {'... ' if len(cut.left) > SHOWN else ''}{shown}",
            *lines_of(("load", cut.seen), ("append", cut.written), ("load", cut.then)),
        )
    )


def drawn(kill: Kill) -> str:
    """A kill and what was found after it, as a drawing."""
    return "\n".join((f"killed  {_place(kill)}", *lines_of(*_sights(kill))))


def death(kill: Kill) -> dict[str, Any]:
    """A kill and what was found after it as data."""
    return aftermath("killed", _place(kill), *_sights(kill))


def _place(kill: Kill) -> str:
    where = "inside" if kill.inside else "before"
    return f"{where} operation {kill.answered + 1} of a process on {brief(kill.session)}"


def _sights(kill: Kill) -> tuple[tuple[str, Sight], ...]:
    return (
        ("load", kill.seen),
        ("retry", kill.retried),
        ("load", kill.again),
        ("append", kill.written),
        ("load", kill.later),
    )


def bytes_of(cut: Cut) -> dict[str, Any]:
    """A torn write and what was seen of it as data (``harness/drawing``); bytes are in hex."""
    return {
        "kind": "bytes",
        "file": cut.file,
        "at": cut.at,
        "kept": cut.kept,
        "of": cut.of,
        "tail": cut.tail,
        "others": cut.others,
        "near": cut.near.hex(),
        "left": cut.left[-SHOWN:].hex(),
        "lost": cut.lost.hex(),
        "came": outcomes(("load", cut.seen), ("append", cut.written), ("load", cut.then)),
    }


def aftermath(how: str, place: str, *sights: tuple[str, Sight]) -> dict[str, Any]:
    """What was found after an interruption as data (``harness/drawing``)."""
    return {"kind": "aftermath", "how": how, "place": place, "came": outcomes(*sights)}


def outcomes(*sights: tuple[str, Sight]) -> list[dict[str, Any]]:
    """What each of some operations came to, as data."""
    return [{"do": name, "ok": each.ok, "came": _came(name, each)} for name, each in sights]


def lines_of(*sights: tuple[str, Sight]) -> Iterator[str]:
    """Lines of a drawing: what each of some operations came to."""
    for name, sight in sights:
        yield f"{name:<7} {_came(name, sight)}"


def _came(name: str, sight: Sight) -> str:
    if not sight.ok:
        return f"raises {brief(sight.text, 80)}"
    size = len(sight.log)
    return f"{size} {'entry' if size == 1 else 'entries'}" if name == "load" else "passes"
