"""The page for people, in a real browser: a task is solved with it, and everybody has a desktop."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.live.served import serving

from .place import DESKTOP, here

pytestmark = [here, pytest.mark.everything("desktops")]
PATIENCE = 60
LINE = "Call the plumber on Monday."
TRAIN = [json.loads(line) for line in (DESKTOP / "tasks" / "train.jsonl").read_text().splitlines()]
expect.set_options(timeout=PATIENCE * 1000)


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    log = tmp_path_factory.mktemp("page") / "log"
    with serving(DESKTOP, "openenv", log, page=True) as found:
        yield f"{found}/web/"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as driver:
        program = shutil.which("chromium")
        found = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield found
        found.close()


LAID_OUT = """() => {
    const screen = document.querySelector("#page-screen img");
    return screen && screen.complete && screen.getBoundingClientRect().width > 100;
}"""


@dataclass
class Person:
    """Somebody at the page, who waits for what each action brings."""

    page: Page

    def open(self, index: int) -> None:
        self.page.get_by_label("Task, 0 to").fill(str(index))
        self.press("Open the task")
        self.sees("page-task", TRAIN[index]["instruction"])
        self.sees("page-status", "Turn 1 of 40")

    def click(self, x: int, y: int) -> None:
        screen = self.page.locator("#page-screen img")
        self.page.wait_for_function(LAID_OUT)  # before that every place of it is 0, 0
        box = screen.bounding_box()
        # The middle of the pixel, wherever the page is scrolled to.
        place = {"x": (x + 0.5) * box["width"] / 1024, "y": (y + 0.5) * box["height"] / 768}
        screen.click(position=place)

    def send(self, tool: str, text: str) -> None:
        box = self.page.locator(f"#page-tool-{tool}").locator("input, textarea")
        box.fill(text)
        box.press("Enter")
        expect(box).to_have_value("")

    def press(self, button: str) -> None:
        self.page.get_by_role("button", name=button).click()

    def sees(self, place: str, text: str) -> None:
        expect(self.page.locator(f"#{place}")).to_contain_text(text)

    def picture(self) -> str:
        return self.page.locator("#page-screen img").get_attribute("src")


@contextmanager
def person(browser: Browser, url: str) -> Iterator[Person]:
    """A new browser profile with the page, without the fonts that it wants from elsewhere."""
    context = browser.new_context(viewport={"width": 1600, "height": 1200})
    host = url.split("/")[2]
    context.route(lambda wanted: host not in wanted, lambda route: route.abort())
    page = context.new_page()
    page.goto(url)
    try:
        yield Person(page)
    finally:
        context.close()


def programs() -> list[int]:
    """The programs on all desktops of this test's server."""
    found = []
    for process in psutil.Process().children(recursive=True):
        try:
            if process.name() in ("mousepad", "gpicview", "galculator"):
                found.append(process.pid)
        except psutil.NoSuchProcess:
            continue
    return found


def until(wanted: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not wanted():
        assert time.monotonic() < end, f"programs that run: {programs()}"
        time.sleep(0.1)


def test_a_person_solves_a_task_with_mouse_and_keyboard(
    browser: Browser, url: str, tmp_path: Path
) -> None:
    with person(browser, url) as somebody:
        somebody.open(0)
        before = somebody.picture()
        somebody.click(512, 400)
        somebody.sees("page-actions", "Left click at (512, 400).")
        somebody.send("key", "ctrl+End")
        somebody.send("key", "Retrun")
        somebody.sees("page-actions", "there is no key 'Retrun'; did you mean Return?")
        somebody.send("type", LINE)
        somebody.sees("page-actions", f"Typed {len(LINE)} characters.")
        assert somebody.picture() != before
        somebody.send("key", "ctrl+s")
        somebody.press("Scroll down")
        somebody.sees("page-actions", "Scrolled down by 5 at (512, 400).")
        somebody.page.get_by_label("Right click").check()
        somebody.click(700, 500)
        somebody.sees("page-actions", "Right click at (700, 500).")
        somebody.send("key", "Escape")
        somebody.sees("page-status", "Turn 9 of 40")
        somebody.sees("page-status", "Reward 0.0")
        somebody.press("Terminate success")
        somebody.sees("page-status", "The episode is over after 10 turns")
        somebody.sees("page-status", "Reward 1.0")
        somebody.page.screenshot(path=tmp_path / "page.png", full_page=True)
        until(lambda: not programs())  # nothing is left to do on the desktop


def test_a_person_gives_the_token_once_and_sees_the_desktop(
    browser: Browser, tmp_path: Path
) -> None:
    log, token = tmp_path / "log", "let-me-in-4711"
    with serving(DESKTOP, "openenv", log, page=True, variables={"DESKTOP_TOKEN": token}) as found:
        asked: list[str] = []
        with person(browser, f"{found}/web/") as somebody:
            page = somebody.page
            page.on("request", lambda request: asked.append(request.url))
            expect(page.get_by_text("DESKTOP_TOKEN")).to_be_visible()
            for given, then in (
                (f"{token}2", page.get_by_role("alert")),
                (token, page.locator("#page-task")),
            ):
                page.get_by_label("Token").fill(given)
                page.get_by_role("button", name="Enter").click()
                expect(then).not_to_be_empty()
            somebody.open(0)
            page.wait_for_function(LAID_OUT)
            page.reload()
            somebody.open(1)
        with person(browser, f"{found}/web/") as another:
            expect(another.page.get_by_label("Token")).to_be_visible()
    assert token not in " ".join(asked) + log.read_text()


def test_everybody_has_a_desktop_which_ends_with_the_page_or_the_next_task(
    browser: Browser, url: str
) -> None:
    with person(browser, url) as one:
        with person(browser, url) as other:
            one.open(0)
            other.open(0)
            assert len(programs()) == 2
            other.send("type", "Only mine.")
            other.sees("page-actions", "Typed 10 characters.")
            one.press("Screenshot")
            one.sees("page-status", "Turn 2 of 40")
            expect(one.page.locator("#page-actions")).not_to_contain_text("Typed")
            assert one.picture() != other.picture()
            of_one = set(programs())
        until(lambda: len(programs()) == 1)
        assert set(programs()) < of_one
        one.send("type", "Still here.")
        one.sees("page-actions", "Typed 11 characters.")
        first = programs()
        one.open(0)
        until(lambda: len(programs()) == 1 and programs() != first)
        one.press("Stop here")
        one.sees("page-status", "The episode is over after 1 turns")
        one.press("Screenshot")
        one.sees("page-status", "The episode is over after 1 turns")
        until(lambda: not programs())


def test_what_a_task_hides_is_not_on_the_page(browser: Browser, url: str) -> None:
    index = next(n for n, task in enumerate(TRAIN) if task["answer"] and "picture" in task)
    with person(browser, url) as somebody:
        somebody.open(index)
        assert TRAIN[index]["answer"] not in somebody.page.content()
    until(lambda: not programs())
