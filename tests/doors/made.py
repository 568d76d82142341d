"""Records, runs and reports that tests make up."""

from typing import Any

from storelaw import events

LAW = "entries_load_in_append_order"


def law(name: str = LAW, verdict: str = "held", **more: Any) -> dict[str, Any]:
    """A law's data, as a report has it."""
    found = {
        "name": name,
        "family": "order",
        "requirement": "MUST",
        "door": "store",
        "source": ["PI-A1"],
        "verdict": verdict,
        "reason": "",
        "fault": "",
        "evidence": {"battery": 1, "generated": 0, "vectors": 0, "seen": {}},
        "seconds": 0.25,
        "notes": [],
    }
    return {**found, **({"failure": failure()} if verdict == "broken" else {}), **more}


def failure(because: str = "an entry is lost", text: str = "acme broke a law") -> dict[str, Any]:
    """A broken law's failure."""
    return {
        "claim": "Entries stay.",
        "program": {"storelaw": 1, "entries": [], "steps": []},
        "expected": [],
        "observed": None,
        "differs": "",
        "because": because,
        "replays": {"failed": 3, "of": 3},
        "text": text,
    }


def head(**more: Any) -> dict[str, Any]:
    """A medium and its terms."""
    terms = {"target": "acme.testing:AcmeMedium", "effort": "quick", "seed": 7, "vectors": []}
    return {**terms, "manifest": {"name": "acme"}, **more}


def report(*laws: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The report of one medium that was held to these laws; it says nothing of grades."""
    made = events.document({**head(), **more, "law": each} for each in laws)
    for run in made["runs"]:
        run["grades"] = {}
    return made
