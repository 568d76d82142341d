"""What all tests share."""

import gc


def pytest_configure() -> None:
    """Let the collector look for cycles seldom: most of what a run makes stays or goes by itself."""
    gc.set_threshold(5_000)


def pytest_collection_finish() -> None:
    """Spare the collector from walking through all that was imported and collected."""
    gc.collect()
    gc.freeze()
