"""The names that a ref may have."""

from __future__ import annotations

import re

from storelaw_reference.log.errors import SessionError

_BAD = re.compile(r"[\x00-\x1f ~^:?*\[\\]|\.\.|//|/\.|@\{|^\.|\.$|/$|\.lock$|\A@?\Z|\AHEAD\Z")


def checked_name(name: object) -> str:
    """Return a ref's name; raise `SessionError` `invalid_ref` for a bad one.

    Bad are: what is no string, the empty name, `@`, `HEAD`; a dot at either
    end, `/` or `.lock` at the end; `..`, `//`, `/.`, `@{`; controls, blanks and
    any of `~^:?*[` and the backslash. Rule: AP-H6.
    """
    if not isinstance(name, str) or _BAD.search(name):
        raise SessionError("invalid_ref", f"no name for a ref: {name!r}")
    return name
