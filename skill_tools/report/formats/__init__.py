"""Machine-readable formats of the report, with one function per format."""

from __future__ import annotations

import json
from collections.abc import Callable

from skill_tools.errors import SkillToolsError, nearest
from skill_tools.report.formats.annotations import as_github
from skill_tools.report.formats.job_summary import as_markdown
from skill_tools.report.formats.junit import as_junit
from skill_tools.report.formats.ruled import Ruled
from skill_tools.report.formats.sarif import as_sarif

TEXT = "text"
"""The terminal format for people, which is printed elsewhere."""


def as_json(ruled: Ruled) -> str:
    """Return the report itself as JSON, without the gate's rulings."""
    try:
        return ruled.report.model_dump_json(indent=2)
    except ValueError:  # JSON allows lone surrogates, which UTF-8 cannot encode
        return json.dumps(ruled.report.model_dump(), indent=2)


FORMATS: dict[str, Callable[[Ruled], str]] = {
    "json": as_json,
    "markdown": as_markdown,
    "sarif": as_sarif,
    "junit": as_junit,
    "github": as_github,
}
"""Every format except text: JSON, Markdown for a job summary, SARIF 2.1.0, JUnit XML, workflow
commands."""


def known_format(name: str) -> str:
    """Return the name of a format. If the name is not valid, raise SkillToolsError with a list of the formats."""
    if name not in (TEXT, *FORMATS):
        raise SkillToolsError(f"there is no format {name!r}{nearest(name, (TEXT, *FORMATS))}")
    return name


__all__ = ["FORMATS", "TEXT", "Ruled", "known_format"]
