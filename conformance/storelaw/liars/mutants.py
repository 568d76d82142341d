"""The 44 published mutants: broken stores that the kits before this one let through.

Each liar names the mutants that it stands for; ``storelaw selftest`` prints how many of
them are caught.
"""

from typing import Final

CORE: Final = (
    "load leaves out the last entry",
    "order by (timestamp, uuid), missing equal",
    "drops entries equal by content",
    "shares mutable state in and out",
    "ignores the second append",
    "keeps only the newest 100 entries",
    "session ids compared without case",
    "% and _ in ids act as LIKE wildcards",
    "null members vanish",
    "ints come back as floats",
    "trailing blanks in ids ignored",
    "ids merged by Unicode normalisation",
    "strings cut at NUL",
    "lone surrogates replaced",
    "integers above 2^53 rounded",
    "batch with a bad entry leaves the good ones",
    "concurrent append loses entries",
    "delete leaves subkeys",
    "append after delete brings old entries back",
    "no uuid idempotency",
)

FURTHER: Final = (
    "bare-prefix delete",
    "append changes the caller's dictionaries",
    "load leaks a storage field on the long-log path",
    "uuid unique across the whole table, so forks lose entries",
    "retried uuid moves to the end",
    "entries without uuid share one null key",
    "key parts joined by / unescaped",
    "deleting subpath agent-1 takes agent-10",
    "list returns the first 100 sessions",
    "mtime frozen at creation",
    "empty append creates the session",
    "stale read cache per handle",
    "write-behind, newest batch lost at restart",
    "JSON lines split at U+2028 or NEL",
    "strings cut at 65,535",
    "booleans become 0 and 1",
    "empty containers vanish",
    "ISO timestamps re-rendered",
    "ids cut at 64 characters",
    "subpath normalised as a path",
    "tail lost on reopen",
    "stable order by entry timestamp",
    "project key compared without case",
    "last write wins for a known uuid",
)

MUTANTS: Final = (*CORE, *FURTHER)
