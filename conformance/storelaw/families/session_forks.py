"""Forks: one path under a new id, and neither session knows of the other afterwards."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from hypothesis.strategies import SearchStrategy

from storelaw.clauses import law
from storelaw.conditions import carries_sessions, sessions_unless
from storelaw.failures import broken
from storelaw.manifest import Manifest
from storelaw.model.acts import acts, fleeting, log_of, message_of, payloads
from storelaw.model.chains import breaks, name_of, names, parent_of, path
from storelaw.narrative import Words
from storelaw.program import Key, Program, Step, act, add, failing, program, run, session
from storelaw.samples import assistant, ephemeral, meta, note, user
from storelaw.sides import Parent
from storelaw.strategies.turns import TALK, TREE, TROUBLE, Script, programs
from storelaw.trace import Event, Trace, payload
from storelaw.values import Entry

_PATH: Final = sessions_unless("fork", "log")


def _fork(label: str = "A", new: str = "child", as_: str = "C") -> Step:
    return act("fork_session", label, new=new, as_=as_)


_TURNS: Final = (
    session("s"),
    run(meta("m"), ephemeral("r"), user("u"), answer=(assistant("a"),)),
    run(user("v"), note("n"), answer=(assistant("b"),)),
)
_PLAIN: Final = program(*_TURNS, _fork())
_ASIDE: Final = program(*_TURNS, act("branch", target="a"), run(user("w")), _fork())
_BACK: Final = program(*_TURNS, act("branch", target="a"), _fork())
_COMPACTED: Final = (
    *_TURNS,
    act("compact", keep=1, summary="S", label="k"),
    run(user("w"), answer=(assistant("x"),)),
)


def _forked_views(script: Script) -> None:
    """The current session read, forked, and its child read."""
    script.read("messages", "transcript", "leaf")
    script.move("fork", 1)
    script.read("messages", "transcript")


def _histories(_: Manifest) -> SearchStrategy[Program]:
    """Histories with branches, compactions and forks, and one fork at the end."""
    return programs((*TALK, *TREE, *TROUBLE), _forked_views, most=6)


@dataclass(frozen=True, slots=True)
class Fork:
    """A fork that was carried out: the log of its source, the leaf, and the child's log."""

    event: Event
    source: list[Entry]
    leaf: str
    child: list[Entry]

    @property
    def path(self) -> list[Entry]:
        """What the child is a copy of."""
        return path(self.source, self.leaf)


def forks(trace: Trace) -> Iterator[Fork]:
    """The forks of a trace whose source tells its leaf."""
    for each in acts(trace, "fork_session"):
        if each.event.ok and each.leaf is not None:
            yield Fork(each.event, each.before, each.leaf, log_of(each.event, each.event["new"]))


@law(
    family="resume",
    door="session",
    acts={"fork_session", "leaf"},
    applies=_PATH,
    source=["PI-F1"],
    incidents=["F33"],
    battery=[program(*each.steps, act("leaf")) for each in (_PLAIN, _ASIDE, _BACK)],
    programs=_histories,
    weight=1,
)
def a_fork_copies_the_active_path(trace: Trace) -> None:
    """The child's log says, in order, what the path of its source says, and nothing else.

    A session breaks it by copying the whole log, abandoned branches included: the child
    resumes at whatever came last.
    """
    for each in forks(trace):
        wanted, given = _said(each.path), _said(each.child)
        if not trace.same(wanted, given):
            broken(
                each.event,
                expected=wanted,
                observed=given,
                because="a fork copies the active path.",
            )


def _said(entries: list[Entry]) -> list[Entry]:
    """The payloads without the anchors, which name other ids in a copy."""
    return [_unanchored(each) for each in payloads(entries)]


def _unanchored(entry: Entry) -> Entry:
    return {name: value for name, value in entry.items() if name != "first_kept_id"}


@law(
    family="resume",
    door="session",
    acts={"fork_session"},
    applies=_PATH,
    source=["PI-F1"],
    incidents=["F33"],
    battery=[_PLAIN],
)
def a_fork_gives_fresh_ids(trace: Trace) -> None:
    """No entry of a child has the id of an entry of its source.

    A session breaks it by copying ids along: a store with one space of ids then loses entries
    of one of them.
    """
    for each in acts(trace, "fork_session"):
        shared = set(names(each.before)) & set(names(log_of(each.event, each.event["new"])))
        if each.event.ok and shared - {""}:
            broken(
                each.event,
                expected=Words("ids of its own for each copied entry"),
                observed=sorted(shared),
                because="a fork gives fresh ids.",
            )


