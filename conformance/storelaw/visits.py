"""Visits to a medium by fresh handles, which see what the data alone says."""

from typing import Any

from storelaw.calls import Calls
from storelaw.driver import Driver
from storelaw.errors import StorelawError
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
            return [self._sight(handle, each) for each in steps]
        finally:
            self._driver.resolved("close()", medium.close, handle)

    def _sight(self, handle: Any, step: Step) -> Sight:
        try:
            given = self._calls.given(step.expanded())
            return Sight(self._calls.read(step.do, self._calls.made(handle, step, given)))
        except StorelawError:
            raise
        except Exception as error:
            return self._failed(error)

    def _failed(self, error: Exception) -> Sight:
        words = f"{type(error).__name__}: {error}".encode("ascii", "backslashreplace").decode()
        return Sight(None, self._driver.identity(error), words)
