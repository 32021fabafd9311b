"""Make docs/page.png, the picture in the README: the report page of connect four in a browser.

usage: python -m tools.page_picture

Connect four is built in two frameworks and studied, which takes half a minute. Its page is then photographed
in Chromium. Nothing in the picture is made up.
"""

from __future__ import annotations

import io
import shutil
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

import skill_tools

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "page.png"
ENVIRONMENT = ROOT / "evals" / "cases" / "connect_four" / "reference"
WIDE = 1100
SHOWN = ("#head", "#variants > .scroll", "#study > .plots > :nth-child(-n+2)", "#reader")
"""What is shown of the page, one part below the other; with the titles of the sections."""
HIDE = """(shown) => {
  const kept = document.querySelectorAll(shown);
  const within = (each) => [...kept].some((one) => one.contains(each) || each.contains(one));
  for (const each of document.querySelectorAll("body *"))
    if (!within(each) && each.tagName !== "H2") each.style.display = "none";
  for (const each of document.querySelectorAll("main > section"))
    if (![...kept].some((one) => each.contains(one))) each.style.display = "none";
}"""
"""Hides what is not shown."""
TALL = 1330
"""Pixels of the picture: the rest is for who opens the page."""


def main() -> None:
    """Build and study the environment, and photograph its report page."""
    with tempfile.TemporaryDirectory(prefix="skill-tools-page-") as scratch:
        folder = Path(scratch) / "connect_four"
        shutil.copytree(ENVIRONMENT, folder, ignore=shutil.ignore_patterns("runs"))
        page = skill_tools.build(folder, ["openenv", "gem"]).page_file
        skill_tools.study(folder)
        picture = _photograph(page)
    picture.quantize(128).save(PICTURE, optimize=True)


def _photograph(page: Path) -> Image.Image:
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        opened = browser.new_page(viewport={"width": WIDE, "height": TALL})
        opened.goto(page.as_uri())
        opened.wait_for_selector("body[data-ready]")
        opened.evaluate(HIDE, ", ".join(SHOWN))
        opened.evaluate("() => new Promise((done) => setTimeout(done, 500))")  # plots are drawn
        data = opened.screenshot()
        browser.close()
    return Image.open(io.BytesIO(data)).convert("RGB")


if __name__ == "__main__":
    main()
