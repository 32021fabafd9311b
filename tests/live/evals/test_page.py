"""The page in a browser: no error, and a failed expectation in two clicks."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from evals.report import page
from evals.report.model import Report
from tests.evals.test_report import result

pytestmark = pytest.mark.everything("evals")
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip


def test_a_failed_expectation_is_two_clicks_away(tmp_path: Path) -> None:
    report = Report.of([result("claude+with", 1.0), result("claude+without", 0.5)])
    (tmp_path / "report.html").write_text(page.render(report), "utf-8")
    wrong: list[str] = []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
        opened = browser.new_page()
        opened.on("console", lambda message: wrong.append(message.text))
        opened.on("pageerror", lambda error: wrong.append(str(error)))
        opened.on("requestfailed", lambda request: wrong.append(request.url))
        opened.goto((tmp_path / "report.html").as_uri())
        failed = opened.locator(".failed").first
        expect(failed).to_be_hidden()
        opened.locator("details.case > summary").first.click()
        opened.locator("details.attempt > summary", has_text="claude+without").click()
        expect(failed).to_be_visible()
        expect(failed).to_contain_text("behaviour/finding it pays 1@ors")
        opened.locator("details.attempt[open] details.episode > summary").first.click()
        expect(opened.get_by_text("RESULT: <script>").last).to_be_visible()
        browser.close()
    assert wrong == []
