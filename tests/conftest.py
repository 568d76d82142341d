"""What all tests share."""

import gc


def pytest_collection_finish() -> None:
    """Spare the collector from walking through all that was imported and collected."""
    gc.collect()
    gc.freeze()
