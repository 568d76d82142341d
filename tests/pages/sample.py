"""Reports to make pages of: every verdict, every kind of drawing, and hostile strings."""

from collections.abc import Mapping
from typing import Any

from storelaw import catalogue, events, report, suite
from storelaw.failures import Failure
from storelaw.media.reference import ReferenceMedium
from storelaw.program import Program, append, load, program
from storelaw.values import Entry
from storelaw.verdict import Evidence, Outcome, Verdict

LAW = "entries_load_in_append_order"

#: What a store or an author may put into a report, and a browser must never act upon.
HOSTILE = (
    "<script>document.title = 'taken'</script>",
    '"><img src=x onerror="document.title=\'taken\'">',
    "</style></title></pre><svg onload=1>",
    "\x00\x07\x1b[31m",
    "\u202egnirts\u2066\u200b\ufeff",
    "\ud800 alone",
    "javascript:alert(1)",
    "{{ 7 * 7 }}{% raw %}",
)


def said(name: str, parent: str = "", text: str = "hi", **more: Any) -> Entry:
    """A stored message of a user."""
    body: Entry = {"role": "user", "content": [{"type": "text", "text": text}], **more}
    made: Entry = {"type": "message", "id": name, "created_at": "2026-01-01T00:00:00Z"}
    return {**made, **({"parent_id": parent} if parent else {}), "message": body}


def failure(
    expected: object = None,
    observed: object = None,
    drawing: Mapping[str, Any] | None = None,
    steps: Program | None = None,
    **more: Any,
) -> Failure:
    """A failure with these sides, and a drawing where there is one."""
    given: dict[str, Any] = {
        "because": "an entry is lost.",
        "target": "acme.testing:AcmeMedium",
        **more,
    }
    return Failure(
        law=LAW,
        claim="Entries come back in the order they were appended.",
        medium="acme",
        program=steps or program(append("s", said("1")), load("s")),
        expected=expected,
        observed=observed,
        index=1,
        drawing=drawing,
        **given,
    )


def judged(outcome: Outcome, broken: Failure | None = None, **more: Any) -> dict[str, Any]:
    """What a law came to, as a report has it; ``name`` and others go over what it says."""
    law = catalogue.law_of(more.pop("name", LAW))
    verdict = Verdict(
        law.name,
        law.family,
        law.requirement,
        outcome,
        reason=more.pop("reason", ""),
        evidence=Evidence(2, 3, 1, {"overlaps of threads": 12}),
        failure=broken,
        notes=tuple(more.pop("notes", ())),
        fault=more.pop("fault", ""),
    )
    return {**report.law_data(law, verdict, more.pop("waiver", None)), **more}


def reported(*laws: Mapping[str, Any], **run: Any) -> dict[str, Any]:
    """The report of these laws; ``run`` goes over what it says of its run."""
    terms = suite.Terms(target="acme.testing:AcmeMedium", seed=7)
    made = events.document([suite.record(dict(each), ReferenceMedium, terms) for each in laws])
    for each in made["runs"]:
        each.update(run)
    return made


def waiver(**more: str) -> dict[str, str]:
    """A waiver that is in force."""
    link = "https://example.org/1"
    return {"reason": "known", "link": link, "until": "2030-01-31", "state": "used", **more}


