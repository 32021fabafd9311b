"""Pages for reading episodes in a browser, either of a report or of any trajectory file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from skill_tools.errors import SkillToolsError
from skill_tools.evidence.trajectory import PACKED, Trajectory, read
from skill_tools.files import find_environment, write_whole
from skill_tools.report.formats.inspect_log import write_inspect_log
from skill_tools.report.page.contents import Contents
from skill_tools.report.page.kept import renew_pages
from skill_tools.report.page.page import OURS, write_page
from skill_tools.report.storage.runs import read_evidence


def view(paths: Sequence[Path | str], output: Path | None = None) -> Path:
    """Write a page for reading episodes, and return its path.

    ``paths`` are trajectory files from a build or a rollout; the page is written next to the first file, or to
    ``output``. If a path is the folder of an environment, the page of its last report is rewritten. Raises
    SkillToolsError for any other path, for a file without episodes, and for an existing ``output`` that is not a
    page from skill-tools.
    """
    places = [Path(path) for path in paths]
    folders = [place for place in places if place.is_dir()]
    if folders and (len(places) > 1 or output):
        raise SkillToolsError(
            f"{folders[0]} is a folder, whose page is part of its report\n"
            "    fix: name only the folder, without --output, or name trajectory files"
        )
    if folders:
        return renew_pages(find_environment(folders[0]))
    found = _read(places)
    page = output or places[0].with_name(f"{_stem(places[0])}.html")
    _refuse_other(page)
    names = list(dict.fromkeys(each.environment or "episodes" for each in found))
    origin = f"of {', '.join(place.name for place in places)}"
    write_whole(page, write_page(Contents(", ".join(names), read=found, origin=origin)))
    return page


def write_logs(paths: Sequence[Path | str], output: Path) -> list[Path]:
    """Write the episodes as logs for `inspect view`, one log for each combination of environment, model and variant.

    ``paths`` are trajectory files, or the folder of an environment, which stands for all episodes of its last
    report. Raises the errors of ``write_inspect_log``, and SkillToolsError for any other path.
    """
    found: list[Trajectory] = []
    for place in map(Path, paths):
        if place.is_dir():
            kept = read_evidence(find_environment(place)).evidence
            found += [episode for each in kept for episode in each.every]
        else:
            found += _read([place])
    return write_inspect_log(found, output)


def _read(places: Sequence[Path]) -> list[Trajectory]:
    """Return all episodes in some files."""
    found: list[Trajectory] = []
    for place in places:
        if not place.is_file():
            raise SkillToolsError(
                f"{place} does not exist\n    fix: name a trajectory file, such as runs/*.jsonl.gz, "
                "or the folder of an environment"
            )
        episodes = read(place)
        if not episodes:
            raise SkillToolsError(
                f"{place} contains no episode\n    fix: name a file with episodes"
            )
        found += episodes
    return found


def _stem(place: Path) -> str:
    return place.name.removesuffix(PACKED).removesuffix(".jsonl")


def _refuse_other(page: Path) -> None:
    """Raise SkillToolsError if the path is a file that skill-tools did not write, or if its folder is missing."""
    if not page.parent.is_dir():
        raise SkillToolsError(f"{page.parent} is not a folder\n    fix: create it, or name another")
    if page.exists() and not (page.is_file() and OURS in page.read_text("utf-8", "replace")[:2000]):
        raise SkillToolsError(
            f"{page} exists and was not written by skill-tools: nothing was written\n"
            "    fix: name another file with --output"
        )
