"""The errors of the kit and the five identities."""

from storelaw import errors


def test_the_five_identities_go_by_their_names() -> None:
    """Each identity is a store's error under its own name, and none is the kit's own."""
    assert sorted(errors.IDENTITIES) == [
        "EntryConflict",
        "Rejected",
        "SessionExists",
        "SessionNotFound",
        "Stale",
    ]
    for name, kind in errors.IDENTITIES.items():
        assert kind.__name__ == name
        assert issubclass(kind, errors.StoreError)
        assert not issubclass(kind, errors.StorelawError)


def test_the_kits_own_errors_say_whose_fault_it_is() -> None:
    """A wrong configuration, a bad medium and a bug of ours are three types."""
    kinds = {errors.Misconfigured, errors.MediumFault, errors.HarnessFault}
    assert all(issubclass(each, errors.StorelawError) for each in kinds)