#: One drawing of each kind.
DRAWINGS: Mapping[str, Mapping[str, Any]] = {
    "tree": {
        "kind": "tree",
        "expected": [
            {"id": "1", "parent": "", "name": "a", "says": "user: one", "mark": "path"},
            {"id": "2", "parent": "1", "name": "b", "says": "user: two", "mark": "path"},
            {"id": "3", "parent": "1", "name": "c", "says": "user: three", "mark": "off"},
        ],
        "observed": [
            {"id": "1", "parent": "", "name": "a", "says": "user: one", "mark": "path"},
            {"id": "2", "parent": "1", "name": "b", "says": "user: two", "mark": "missing"},
            {"id": "3", "parent": "1", "name": "c", "says": "user: three", "mark": "extra"},
        ],
    },
    "lists": {
        "kind": "lists",
        "before": 2,
        "expected": [
            {"name": "a", "says": "user: one", "mark": "same", "to": 0},
            {"name": "b", "says": "user: two", "mark": "lost"},
        ],
        "observed": [{"name": "a", "says": "user: one", "mark": "same", "to": 0}],
        "after": {"expected": 0, "observed": 4},
    },
    "members": {
        "kind": "members",
        "rows": [{"path": "$.id", "expected": '"1"', "observed": "nothing"}],
        "more": True,
    },
    "lanes": {
        "kind": "lanes",
        "lanes": [
            {
                "worker": "A",
                "handle": 1,
                "session": "s",
                "acts": [
                    {
                        "do": "append",
                        "says": "append a1",
                        "came": "ok",
                        "began": 1,
                        "ended": 2,
                        "accused": False,
                    }
                ],
            },
            {
                "worker": "after",
                "handle": 0,
                "session": "s",
                "acts": [
                    {
                        "do": "load",
                        "says": "load",
                        "came": "saw nothing",
                        "began": 3,
                        "accused": True,
                    }
                ],
            },
        ],
        "tags": ["a1"],
        "mark": "a1 is missing",
    },
    "bytes": {
        "kind": "bytes",
        "file": "sessions/s.jsonl",
        "at": 3,
        "kept": 3,
        "of": 5,
        "tail": "nul",
        "others": "old",
        "near": b"{}\n".hex(),
        "left": b'{"i'.hex(),
        "lost": b"d\n".hex(),
        "came": [
            {"do": "load", "ok": True, "came": "1 entry"},
            {"do": "append", "ok": False, "came": "raises torn"},
        ],
    },
    "aftermath": {
        "kind": "aftermath",
        "how": "killed",
        "place": 'inside operation 1 of a process on "s"',
        "came": [{"do": "load", "ok": True, "came": "1 entry"}],
    },
}

#: A law for each kind of drawing, so that a page can hold them all.
LAWS = (
    "a_session_resumes_at_the_last_entry",
    "entries_load_in_append_order",
    "member_names_are_kept",
    "writers_lose_nothing_of_each_other",
    "an_append_behind_a_torn_tail_is_kept",
    "a_killed_writer_leaves_a_prefix",
)


#: Laws that are not broken in the report of everything.
HELD = "a_batch_loads_in_its_own_order"
WAIVED = "reading_again_gives_the_same_order"
INAPPLICABLE = "pop_takes_the_newest_entry_and_returns_it"
UNEVALUATED = "an_interrupted_clear_is_old_or_new"
FAULTY = "an_interrupted_delete_is_old_or_new"

#: What grades a run may have.
GRADES: Mapping[str, Mapping[str, Any]] = {
    "core": {"reached": True, "held": 8, "of": 8, "missing": [], "reason": ""},
    "durable": {
        "reached": False,
        "held": 3,
        "of": 4,
        "missing": [LAWS[0]],
        "reason": "1 broken",
    },
}


def everything() -> dict[str, Any]:
    """A report with every verdict and every kind of drawing."""
    broken = [
        judged("broken", failure([said("1")], [], drawing), name=name)
        for name, drawing in zip(LAWS, DRAWINGS.values(), strict=True)
    ]
    others = [
        judged("held", name=HELD, notes=["saw reappend: reject"]),
        judged("waived", failure([1], [2], replays=(1, 3)), name=WAIVED, waiver=waiver()),
        judged("not applicable", name=INAPPLICABLE, reason="the store has no pop"),
        judged("not evaluated", name=UNEVALUATED, reason="the medium has no power fail_next"),
        judged("not evaluated", name=FAULTY, reason="medium: no server", fault="medium"),
    ]
    return reported(*broken, *others, grades=GRADES)


def hostile() -> dict[str, Any]:
    """A report in which every text that is not the kit's own is hostile."""
    laws: list[dict[str, Any]] = []
    for name, text in zip((*LAWS, WAIVED, HELD), HOSTILE, strict=True):
        entry = said(text, text=text)
        steps = program(append(text, entry), load(text))
        drawing = {**DRAWINGS["tree"], "observed": [_node(text)]}
        broken = failure([entry], [text], drawing, steps, because=text, target=text)
        marks = waiver(reason=text, link=text, state="expired")
        laws.append(judged("broken", broken, name=name, notes=[text], waiver=marks))
    laws.append(judged("not evaluated", name=UNEVALUATED, reason="".join(HOSTILE)))
    made = reported(*laws, target=HOSTILE[0], vectors=list(HOSTILE))
    made["runs"][0]["manifest"]["name"] = HOSTILE[0]
    return made


def _node(text: str) -> dict[str, str]:
    return {"id": text, "parent": text, "name": text, "says": text, "mark": "extra"}
