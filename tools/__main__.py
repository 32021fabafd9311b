"""Bring every generated page up to date.

usage: python -m tools [--check]

With --check, nothing is written, and the exit code is 1 if a page is out of date.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from ruamel.yaml import YAML

from skill_tools.render.plan import plan, texts
from skill_tools.spec.model import EnvSpec
from skill_tools.spec.reader import json_schema
from tools import (
    census_page,
    checks_page,
    frameworks_page,
    ports_page,
    reference_pages,
    skill_pages,
)

ROOT = Path(__file__).resolve().parent.parent
HARNESS = ROOT / "packages/rl-env-harness"


def stand_in() -> str:
    """Return the text of the module that replaces an environment's own module, so that the harness can be imported."""
    text = (HARNESS / "tests/stand_in/env.yaml").read_text("utf-8")
    spec = EnvSpec.model_validate(YAML(typ="safe", pure=True).load(text))
    return texts(plan(spec))["_shared/env_spec.py"]


PAGES: dict[str, Callable[[], str]] = {
    "skill_tools/env.schema.json": json_schema,
    "docs/checks.md": checks_page.contents,
    **{
        f"docs/{path}": partial(checks_page.family_page, family)
        for family, path in checks_page.paths().items()
    },
    **reference_pages.PAGES,
    "docs/census.md": census_page.contents,
    "docs/ports.md": ports_page.contents,
    "reference_envs/README.md": frameworks_page.as_markdown,
    "packages/rl-env-harness/src/rl_env_harness/env_spec.py": stand_in,
}
"""Pages that are generated, and what makes them."""


def main(check: bool) -> int:
    """Write the pages that are out of date, or only name them. Return the exit code."""
    pages = {path: made() for path, made in PAGES.items()}  # all, before any is written
    stale = []
    for path, text in pages.items():
        if not (ROOT / path).is_file() or (ROOT / path).read_text("utf-8") != text:
            stale.append(path)
            if not check:
                (ROOT / path).parent.mkdir(exist_ok=True)
                (ROOT / path).write_text(text, "utf-8")
    skills = skill_pages.drift if check else skill_pages.write
    stale += [f"skills/{path}" for path in skills(skill_pages.SKILLS)]
    print("\n".join(stale) or "all generated pages are up to date")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
