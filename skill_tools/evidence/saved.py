"""Evidence on disk, saved after play so that an environment can be judged again without playing."""

from __future__ import annotations

import functools
import gzip
import hashlib
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel, TypeAdapter, ValidationError

from skill_tools import __version__
from skill_tools.errors import SkillToolsError
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.images.kept_pictures import drop_others, name_pictures, show_pictures
from skill_tools.files import (
    ANSWERS_FILE,
    CLAIMS_FILE,
    EXAMPLES_FILE,
    READINGS_FILE,
    SPEC_FILE,
    find_named,
    write_whole,
)
from skill_tools.spec.model import EnvSpec

EVIDENCE_FILE = "evidence.json.gz"
FORMAT = 2
"""The version of the file format; incremented when older files can no longer be read."""
PLAY_AGAIN = "fix: play again, with `skill-tools build` or `validate` (an `audit` with --output)"


@dataclass(frozen=True)
class Saved:
    """Saved evidence, with one item for each split that was played, in order.

    ``skill_tools`` is the version that played the episodes, and ``at`` is the time of saving, in UTC.
    """

    format: int
    skill_tools: str
    at: datetime
    evidence: list[Evidence]

    @property
    def origin(self) -> str:
        """Return a phrase with the day and the version of the saved episodes."""
        return f"episodes played on {self.at:%Y-%m-%d} by skill-tools {self.skill_tools}"


class _Version(BaseModel):
    """The fields that every format of saved evidence has."""

    format: int
    skill_tools: str


def write(path: Path, evidence: Sequence[Evidence]) -> None:
    """Save the evidence of all splits in one file, atomically, with the pictures next to the file.

    The folder must exist.
    """
    now = datetime.now(UTC).replace(microsecond=0)
    saved = Saved(FORMAT, __version__, now, list(evidence))
    # The folder is left out: an environment may be moved.
    where = {"evidence": {"__all__": {"folder"}}}
    plain = _saved().dump_python(saved, mode="json", by_alias=True, exclude=where)
    # Not pydantic's own JSON, which writes null for a reward that is not a number.
    text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
    text = name_pictures(text, path.parent)
    write_whole(path, gzip.compress(text.encode("utf-8", "replace"), 6))
    drop_others(path.parent, text)


def read(path: Path, folder: Path | None = None) -> list[Evidence]:
    """Read the evidence of each split that was played; see ``read_saved``."""
    return read_saved(path, folder).evidence


def read_saved(path: Path, folder: Path | None = None) -> Saved:
    """Read saved evidence of the environment in ``folder``.

    Raises SkillToolsError if the file is missing, incomplete or in another format.
    """
    try:
        text = gzip.decompress(path.read_bytes()).decode()
        version = _Version.model_validate_json(text)
    except FileNotFoundError as error:
        raise SkillToolsError(
            f"{path} does not exist: no evidence was saved\n    {PLAY_AGAIN}"
        ) from error
    except (EOFError, gzip.BadGzipFile, zlib.error, UnicodeError, ValidationError) as error:
        raise SkillToolsError(
            f"{path} is incomplete, or does not hold evidence\n    {PLAY_AGAIN}"
        ) from error
    by = f"{path} has format {version.format}, saved by skill-tools {version.skill_tools}"
    if version.format != FORMAT:
        raise SkillToolsError(f"{by}; this version reads format {FORMAT}\n    {PLAY_AGAIN}")
    try:
        saved = _saved().validate_json(show_pictures(text, path.parent))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise SkillToolsError(
            f"{by}, and broken: {place}: {first['msg']}\n    {PLAY_AGAIN}"
        ) from error
    return replace(saved, evidence=[replace(each, folder=folder) for each in saved.evidence])


def hash_sources(spec: EnvSpec, folder: Path) -> dict[str, str]:
    """Return a hash of each of the author's files, by path; "" for a missing file."""
    oracle = f"{spec.oracle.partition(':')[0]}.py"
    readers = (READINGS_FILE, CLAIMS_FILE, ANSWERS_FILE)
    named = [SPEC_FILE, EXAMPLES_FILE, *readers, oracle, *spec.domain_files]
    paths = [
        found.relative_to(folder).as_posix() for name in named for found in find_named(folder, name)
    ]
    return {path: _hash(folder / path) for path in dict.fromkeys(paths)}


def changed_sources(evidence: Evidence) -> list[str]:
    """Return the author's files that changed since the episodes were played."""
    folder, sources = evidence.folder, evidence.sources or {}
    return [path for path, was in sources.items() if folder and _hash(folder / path) != was]


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.is_file() else ""


@functools.cache
def _saved() -> TypeAdapter[Saved]:
    # Made on first use: it is slow, and most commands save nothing.
    return TypeAdapter(Saved)
