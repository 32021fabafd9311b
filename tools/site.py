"""Build the site of docs/ into site/, strictly and without a network; `python3 dev.py docs` runs it.

usage: python -m tools.site [--staged DIR] [arguments of zensical build]

Most pages are in docs/, and some are elsewhere; people also read these files on GitHub. This module first
copies all pages to one folder and adapts their links. A link then leads to another page, or to a copy of a
file in the repository. With --staged DIR, the pages are only copied to that folder. This module imports only
the standard library, because the site has its own venv.
"""

from __future__ import annotations

import posixpath
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "site"
BESIDE = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "join.md",
    "SECURITY.md": "security.md",
    "benchmarks/README.md": "benchmarks.md",
    "benchmarks/learns.md": "learns.md",
    "evals/README.md": "evals.md",
    "reference_envs/README.md": "frameworks.md",
}
"""Pages outside of docs/, by their path in the repository, and what they are called in the site."""
SOURCE = "source"
"""Folder of the site for files of the repository that a page links to."""
SHOWN = (".svg", ".png", ".html", ".jpg")
"""Endings of files that a browser shows as they are; to others .txt is added, so that it shows them."""
LINK = re.compile(
    r"^( *)(?P<fence>```+).*?^\1(?P=fence)`*$"
    r"|(?P<label>!?\[(?:[^\[\]]|\[[^\]]*\])*\])\((?!https?:|mailto:|#)(?P<to>[^)\s#]+)(?P<anchor>#[^)\s]*)?\)"
    r"|(?<!`)(?P<code>`+)(?!`)(?:(?!\n\n).)+?(?<!`)(?P=code)(?!`)",
    re.MULTILINE | re.DOTALL,
)
"""A link to a page or file; or a block or words of code, in which nothing is one."""

ITEM = re.compile(r"(\d\.|-) ")
"""How an item of a list begins that is in no other."""
NEEDS = re.compile(r"^<!-- (needs .*) -->$", re.MULTILINE)
"""What stands before commands that no test can run; a reader of the site sees it."""


def pages(root: Path = ROOT) -> dict[str, str]:
    """Return the path in the site of every page, keyed by the page's path in the repository."""
    docs = root / "docs"
    in_docs = (path.relative_to(docs).as_posix() for path in sorted(docs.rglob("*.md")))
    beside = {path: page for path, page in BESIDE.items() if (root / path).is_file()}
    return {**{f"docs/{path}": path for path in in_docs}, **beside}


def staged(root: Path = ROOT) -> dict[str, bytes]:
    """Return the files from which the site is built, keyed by their path in the site.

    Raises ValueError for a broken link.
    """
    site = _Site(root)
    for path in sorted((root / "docs").rglob("*")):
        if path.is_file() and path.suffix in (*SHOWN, ".js"):
            site.files[path.relative_to(root / "docs").as_posix()] = path.read_bytes()
    for source, page in site.pages.items():
        text = NEEDS.sub(r"*\1:*", (root / source).read_text("utf-8"))
        site.files[page] = _indented(site.linked(text, source)).encode()
    return site.files


class _Site:
    """A site under construction: the pages of a repository, and the site's files so far."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.pages = pages(root)
        self.files: dict[str, bytes] = {}

    def linked(self, text: str, source: str) -> str:
        """Return a page's text with links that work in the site. Add the files that the page needs."""

        def lead(match: re.Match[str]) -> str:
            label, target, anchor = match["label"], match["to"], match["anchor"] or ""
            if not label:
                return match[0]
            path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
            there = self.place(path)
            if there is None:
                raise ValueError(
                    f"{source}: the link to {target} leads to nothing\n"
                    f"    fix: name a file of the repository; looked for {path}"
                )
            if not there:
                return label[1:-1]
            start = posixpath.dirname(self.pages[source]) or "."
            return f"{label}({posixpath.relpath(there, start)}{anchor})"

        return LINK.sub(lead, text)

    def place(self, path: str) -> str | None:
        """Return the path in the site for a path in the repository, and add its file if necessary.

        Return "" for a folder without a page, and None if the path does not exist.
        """
        if path in self.pages:
            return self.pages[path]
        file = self.root / path
        if file.is_dir():
            page = f"{path}/README.md"
            return self.place(page) if (self.root / page).is_file() else ""
        if not file.is_file():
            return None
        if path.startswith("docs/") and path.endswith((*SHOWN, ".js")):
            return path.removeprefix("docs/")
        # A site leaves out what has a dot before it.
        place = f"{SOURCE}/{path.lstrip('.')}" + ("" if path.endswith(SHOWN) else ".txt")
        self.files[place] = file.read_bytes()
        return place


def _indented(text: str) -> str:
    """Return a page whose list items continue at a four-column indent.

    GitHub accepts an indent of two or three columns, but Python-Markdown does not.
    """
    lines: list[str] = []
    more, fenced = 0, False
    for line in text.split("\n"):
        item = ITEM.match(line)
        if line.startswith("```"):
            fenced, more = not fenced, 0
        elif fenced:
            pass
        elif item:
            if lines and lines[-1] and not (more and ITEM.match(lines[-1])):
                lines.append("")
            more = 4 - len(item[0])
        elif more > 0 and line.startswith(" " * (4 - more)):
            line = " " * more + line
        elif line and lines and not lines[-1]:
            more = 0
        lines.append(line)
    return "\n".join(lines)


def write(folder: Path) -> None:
    """Write the files of the site into an empty folder."""
    for path, content in staged().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)


def build(arguments: list[str]) -> int:
    """Run Zensical strictly over the files of the site. Return its exit code. If it fails, keep the old site."""
    with tempfile.TemporaryDirectory(prefix="rl-env-skills-site-") as scratch:
        shutil.copy2(ROOT / "mkdocs.yml", scratch)
        write(Path(scratch) / "pages")
        command = [sys.executable, "-m", "zensical", "build", "--strict", "-f", "mkdocs.yml"]
        code = subprocess.run([*command, *arguments], cwd=scratch, check=False).returncode
        if code == 0:
            shutil.rmtree(OUTPUT, ignore_errors=True)
            shutil.copytree(Path(scratch) / "site", OUTPUT)
        return code


if __name__ == "__main__":
    given = sys.argv[1:]
    if given[:1] == ["--staged"]:
        write(Path(given[1]))
    else:
        sys.exit(build(given))
