"""What the model of each run was shown, beside what the rules make of log and input."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from storelaw.model.acts import Act, acts
from storelaw.model.chains import path
from storelaw.model.projections import answered, messages_of, model_view
from storelaw.trace import Trace
from storelaw.values import Entry


@dataclass(frozen=True, slots=True)
class Prompt:
    """One request to a model: ``history`` and ``given`` are what it should have read."""

    act: Act
    history: list[Entry]
    given: list[Entry]
    shown: list[Any]

    @property
    def expected(self) -> list[Entry]:
        """History first, then the input of the run (PI-V5)."""
        return [*self.history, *self.given]


def prompts(trace: Trace) -> Iterator[Prompt]:
    """The first request of each run whose history needs no repair."""
    for act in acts(trace, "run"):
        if not act.event.prompts or act.leaf is None:
            continue
        history = model_view(path(act.before, act.leaf))
        given = messages_of([each.entry for each in act.event.step.drafts()])
        if answered(history):
            yield Prompt(act, history, given, act.event.prompts[0])
