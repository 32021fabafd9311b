"""The page in a real browser: it is read with the keyboard, by everybody, and asks nothing of anyone."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

from skill_tools.report.page.contents import Contents
from skill_tools.report.page.page import write_page
from tests.report.pages import (
    HIDDEN,
    clicking,
    contents,
    differing,
    episode,
    evidence,
    many,
    studied,
)

CHROMIUM = shutil.which("chromium")
pytestmark = [
    pytest.mark.everything("page"),
    pytest.mark.skipif(not CHROMIUM, reason="no chromium is installed"),
]
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip
SECONDS = 2.0
"""In which a thousand episodes of twenty steps are there to be read."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield found
        found.close()


@dataclass
class Reader:
    """Somebody with a page open, who notes what goes wrong."""

    page: Page
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def open(self, path: Path) -> None:
        self.page.on("console", lambda message: self.wrong.append(message.text))
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("request", self._asked)
        began = time.monotonic()
        self.page.goto(path.as_uri())
        self.page.wait_for_selector("body[data-ready]")
        self.seconds = time.monotonic() - began

    def _asked(self, request: object) -> None:
        url = str(getattr(request, "url", ""))
        if not url.startswith(("file:", "data:")):
            self.wrong.append(f"asked {url}")


@pytest.fixture
def reader(browser: Browser, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Reader]:
    scheme, width = getattr(request, "param", ("light", 1200))
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 800})
    found = Reader(context.new_page())
    yield found
    found.page.screenshot(path=tmp_path / "page.png", full_page=True)
    assert found.wrong == []
    assert found.page.evaluate("window.hacked") is None
    context.close()


def written(made: Contents, tmp_path: Path) -> Path:
    path = tmp_path / "report.html"
    path.write_text(write_page(made), "utf-8")
    return path


def test_a_failed_parity_opens_both_episodes_at_the_step(reader: Reader, tmp_path: Path) -> None:
    reader.open(written(differing(), tmp_path))
    page = reader.page
    expect(page.locator("h1")).to_have_text("Treasure: not green")
    expect(page.locator("article")).to_have_count(2)
    expect(page.locator("#difference")).to_contain_text("differ first at step 2")
    ours, theirs = page.locator(".step.differs mark").all()
    assert (ours.text_content(), theirs.text_content()) == ("er", "")
    page.get_by_role("link", name="see the two episodes side by side").click()
    expect(page.locator(".step.differs")).to_have_count(2)


def test_episodes_are_read_with_the_keyboard_and_found_by_filters(
    reader: Reader, tmp_path: Path
) -> None:
    played = [episode("ors", who, n) for who in ("oracle", "random") for n in range(3)]
    reader.open(written(contents(evidence(*played)), tmp_path))
    page = reader.page
    position = page.locator("#position")
    expect(position).to_have_text("1 of 6 in the list")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("n")
    expect(position).to_have_text("3 of 6 in the list")
    page.keyboard.press("p")
    expect(position).to_have_text("2 of 6 in the list")
    page.locator("#filter-policy").select_option("random")
    expect(page.locator("#count")).to_have_text("3 of 6 episodes")
    page.locator("#rows a").last.focus()
    page.keyboard.press("Enter")
    expect(page.locator("article")).to_contain_text("random in ors, treasure/train/2/0")
    page.locator("#filter-level").select_option("easy")
    expect(page.locator("#count")).to_have_text("1 of 6 episodes")
    page.locator("#filter-text").fill("nowhere")
    expect(page.locator("#count")).to_have_text("0 of 6 episodes")


def test_characters_that_hide_are_shown_by_name(reader: Reader, tmp_path: Path) -> None:
    reader.open(written(contents(evidence(episode("ors", seen=(HIDDEN,)))), tmp_path))
    shown = reader.page.locator("article .step pre").last
    assert shown.inner_text() == "aU+202EbESC[31mredU+200Bc"


def test_a_click_is_marked_on_the_picture_that_the_agent_saw(
    reader: Reader, tmp_path: Path
) -> None:
    reader.open(written(clicking(), tmp_path))
    page = reader.page
    expect(page.locator(".picture")).to_have_count(3)
    mark = page.locator(".picture .click")
    expect(mark).to_have_count(1)
    seen = page.locator(".picture").first
    expect(seen.locator(".click")).to_have_attribute("title", "step 2: 160, 50")
    box, frame = mark.bounding_box(), seen.locator("img").bounding_box()
    assert box
    assert frame
    assert box["x"] + box["width"] / 2 - frame["x"] == pytest.approx(frame["width"] / 2, abs=1)
    assert box["y"] + box["height"] / 2 - frame["y"] == pytest.approx(frame["height"] / 4, abs=1)


def test_a_study_is_told_with_its_curves_and_its_model(reader: Reader, tmp_path: Path) -> None:
    reader.open(written(studied(), tmp_path))
    told = reader.page.locator("#study")
    expect(told).to_contain_text("teachable: it rises")
    expect(told.locator("canvas")).to_have_count(3)
    expect(told.get_by_role("table").first.locator("tbody tr")).to_have_count(2)
    expect(told).to_contain_text("tiny in ors")
    expect(told).to_contain_text("3 more")


def test_a_thousand_episodes_open_in_two_seconds(reader: Reader, tmp_path: Path) -> None:
    reader.open(written(many(1000, 20), tmp_path))
    print(f"{reader.seconds:.2f} s")
    assert reader.seconds < SECONDS
    expect(reader.page.locator("#count")).to_contain_text("1000 of 1000 episodes")
    reader.page.keyboard.press("ArrowRight")
    expect(reader.page.locator("#position")).to_have_text("2 of 1000 in the list")


@pytest.mark.parametrize(
    "reader", [("light", 1200), ("dark", 1200), ("light", 360)], indirect=True, ids=str
)
@pytest.mark.parametrize("made", [differing, clicking, studied], ids=lambda each: each.__name__)
def test_everybody_can_read_it(reader: Reader, made: object, tmp_path: Path) -> None:
    reader.open(written(made(), tmp_path))  # type: ignore[operator]
    page = reader.page
    for summary in page.locator("details > summary").all():
        summary.click()
    found = Axe().run(page).response["violations"]
    told = [(each["id"], each["impact"], each["nodes"][0]["html"][:200]) for each in found]
    assert [each for each in told if each[1] in ("serious", "critical")] == []
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) <= 1


def test_metrics_stand_below_the_returns_and_at_the_end_of_an_episode(
    reader: Reader, tmp_path: Path
) -> None:
    measured = episode().model_copy(update={"metrics": {"right": 0.25, "form": 1.0}})
    (path := tmp_path / "page.html").write_text(write_page(contents(evidence(measured))), "utf-8")
    reader.open(path)
    table = reader.page.get_by_role("region", name="mean metrics of each policy in each variant")
    expect(table).to_contain_text("right 0.25, form 1")
    reader.page.locator("#rows a").first.click()
    expect(reader.page.locator("#reader article")).to_contain_text("metrics: right 0.25, form 1")
