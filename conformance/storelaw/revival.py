"""The part of a performance that keeps what a store wrote, and brings it back for a later version."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from storelaw import ground
from storelaw.driver import Driver
from storelaw.profiles import profile_named
from storelaw.program import Key, Step
from storelaw.recordings import FILES, Kept, read
from storelaw.trace import Event
from storelaw.values import Entry, copied, is_array

if TYPE_CHECKING:
    from storelaw.player import Performance

ACTS: Final = frozenset({"restore", "keep"})


class Revival:
    """The media of one performance beyond its first one."""

    def __init__(self, performance: "Performance") -> None:
        self._performance = performance
        self._grounds: list[ground.Ground] = []
        #: Whether the store could not be opened on what an earlier version wrote.
        self.failed = False

    def event(self, index: int, step: Step) -> Event:
        """Carry out one step; a restore is skipped where there is no earlier version."""
        act: Callable[[Step], Any] = self._kept
        if step.do == "restore":
            act = self._restored
            if not step["folder"] and not callable(getattr(self._performance.medium, "former", 0)):
                return Event(index, step, "skipped", text="former")
        event = self._performance.attempt(index, step, lambda: act(step))
        return replace(event, passed=tuple(step.expanded()))

    def cleared(self) -> None:
        """Remove the directories that were made."""
        while self._grounds:
            ground.given_back(self._grounds.pop(), reusable=False)

    # -------------------------------------------------------------- keeping

    def _kept(self, step: Step) -> Kept:
        performance = self._performance
        performance.closed(0)
        performance.opened(0)
        sessions = {key: self._shown(step, key) for key in step["sessions"]}
        performance.closed(0)
        performance.stage.gone.add(0)
        performance.settled()
        shutil.copytree(performance.medium.workdir, Path(step["folder"]) / FILES)
        return Kept(performance.medium.name, {k: v for k, v in sessions.items() if v})

    def _shown(self, step: Step, key: Key) -> list[Entry]:
        """What a session shows; nothing where it can't be read."""
        performance = self._performance
        handle = performance.handles[0]
        event = performance.attempt(0, step, lambda: shown(performance.driver, handle, key))
        found: list[Entry] = event.value or []
        return found

    # ------------------------------------------------------------ restoring

    def _restored(self, step: Step) -> Kept:
        performance, old = self._performance, self._performance.medium
        place = ground.taken()
        self._grounds.append(place)
        self._left()
        if step["folder"]:
            recording = read(Path(step["folder"]))
            shutil.copytree(recording.folder / FILES, place.workdir, dirs_exist_ok=True)
            found = recording.kept
        else:
            found = self._formerly(old.former(), place.workdir, step)
        again: Callable[..., Any] = old.__class__
        performance.medium = performance.guarded("making the medium", again, place.workdir)
        performance.medium.name = found.medium
        self.failed = True
        performance.handles[0] = performance.driver.resolved("open()", performance.medium.open)
        self.failed = False
        performance.stage.gone.discard(0)
        return found

    def _left(self) -> None:
        """Leave the medium that stood there before."""
        performance = self._performance
        for number in performance.stage.live_handles(performance.handles):
            performance.closed(number)
            performance.stage.gone.add(number)
        performance.guarded("destroy()", performance.medium.destroy)

    def _formerly(self, former: Any, workdir: Path, step: Step) -> Kept:
        """Let the earlier version write; what it then shows is what has to be read."""
        performance = self._performance
        driver = Driver(former.manifest, performance.worker)
        medium = performance.guarded("making the former medium", former, workdir)
        handle = performance.guarded("open() of the former medium", medium.open, driver=driver)
        log = performance.guarded("the former medium", _told, driver, handle, step)
        performance.guarded("close() of the former medium", medium.close, handle, driver=driver)
        return Kept(medium.name, {step.session: log})


def _told(driver: Driver, handle: Any, step: Step) -> list[Entry]:
    """Write a step's entries, and give what is then shown of them."""
    key, entries = driver.key(step.session), [driver.outward(each) for each in step.expanded()]
    if driver.has(handle, "create"):
        driver.call(handle, "create", key)
    if profile_named(driver.manifest.profile).operations >= {"put"}:
        for each in entries:
            driver.call(handle, "put", each)
    else:
        driver.append(handle, key, entries)
    return shown(driver, handle, step.session)


def shown(driver: Driver, handle: Any, key: Key) -> list[Entry]:
    """All that a store shows of a session, under our names."""
    log = profile_named(driver.manifest.profile).raw(driver, handle, key)
    return [driver.inward(copied(each)) for each in log] if is_array(log) else []