@law(
    family="resume",
    door="session",
    acts={"fork_session"},
    applies=_PATH,
    source=["PI-F1", "PI-T1"],
    incidents=["F29", "F33"],
    battery=[_PLAIN, _BACK],
)
def a_fork_is_one_chain_from_a_root(trace: Trace) -> None:
    """The first entry of a child has no parent, and each further one has the one before.

    A session breaks it by copying parents along, which no entry of the child has as its id.
    """
    for each in acts(trace, "fork_session"):
        child = log_of(each.event, each.event["new"])
        for entry, parent in list(breaks(child, ""))[: int(each.event.ok)]:
            broken(
                each.event,
                expected=Parent(parent, entry),
                observed=Parent(parent_of(entry), entry),
                because="a fork is one chain from a root.",
            )


@law(
    family="resume",
    door="session",
    acts={"fork_session", "leaf"},
    applies=_PATH,
    source=["PI-F1"],
    incidents=["F06"],
    battery=[program(*_PLAIN.steps, act("leaf"))],
)
def a_fork_keeps_the_times(trace: Trace) -> None:
    """A copied entry has the creation time of the entry that it was copied from.

    A session breaks it by stamping the copies: the whole talk happened when it was forked.
    """
    for each in forks(trace):
        for entry, copy in zip(each.path, each.child, strict=False):
            kept = trace.same(entry.get("created_at"), copy.get("created_at"))
            if not kept and trace.same(_unanchored(payload(entry)), _unanchored(payload(copy))):
                broken(
                    each.event,
                    expected=entry.get("created_at"),
                    observed=copy.get("created_at"),
                    because="a fork keeps the creation times.",
                )


@law(
    family="resume",
    door="session",
    acts={"fork_session"},
    applies=carries_sessions,
    source=["PI-F4", "PI-E5"],
    incidents=["F40"],
    battery=[
        program(session("s"), run(user("u"), ephemeral("r"), answer=(assistant("a"),)), _fork()),
        program(session("s"), add(user("u"), ephemeral("r")), _fork()),
    ],
)
def a_fork_copies_no_ephemeral_entry(trace: Trace) -> None:
    """What was for one run only is not in the child, neither marked nor unmarked.

    A session breaks it by copying what it holds, and makes the reminder durable by that.
    """
    texts = [_content(each) for each in fleeting(list(trace.labels.values()))]
    for each in acts(trace, "fork_session"):
        for entry in log_of(each.event, each.event["new"]):
            if fleeting([entry]) or any(trace.same(_content(entry), text) for text in texts):
                broken(
                    each.event,
                    expected=Words("no ephemeral entry in the child"),
                    observed=entry,
                    because="a fork copies no ephemeral entry.",
                )


def _content(entry: Entry) -> object:
    return message_of(entry).get("content", entry)


@law(
    family="resume",
    door="session",
    acts={"fork_session", "messages"},
    applies=_PATH,
    source=["PI-F5", "D-PI-2"],
    incidents=["F33", "F36"],
    battery=[
        program(*_COMPACTED, act("messages"), _fork(), act("messages", "C")),
        program(*_TURNS, act("messages"), _fork(), act("messages", "C")),
    ],
    programs=_histories,
    weight=3,
)
def a_fork_gives_the_model_what_its_source_gives(trace: Trace) -> None:
    """The messages of a child that was just forked are those of its source.

    A session breaks it by leaving the anchor of a compaction as it is: it names an entry of
    the source, so the child keeps the summary and loses the turns behind it.
    """
    views: dict[Any, Event] = {}
    changing = ("add", "run", "branch", "compact", "open_session", "fork_session")
    for event in trace.of(*changing, "messages"):
        if event.step.do == "fork_session" and event.ok and event.step.on in views:
            views = {event["as_"]: views[event.step.on]}
        elif event.step.do == "messages" and event.ok:
            source = views.setdefault(event.step.on, event)
            if not trace.same(source.value, event.value):
                broken(
                    event,
                    expected=source.value,
                    observed=event.value,
                    because="a child gives the model what its source gives.",
                )
        else:
            views.clear()


