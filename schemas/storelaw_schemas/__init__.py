"""The shapes of session entries, as JSON Schema 2020-12, and a small loader.

A schema has a name such as ``transcript/message-entry``: its folder and file name.
`names` lists them, `schema` gives one, `problems` checks a value against one, and
`check_log` checks the lines of a session log.
Importing this package reads no schema and loads no validator; the first use does.
"""

from .catalogue import UnknownSchema, names, schema
from .check import problems, validator
from .log import LineProblem, check_log
from .problem import Problem

__all__ = [
    "LineProblem",
    "Problem",
    "UnknownSchema",
    "check_log",
    "names",
    "problems",
    "schema",
    "validator",
]
