"""The HTML pages next to a report: a page for each split, and a page that links to all of them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from skill_tools.errors import SkillToolsError
from skill_tools.evidence.saved import hash_sources
from skill_tools.files import READINGS_FILE, write_whole
from skill_tools.frameworks import rules
from skill_tools.render.plan import inside
from skill_tools.report.outcome import Outcome, combine, judge
from skill_tools.report.page.contents import Contents
from skill_tools.report.page.page import write_page
from skill_tools.report.storage.runs import (
    PAGE_FILE,
    STUDY_FILE,
    read_evidence,
    read_study,
    runs_of,
)


def keep_pages(outcome: Outcome, origin: str = "") -> Path:
    """Write the pages of a report and its splits, with the last study if it is stored; return the first page.

    Args:
        origin: The day on which the judged episodes were played, if that was not today.
    """
    home = outcome.evidence.home
    runs = runs_of(home)
    pages = {each.report.split or "": f"{each.report.split}/{PAGE_FILE}" for each in outcome.splits}
    contents = Contents(
        title=outcome.report.title,
        report=outcome.report,
        evidence=outcome.seen,
        pages=pages,
        study=_study(home, outcome.evidence.sources or ()),
        origin=origin,
    )
    write_whole(runs / PAGE_FILE, write_page(contents))
    for each in outcome.splits:
        place = inside(runs, pages[each.report.split or ""])
        place.parent.mkdir(exist_ok=True)
        title = f"{each.report.title}, {each.report.split}"
        write_whole(place, write_page(Contents(title, each.report, each.seen, origin=origin)))
    return runs / PAGE_FILE


def renew_pages(folder: Path) -> Path:
    """Rewrite the HTML page from the last stored build, if there is one, and from the last study.

    The current checks judge the stored evidence. Raises SkillToolsError if neither a build nor a study is stored,
    or if env.yaml cannot be read.
    """
    try:
        saved = read_evidence(folder)
    except SkillToolsError:
        page, spec = runs_of(folder) / PAGE_FILE, rules.load(folder)
        known = _study(folder, hash_sources(spec, folder))
        if known is None:
            raise  # nothing is stored
        write_whole(page, write_page(Contents(spec.title, study=known)))
        return page
    outcome = combine([judge(each) for each in saved.evidence])
    return keep_pages(outcome, f"({saved.origin}, judged again)")


def _study(folder: Path, sources: Iterable[str]) -> dict[str, Any] | None:
    """Return the last study, its date, and the files that have changed since. Return None if the study cannot be
    read."""
    try:
        found = read_study(folder)
    except SkillToolsError:
        return None  # written by another version: the next study replaces it
    if found is None:
        return None
    made = (runs_of(folder) / STUDY_FILE).stat().st_mtime
    # A study does not play the expectations of a reader of the prompts.
    paths = ((name, folder / name) for name in sources if name != READINGS_FILE)
    changed = [name for name, path in paths if path.is_file() and path.stat().st_mtime > made]
    at = f"{datetime.fromtimestamp(made, UTC):%Y-%m-%d %H:%M} UTC"
    return {**found.model_dump(mode="json"), "at": at, "changed": changed}