@law(
    family="resume",
    door="session",
    acts={"add"},
    applies=carries_sessions,
    source=["PI-F2", "PI-L1"],
    incidents=["F15", "F33"],
    battery=[
        program(
            session("t", "B"),
            add(user("t"), on="B"),
            session("s"),
            add(user("u")),
            act("fork_session", new="t", as_="C"),
            act("entries"),
        )
    ],
)
def a_fork_onto_a_taken_id_is_refused(trace: Trace) -> None:
    """A fork onto the id of a session that holds entries is refused, and changes neither.

    A session breaks it by appending the path to whatever is there.
    """
    for each in acts(trace, "fork_session"):
        new = each.event["new"]
        taken = names(_last_seen(trace, each.event.index, new))
        if taken and (each.event.ok or names(log_of(each.event, new)) != taken):
            broken(
                each.event,
                expected=Words("a refusal that leaves the other session as it was"),
                observed=log_of(each.event, new),
                because="an id that is taken can't be forked onto.",
            )


def _last_seen(trace: Trace, index: int, key: Key) -> list[Entry]:
    logs = [log_of(event, key) for event in trace.upto(index).events if key in event.logs]
    return logs[-1] if logs else []


@law(
    family="resume",
    door="session",
    acts={"fork_session", "add"},
    applies=carries_sessions,
    source=["PI-F3"],
    incidents=["F33", "F50"],
    battery=[
        program(session("s"), add(user("u")), _fork(), add(user("v"), on="C"), add(user("w"))),
        program(session("s"), add(user("u")), _fork(), add(user("w")), add(user("v"), on="C")),
    ],
)
def a_forked_session_and_its_source_are_independent(trace: Trace) -> None:
    """After a fork, what is appended to one of the two is not in the other.

    A session breaks it by going on to write where it came from.
    """
    seen: dict[Key, list[str]] = {}
    for event in trace.events:
        own = trace.sessions.get(str(event.step.on))
        for key in event.logs:
            log = names(log_of(event, key))
            if event.step.do in ("add", "run") and key != own and seen.get(key, log) != log:
                broken(
                    event,
                    expected=seen[key],
                    observed=log,
                    because="what is appended to one session is not in another.",
                )
            seen[key] = log


@law(
    family="resume",
    door="session",
    acts={"fork_session", "add"},
    applies=carries_sessions,
    source=["PI-F1", "PI-A5"],
    incidents=["F33"],
    battery=[
        program(session("s"), add(user("u"), user("v")), _fork(), add(user("w"), on="C")),
        program(*_TURNS, act("branch", target="a"), _fork(), add(user("w"), on="C")),
    ],
)
def a_fork_goes_on_from_the_end_of_its_path(trace: Trace) -> None:
    """What a child appends first hangs off the last entry that was copied.

    A session breaks it by going on from its source's leaf, an id that the child doesn't have.
    """
    children: dict[str, str] = {}
    for each in acts(trace):
        event, label = each.event, str(each.event.step.on)
        if event.step.do == "fork_session" and event.ok:
            child = log_of(event, event["new"])
            children[event["as_"]] = name_of(child[-1]) if child else ""
        elif event.step.do == "branch":
            children.pop(label, None)
        elif label in children and event.ok and each.fresh:
            wanted = children.pop(label)
            if parent_of(each.fresh[0]) != wanted:
                broken(
                    event,
                    expected=Parent(wanted, each.fresh[0]),
                    observed=Parent(parent_of(each.fresh[0]), each.fresh[0]),
                    because="a child goes on from the last entry that was copied.",
                )


@law(
    family="resume",
    door="session",
    requirement="SHOULD",
    acts={"fail_next", "fork_session"},
    applies=_PATH,
    source=["PI-F7", "D-PI-7"],
    incidents=["F15", "F19", "F33"],
    battery=[
        program(
            session("s"), add(user("u"), user("v")), failing("before-commit"), _fork(), _fork()
        ),
        program(
            session("s"),
            add(user("u"), user("v")),
            failing("after-commit"),
            _fork(),
            _fork(),
            act("messages", "C"),
        ),
    ],
)
def a_failed_fork_can_be_tried_again(trace: Trace) -> None:
    """After a fork whose copy failed, a fork under the same id succeeds.

    A session breaks it by leaving a child behind that is half made: the retry finds the id
    taken, for good.
    """
    failed: set[tuple[Any, Any]] = set()
    for event in trace.of("fork_session"):
        name, armed = (event.step.on, event["new"]), _armed(trace, event)
        if event.raised and name in failed and not armed:
            broken(
                event,
                expected=Words("a fork"),
                observed=Words(event.text),
                because="a failed fork leaves nothing that blocks a retry.",
            )
        if event.raised and armed:
            failed.add(name)


def _armed(trace: Trace, event: Event) -> bool:
    ahead = [each for each in trace.events if each.index == event.index - 1]
    return bool(ahead) and ahead[0].step.do == "fail_next" and ahead[0].ok
