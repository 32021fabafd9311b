"""The site: every page is in it once, every link holds, it is built strictly and read without a network."""

from __future__ import annotations

import posixpath
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright
from ruamel.yaml import YAML

from tests.conftest import ROOT
from tools import reference_pages, site

CHROMIUM = shutil.which("chromium")
ONE_VENV = pytest.mark.xdist_group("site")
"""Tests that set up .venv-docs and write site/: one worker plays them."""
LONGEST = 150
"""Lines of the README: somebody has five minutes."""


def small(folder: Path, page: str, **files: str) -> dict[str, str]:
    """The texts of a site of one page and the files beside it."""
    (folder / "docs").mkdir()
    (folder / "docs" / "index.md").write_text(page, "utf-8")
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, "utf-8")
    return {path: text.decode() for path, text in site.staged(folder).items()}


def named(nav: object) -> list[str]:
    """The pages of a navigation, in their order."""
    if isinstance(nav, dict):
        return [page for each in nav.values() for page in named(each)]
    return [page for each in nav for page in named(each)] if isinstance(nav, list) else [str(nav)]


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= LONGEST


def test_every_page_is_in_the_navigation_once() -> None:
    read = YAML().load((ROOT / "mkdocs.yml").read_text("utf-8"))
    assert sorted(named(read["nav"])) == sorted(site.pages().values())


def test_every_link_leads_to_a_file_of_the_site() -> None:
    files = site.staged()
    links = 0
    for page, content in files.items():
        if page.endswith(".md"):
            for match in site.LINK.finditer(content.decode()):
                if match["label"]:
                    target = posixpath.join(posixpath.dirname(page), match["to"])
                    assert posixpath.normpath(target) in files, (page, match["to"])
                    links += 1
    assert links > 300


def test_a_link_to_a_file_of_the_repository_takes_it_along(tmp_path: Path) -> None:
    files = small(tmp_path, "See [`it`](../game.py) and [the folder](../docs/).", game_py="x = 1\n")
    assert files["index.md"] == "See [`it`](source/game.py.txt) and the folder."
    assert files["source/game.py.txt"] == "x = 1\n"


def test_a_link_to_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"docs/index\.md: the link to \.\./gone\.py leads to no"):
        small(tmp_path, "See [it](../gone.py).")


def test_what_stands_in_code_is_no_link(tmp_path: Path) -> None:
    page = "Write `[x](y.md)`.\n\n```python\na[0](b)\n```\n"
    assert small(tmp_path, page)["index.md"] == page


def test_lists_are_read_as_on_github(tmp_path: Path) -> None:
    page = "Two:\n1. One\n\n   ```bash\n   ls\n   ```\n2. Two\n\n```diff\n- a\n   b\n```\n"
    assert small(tmp_path, page)["index.md"] == (
        "Two:\n\n1. One\n\n    ```bash\n    ls\n    ```\n\n2. Two\n\n```diff\n- a\n   b\n```\n"
    )


def test_a_reader_is_told_what_commands_need(tmp_path: Path) -> None:
    page = "<!-- needs a key -->\n```bash\nls\n```\n"
    assert small(tmp_path, page)["index.md"].startswith("*needs a key:*\n")


@pytest.mark.parametrize("path", reference_pages.PAGES)
def test_a_page_of_reference_is_as_it_is_generated(path: str) -> None:
    assert (ROOT / path).read_text("utf-8") == reference_pages.PAGES[path](), "run: python -m tools"


@ONE_VENV
@pytest.mark.everything("site")
def test_the_site_is_built_and_is_read_and_searched_without_a_network() -> None:
    done = subprocess.run(
        ["bash", ".ci/docs"], cwd=ROOT, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for path in site.OUTPUT.rglob("*.html"):
        loaded = re.findall(r"<(?:script|link|img|iframe)\b[^>]*>", path.read_text("utf-8"))
        assert not [tag for tag in loaded if re.search(r'(?:src|href)="?(?:https?:)?//', tag)], path
    if not CHROMIUM:
        pytest.skip("no chromium is installed")
    asked: list[str] = []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto((site.OUTPUT / "index.html").as_uri())
        page.keyboard.press("/")
        page.keyboard.type("landlock")
        page.get_by_text("What the sandbox does not promise").first.wait_for(timeout=20_000)
        browser.close()
    assert {url.partition(":")[0] for url in asked} <= {"file", "data", "blob"}


@ONE_VENV
@pytest.mark.everything("site")
@pytest.mark.parametrize("link", ["[x](api.md#nowhere)", "[x](nowhere.md)"])
def test_a_link_that_leads_nowhere_ends_the_build(link: str, tmp_path: Path) -> None:
    python = ROOT / ".venv-docs" / "bin" / "python"
    subprocess.run([sys.executable, "dev.py", "docs"], cwd=ROOT, check=True, capture_output=True)
    shutil.copy2(ROOT / "mkdocs.yml", tmp_path)
    site.write(tmp_path / "pages")
    page = tmp_path / "pages" / "index.md"
    page.write_text(page.read_text("utf-8") + link, "utf-8")
    done = subprocess.run(
        [python, "-m", "zensical", "build", "--strict", "-f", "mkdocs.yml"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode
    assert "does not exist" in done.stdout + done.stderr
