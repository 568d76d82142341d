"""The ways in which the log profile says no: one class, or one code, for each."""

from __future__ import annotations

from typing import Literal, get_args

Code = Literal["busy", "conflict", "invalid_rebase", "invalid_ref", "not_found", "storage"]
"""What a `SessionError` is about; `conflict` (an id, a name or a place is taken) is ours."""


class Rejected(Exception):
    """What was handed in is no JSON value, no entry, or is not allowed at this moment.

    Rules: AP-A12, AP-K2, D-AP-9, D-AP-20.
    """


class Damaged(Exception):
    """What a medium holds can't be read; the message names the place. Rules: AP-A6, D-AP-8."""


class Aborted(Exception):
    """A turn was given up: a runner raises it, and `Agent.turn` then does. Rule: AP-L8."""


class SessionError(Exception):
    """A session refuses, or its storage failed; `code` says which. Rules: AP-Q1."""

    def __init__(self, code: Code, message: str) -> None:
        assert code in get_args(Code)
        super().__init__(code, message)
        self.code: Code = code

    def __str__(self) -> str:
        return f"{self.args[0]}: {self.args[1]}"
