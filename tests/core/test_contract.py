"""The options of a contract."""

from dataclasses import fields

import pytest

from storelaw.contract import OPTIONS, Contract, unknown
from storelaw.errors import Misconfigured
from storelaw.profiles import discover


def test_the_table_of_options_is_the_list_of_fields() -> None:
    """Each option has a field, undeclared by default, and each field a row in the table."""
    assert [each.name for each in fields(Contract)] == list(OPTIONS)
    assert Contract().declared() == {}
    assert all(values and words for values, words in OPTIONS.values())


def test_a_declared_value_is_kept() -> None:
    """The declared options are those that were given."""
    contract = Contract.of({"reappend": "reject", "ids": "caller"})
    assert contract.declared() == {"reappend": "reject", "ids": "caller"}
    assert contract.create is None


def test_an_unknown_option_is_refused_with_the_near_one_and_all_others() -> None:
    """The message names what was meant and everything that exists."""
    with pytest.raises(Misconfigured) as caught:
        Contract.of({"reapend": "reject"})
    assert str(caught.value) == (
        "configuration: no option is called 'reapend'; did you mean 'reappend'? known: "
        + ", ".join(sorted(OPTIONS))
    )


def test_an_unknown_value_is_refused_with_the_allowed_ones() -> None:
    """The message names the option, the value, and what is allowed."""
    with pytest.raises(Misconfigured) as caught:
        Contract.of({"create": "maybe"})
    assert str(caught.value) == (
        "configuration: option 'create' is 'maybe'; allowed: explicit, implicit"
    )


def test_a_name_that_is_near_to_none_gets_no_guess() -> None:
    """Without a near name the message lists what exists."""
    assert unknown("option", "zzz", {"b": 1, "a": 2}) == (
        "configuration: no option is called 'zzz'; known: a, b"
    )


def test_each_profile_fixes_only_values_that_exist() -> None:
    """A profile is a contract like any other."""
    for contract in (each.contract for each in discover().values()):
        assert Contract.of(contract.declared()) == contract
