"""Visits to a medium by fresh handles, which see what the data alone says."""

from typing import Any

from storelaw.calls import Calls
from storelaw.driver import Driver
from storelaw.errors import MediumFault, StorelawError, told
from storelaw.program import Step
from storelaw.wreckage import Sight


class Visits:
    """Makes visits for one performance, through its driver."""

    def __init__(self, driver: Driver) -> None:
        self._driver, self._calls = driver, Calls(driver)

    def paid(self, medium: Any, *steps: Step) -> list[Sight]:
        """What each step comes to on one fresh handle; nothing is raised.

        Where no handle can be had, that is what all of them come to.
        """
        try:
            handle = self._driver.resolved("open()", medium.open)
        except StorelawError:
            raise
        except Exception as error:
            return [self._failed(error)] * len(steps)
        try:
            return self.seen(handle, *steps)
        finally:
            self._closed(medium, handle)

    def seen(self, handle: Any, *steps: Step) -> list[Sight]:
        """What each step comes to on a handle that is open; nothing is raised."""
        return [self._sight(handle, each) for each in steps]

    def _closed(self, medium: Any, handle: Any) -> None:
        try:
            self._driver.resolved("close()", medium.close, handle)
        except Exception as error:
            raise MediumFault(
                f"medium: {medium.manifest.name} raised in close() of a handle after a crash: "
                f"{type(error).__name__}: {ascii(str(error))[1:-1]}"
            ) from error

    def _sight(self, handle: Any, step: Step) -> Sight:
        try:
            given = self._calls.given(step.expanded())
            return Sight(self._calls.read(step.do, self._calls.made(handle, step, given)))
        except StorelawError:
            raise
        except Exception as error:
            return self._failed(error)

    def _failed(self, error: Exception) -> Sight:
        return Sight(None, self._driver.identity(error), told(error))
