"""A browser of the tests' own: headless Chromium, driven by Playwright, where it is asked for."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

#: Asks for a browser to be started.
ASKED = "STORELAW_BROWSER"

#: What a browser may be called that a distribution brings.
NAMES = ("chromium", "chromium-browser", "google-chrome")

#: What brings all that is needed.
COMMAND = (
    "pip install --group browser, and: apt-get install chromium, or: playwright install chromium"
)

Tab = Callable[..., AbstractContextManager[Any]]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A browser; skips where none is asked for, fails where one is and can't be had."""
    if not os.environ.get(ASKED):
        pytest.skip(f"set {ASKED}=1 to have a browser started; it needs: {COMMAND}")
    if find_spec("playwright") is None:
        pytest.fail(f"{ASKED} is set, and Playwright is not installed; run: {COMMAND}")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        sandbox = [] if os.geteuid() else ["--no-sandbox"]
        yield driver.chromium.launch(executable_path=_program(driver), args=sandbox)


def _program(driver: Any) -> str:
    """Where Chromium lies: on PATH, or where Playwright puts its own."""
    own: str = driver.chromium.executable_path
    found = next(filter(None, map(shutil.which, NAMES)), own if Path(own).exists() else None)
    if found is None:
        pytest.fail(f"{ASKED} is set, and there is no Chromium; run: {COMMAND}")
    return found


@pytest.fixture
def tab(chromium: Any) -> Tab:
    """Opens a file at a width in a colour scheme, and closes it again."""

    @contextmanager
    def opened(file: Path, width: int = 1280, scheme: str = "light", **more: Any) -> Iterator[Any]:
        context = chromium.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, **more
        )
        try:
            page = context.new_page()
            page.set_default_timeout(5_000)
            page.asked = []
            page.on("request", lambda each: page.asked.append(each.url))
            page.goto(file.as_uri())
            yield page
        finally:
            context.close()

    return opened
