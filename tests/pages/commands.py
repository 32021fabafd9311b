"""The commands of the README, of every page of the site and of what a contributor reads, by block."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import ROOT
from tools import site

PAGES = ["README.md", *(page for page in site.pages() if not page.startswith("docs/checks"))]
BLOCK = re.compile(r"(?:^<!-- ([^\n]+) -->\n)?^```bash\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"needs .+|played by (?P<test>\S+)|exit code (?P<code>\d)")
SLOW = re.compile(
    r"^(?:skill-tools|python3 dev\.py) (build|validate|recheck|bundle|learnability|test)\b"
)
"""Commands that install a framework or stand on one that did, or play much."""
ELSEWHERE = {
    "docs/graders.md": "tests/corpora/test_graders.py",
    "docs/install.md": "tests/live/clients/test_install.py",
    "docs/own_checks.md": "tests/checks/test_own.py",
    "benchmarks/README.md": "benchmarks",
    "benchmarks/learns.md": "benchmarks",
    "evals/README.md": "tests/live/evals",
}
"""Pages whose commands are all played by tests of their own; of benchmarks, by who measures."""


@dataclass(frozen=True)
class Block:
    """Commands that stand together on a page.

    mark: the comment before them. needs: whether no test can run them. elsewhere: the test that does, where it is
    another than that of the pages. code: the exit code that they end with.
    """

    page: str
    mark: str
    text: str
    needs: bool
    elsewhere: str
    code: int

    @property
    def commands(self) -> list[str]:
        """A command each, without comments and with what goes on in the next line."""
        lines = self.text.replace("\\\n", " ").splitlines()
        return [line for line in lines if line.strip() and not line.startswith("#")]


def blocks(page: str) -> Iterator[Block]:
    """A page's blocks. Raises ValueError for a mark that nobody understands."""
    for mark, text in BLOCK.findall((ROOT / page).read_text("utf-8")):
        found = MARK.fullmatch(mark)
        if mark and not found:
            raise ValueError(f"{page}: <!-- {mark} --> stands before commands, and means nothing")
        test = (found and found["test"]) or ELSEWHERE.get(page, "")
        code = int((found and found["code"]) or 0)
        yield Block(page, mark, text, mark.startswith("needs "), test, code)


def ours(command: str) -> Iterator[list[str]]:
    """The words after `skill-tools` of each command of ours in a line, without what is redirected."""
    for part in re.split(r"&&|;|\|", command):
        words = shlex.split(part, comments=True)
        words = words[next((n for n, word in enumerate(words) if "=" not in word), 0) :]
        if words[:2] == ["python3", "dev.py"] and words[2:3] not in (["test"], ["evals"], ["docs"]):
            yield words[2:]
        elif words[:1] and Path(words[0]).name == "skill-tools":
            yield words[1:]


def inline(page: str) -> Iterator[str]:
    """Commands of ours in a line of text, as in `skill-tools view FILE`."""
    text = re.sub(
        r"^```.*?^```$", "", (ROOT / page).read_text("utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    yield from re.findall(r"`(skill-tools [a-z]\w* ?[^`\n]*)`", text)
