"""The skills' pages: generated parts are written between markers, and shared pages are copied.

Pages are written by hand in the references of ``SOURCE``. The text between ``<!-- generated:
NAME ARGUMENT -->`` and ``<!-- end -->`` comes from ``skill_parts``. Every other skill gets a copy of
the pages that its SKILL.md links to, because people install each skill alone.
"""

from __future__ import annotations

import re
from pathlib import Path

from skill_tools.errors import SkillToolsError, nearest
from tools.skill_parts import PARTS, ROOT

SKILLS = ROOT / "skills"
SOURCE = "rl-env-from-description"
"""The skill whose pages are the originals."""
PART = re.compile(r"(<!-- generated: (\S+)((?: \S+)*) -->\n).*?(<!-- end -->\n)", re.DOTALL)
LINK = re.compile(r"\]\(references/([^)#]+)\)")


def planned(skills: Path) -> dict[str, str | None]:
    """Return the expected text of every page as {path: text}, with None for a page that should not exist.

    Raises SkillToolsError for a link to a page that does not exist, and for an unknown part.
    """
    originals = {
        path.name: filled(path) for path in sorted((skills / SOURCE / "references").glob("*.md"))
    }
    files: dict[str, str | None] = {}
    for path in sorted(skills.glob("*/SKILL.md")):
        skill = path.parent.name
        text = filled(path)
        files[f"{skill}/SKILL.md"] = text
        linked = set(LINK.findall(text))
        if unknown := linked - set(originals):
            raise SkillToolsError(f"{skill} links to {', '.join(sorted(unknown))}: no such page")
        there = {page.name for page in (path.parent / "references").glob("*")}
        for name in sorted(linked | there):
            files[f"{skill}/references/{name}"] = originals[name] if name in linked else None
    return files


def drift(skills: Path) -> list[str]:
    """Return the skills' pages that differ from the plan."""
    return list(_drifted(skills))


def write(skills: Path) -> list[str]:
    """Write the skills' pages that differ from the plan, and return their paths.

    A page in ``SOURCE`` that no skill links to is left alone.
    """
    drifted = _drifted(skills)
    for path, text in drifted.items():
        if text is not None:
            (skills / path).parent.mkdir(exist_ok=True)
            (skills / path).write_text(text, "utf-8")
        elif not path.startswith(f"{SOURCE}/"):
            (skills / path).unlink()
    return list(drifted)


def _drifted(skills: Path) -> dict[str, str | None]:
    return {path: text for path, text in planned(skills).items() if _found(skills / path) != text}


def _found(path: Path) -> str | None:
    return path.read_text("utf-8") if path.is_file() else None


def filled(path: Path) -> str:
    """Return a page with its generated parts up to date."""

    def fill(match: re.Match[str]) -> str:
        name, arguments = match[2], match[3].split()
        if name not in PARTS:
            raise SkillToolsError(f"{path}: there is no part {name!r}{nearest(name, PARTS)}")
        return match[1] + "\n".join(PARTS[name](*arguments)) + "\n" + match[4]

    return PART.sub(fill, path.read_text("utf-8"))
