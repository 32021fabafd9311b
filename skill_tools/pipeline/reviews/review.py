"""Reviews from a brief to a verdict: the reader's brief, the played claims, and the second reader's questions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from skill_tools.audit.options import AuditOptions
from skill_tools.audit.target import target_of
from skill_tools.errors import SkillToolsError
from skill_tools.evidence.declaration import Declaration
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.grading.reviewed import Review
from skill_tools.files import ANSWERS_FILE, CLAIMS_FILE, SPEC_FILE, find_environment, write_whole
from skill_tools.frameworks import rules
from skill_tools.pipeline.briefs import DEFAULT_TASKS, play_for_brief
from skill_tools.pipeline.collection import read_author_files
from skill_tools.pipeline.reviews.foreign_review import (
    describe_stage,
    function_file,
    reached_stage,
    review_target,
)
from skill_tools.pipeline.reviews.played_claims import review_domain
from skill_tools.pipeline.reviews.sources import author_files, foreign_files
from skill_tools.reference.children import kept
from skill_tools.reference.playbook import count_tasks
from skill_tools.report.brief.brief import describe
from skill_tools.report.brief.review_brief import (
    write_review_brief,
)
from skill_tools.report.brief.review_words import HEADING
from skill_tools.report.outcome import Outcome, judge
from skill_tools.rollouts.reader import ask_reader
from skill_tools.runtime.progress import Progress, silent
from skill_tools.spec.readers.claims import (
    Claim,
    Claims,
    SecondAnswer,
    SecondAnswers,
)
from skill_tools.spec.readers.salvaged import salvage_list

MOST_ROWS = 1_000
"""Maximum rows that a reader may name in an experiment."""
QUESTIONS_FILE = "questions.md"
"""The questions for a second reader, written next to the claims."""


@dataclass(frozen=True)
class Reviewed:
    """A review's outcome.

    Attributes:
        questions: The remaining questions for a second reader, as Markdown; "" if there are none.
        questions_file: The file with these questions, if it was written.
        left_out: The omitted parts of a model's claims or answers, with the reasons.
    """

    outcome: Outcome
    review: Review
    questions: str = ""
    questions_file: Path | None = None
    left_out: tuple[str, ...] = ()


def review_brief(
    target: str | Path,
    framework: str | None = None,
    options: AuditOptions | None = None,
    *,
    progress: Progress = silent,
) -> str:
    """Return the brief for a reader who sees code, prompts, rows, tools and sample episodes.

    ``target`` is the folder of an environment, or any target of ``audit``. Raises SkillToolsError if the target is
    invalid. If the target does not start, only its files are described.
    """
    if _is_ours(target):
        folder = find_environment(target)
        spec = rules.load(folder)
        with kept():
            sizes = count_tasks(spec, folder)
            tasks = play_for_brief(spec, folder, sizes, DEFAULT_TASKS)
        return write_review_brief(
            spec.title, str(folder), author_files(spec, folder), describe(spec, tasks, sizes)
        )
    asked = options or AuditOptions()
    found = target_of(target, framework, asked)
    folder = found.folder or Path.cwd()
    files = foreign_files(folder, function_file(found)) if found.folder else {}
    try:
        with reached_stage(found, asked, progress) as stage:
            sections = describe_stage(stage)
    except SkillToolsError as error:
        sections = [
            "## What an agent receives",
            "",
            f"The environment could not be started here: {error}",
            "",
        ]
    return write_review_brief(found.name, str(folder), files, sections)


def review(
    target: str | Path,
    claims: Path | None = None,
    options: AuditOptions | None = None,
    *,
    framework: str | None = None,
    progress: Progress = silent,
) -> Reviewed:
    """Play the experiments of a reader's claims, and judge the environment only by these experiments.

    ``claims`` is the reader's file, by default claims.yaml in the environment's folder. A second reader's answers are
    read from answers.yaml in the same folder, and questions for this reader are written to questions.md. Raises
    SpecError for a file that cannot be read, and SkillToolsError for a target that cannot be played.
    """
    asked = options or AuditOptions()
    if claims is None and not _is_ours(target):
        raise SkillToolsError(
            "a review needs the reader's claims\n    fix: name their file: --claims claims.yaml"
        )
    file = claims or find_environment(target) / CLAIMS_FILE
    if not file.is_file():
        raise SkillToolsError(
            f"there is no {file}\n    fix: run skill-tools review {target} --brief brief.md, give the brief to a "
            f"fresh agent, and save its reply as {file}"
        )
    if _is_ours(target):
        folder = find_environment(target)
        spec = rules.load(folder)
        seen, questions = review_domain(spec, folder, file, progress=progress)
        evidence = replace(read_author_files(spec, folder), review=seen)
    else:
        found = target_of(target, framework, asked)
        seen, questions = review_target(found, file, asked, progress)
        evidence = Evidence(Declaration(name=found.name), review=seen)
    asking = file.with_name(QUESTIONS_FILE) if questions else None
    if asking:
        if asking.is_file() and not asking.read_text("utf-8", "replace").startswith(HEADING):
            raise SkillToolsError(
                f"{asking} does not come from an earlier review, so it is not overwritten\n"
                "    fix: put the claims into another folder, and name them with --claims"
            )
        write_whole(asking, questions)
    return Reviewed(judge(evidence), seen, questions, asking)


def write_brief_file(file: Path, text: str) -> None:
    """Write a brief to a file. Raises SkillToolsError if the file cannot be written."""
    if file.is_dir() or not file.absolute().parent.is_dir():
        raise SkillToolsError(
            f"{file} cannot be written: it is a folder, or its folder does not exist\n"
            "    fix: name a file in an existing folder, such as brief.md"
        )
    write_whole(file, text)


def review_with(
    target: str | Path,
    model: str,
    base_url: str,
    options: AuditOptions | None = None,
    *,
    framework: str | None = None,
    folder: Path | None = None,
    max_tokens: int | None = None,
    progress: Progress = silent,
) -> Reviewed:
    """Let a model read the brief, and let the same model answer the questions without any memory of the brief.

    Writes claims.yaml and answers.yaml into ``folder``, by default the environment's folder. Raises
    SkillToolsError if one of these files exists, or if a reply of the model cannot be read.
    """
    place = folder or (find_environment(target) if _is_ours(target) else None)
    if place is None:
        raise SkillToolsError(
            "no folder was given for the claims\n    fix: name one with --output-dir DIR"
        )
    for name in (CLAIMS_FILE, ANSWERS_FILE):
        if (place / name).exists():
            raise SkillToolsError(
                f"{place / name} exists and may be somebody's work\n    fix: move or delete the file"
            )
    progress("review", f"{model} reads")
    said = ask_reader(review_brief(target, framework, options), model, base_url, max_tokens)
    found = salvage_list(said, model, Claims, "claims", Claim)
    place.mkdir(parents=True, exist_ok=True)
    write_whole(place / CLAIMS_FILE, found.text)
    first = review(target, place / CLAIMS_FILE, options, framework=framework, progress=progress)
    if not first.questions:
        return replace(first, left_out=tuple(found.left_out))
    progress("review", f"{model} answers as a second reader")
    said = ask_reader(first.questions, model, base_url, max_tokens)
    answers = salvage_list(said, model, SecondAnswers, "answers", SecondAnswer)
    write_whole(place / ANSWERS_FILE, answers.text)
    last = review(target, place / CLAIMS_FILE, options, framework=framework, progress=progress)
    return replace(last, left_out=tuple(found.left_out + answers.left_out))


def _is_ours(target: str | Path) -> bool:
    path = Path(target)
    return path.name == SPEC_FILE or (path / SPEC_FILE).is_file()
