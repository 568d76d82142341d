"""What the PostgreSQL store makes of texts, without a server."""

import json

import pytest

from storelaw.media.postgres_statements import written_out
from storelaw.values import same


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e16, "10000000000000000.0"),
        (1e23, "100000000000000000000000.0"),
        (-1.5e-7, "-0.00000015"),
        (0.1, "0.1"),
        (17, "17"),
        ('1e5 "1e5" \\', r'"1e5 \"1e5\" \\"'),
        ({"1e5": [1e22]}, '{"1e5": [10000000000000000000000.0]}'),
    ],
)
def test_numbers_are_written_out(value: object, text: str) -> None:
    """No exponent is left outside of strings, and a float is still read as the same one."""
    assert written_out(json.dumps(value)) == text
    assert same(json.loads(text), value)
