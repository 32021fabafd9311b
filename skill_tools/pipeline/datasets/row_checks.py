"""Data set checks, which read, compare and judge rows without playing an environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter

from skill_tools.errors import SkillToolsError
from skill_tools.evidence.declaration import Declaration
from skill_tools.evidence.evidence import AuditRun, Evidence
from skill_tools.graders.datasets.files import rows_of
from skill_tools.graders.datasets.survey import survey_stream
from skill_tools.report.outcome import Outcome, judge


def check_data(
    files: str | Path | Sequence[str | Path] = (),
    *,
    splits: Mapping[str, str | Path] | None = None,
    question: str | None = None,
    answer: str | None = None,
    against: Sequence[str | Path] = (),
    solver: str | None = None,
) -> Outcome:
    """Check the rows of a data set for copies, leaks between splits, and wrong or empty labels.

    ``files`` are JSON lines, JSON, CSV or Parquet (which needs pyarrow). A file name (``train.jsonl``) or a row's
    field ``split`` gives the split, unless ``splits`` names the split. ``question`` and ``answer`` are the names
    of the fields; by default, common names are tried. ``against`` are files whose texts must not be in the rows.
    ``solver`` is path.py:function, which receives a row and returns its answer; it runs in another process with
    your rights, for at most a minute. Raises SkillToolsError, naming the file or line, if a file cannot be read.
    """
    began = perf_counter()
    several = [files] if isinstance(files, str | Path) else files
    paths = [Path(each) for each in several]
    named = [(split, Path(path)) for split, path in (splits or {}).items()]
    _refuse_itself([*paths, *(path for _, path in named)], against)
    survey = survey_stream(
        rows_of(paths, named), question=question, answer=answer, against=against, solver=solver
    )
    names = [path.name for path in (*paths, *(path for _, path in named))]
    title = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    declared = Declaration(name=names[0].partition(".")[0], title=title)
    return judge(Evidence(declared, audit=AuditRun(rows=survey), seconds=perf_counter() - began))


def _refuse_itself(paths: Sequence[Path], against: Sequence[str | Path]) -> None:
    """Raise SkillToolsError if a file is compared with itself: every row would be found in the file."""
    own = {path.resolve() for path in paths}
    for each in against:
        if Path(each).resolve() in own:
            raise SkillToolsError(
                f"{each} is given both as a file of rows and with --against\n"
                "    fix: name it only once, as a split, to compare it with the others"
            )
