"""Functions that play a reader's claims on the domain of an environment, or on any other stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from skill_tools.evidence.grading.reviewed import Review
from skill_tools.files import ANSWERS_FILE, CLAIMS_FILE
from skill_tools.pipeline.reviews.second_reader import ask_again, with_answers
from skill_tools.pipeline.reviews.sources import author_files
from skill_tools.pipeline.reviews.stages import DomainStage, Stage
from skill_tools.pipeline.reviews.trials import play_claims
from skill_tools.reference.children import kept
from skill_tools.reference.playbook import count_tasks
from skill_tools.report.brief.review_brief import write_questions
from skill_tools.runtime.progress import Progress, silent
from skill_tools.spec.model import EnvSpec
from skill_tools.spec.readers.claims import Claims, SecondAnswers, read_answers, read_claims


def read_both(file: Path) -> tuple[Claims, SecondAnswers | None]:
    """Read a file of claims, and a second reader's answers next to this file. Raises SpecError for an invalid file."""
    claims = read_claims(file) or Claims()
    return claims, read_answers(file.with_name(ANSWERS_FILE))


def review_folder(spec: EnvSpec, folder: Path, progress: Progress = silent) -> Review | None:
    """Play the claims in an environment's folder; return None without a file of claims.

    Raises SpecError for an invalid file.
    """
    file = folder / CLAIMS_FILE
    return review_domain(spec, folder, file, progress=progress)[0] if file.is_file() else None


@kept()
def review_domain(
    spec: EnvSpec, folder: Path, file: Path, *, progress: Progress = silent
) -> tuple[Review, str]:
    """Play claims on the domain of an environment; return the review and the second reader's questions."""
    claims, answers = read_both(file)
    progress("domain", "testing a reader's claims")
    low, high = spec.reward.range
    nothing = max(low, min(0.0, high))
    stage = DomainStage(spec, folder, count_tasks(spec, folder), high, nothing)
    files = author_files(spec, folder)
    world = {name: files[name] for name in spec.domain_files if name in files}
    return play_review(stage, claims, answers, list(files), world)


def play_review(
    stage: Stage,
    claims: Claims,
    answers: SecondAnswers | None,
    names: Sequence[str],
    world: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Review, str]:
    """Play claims on a stage; return the review and the remaining questions for a second reader.

    ``names`` are the files that a reader should have read. ``world`` are the files that show hidden facts to a
    second reader.
    """
    stage.top = stage.top if claims.top is None else claims.top
    stage.nothing = stage.nothing if claims.nothing is None else claims.nothing
    played = play_claims(stage, claims.claims)
    read = {name.strip() for name in claims.read}
    seen = Review(
        claims.reader,
        answers.reader or "somebody" if answers else "",
        with_answers(played, claims.claims, answers),
        tuple(name for name in names if name not in read),
    )
    asked = ask_again(stage, seen, claims.claims)
    return seen, write_questions(asked, world) if asked else ""
