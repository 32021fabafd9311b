"""Functions that make an environment from existing rows: one question, one message, one score per task."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from skill_tools.archetypes.row_templates import AnswerKind, render_rows
from skill_tools.archetypes.scaffold import NewEnvironment, write_new
from skill_tools.errors import SkillToolsError
from skill_tools.graders.datasets.fields import SAMPLE, Fields, guess_fields
from skill_tools.graders.datasets.files import rows_of

HELD_OUT = 10
"""If the rows have one split, every tenth of them becomes the test split."""
LONGEST_TEXT = 60
"""Maximum characters of an answer that is compared as a text."""
OPTIONS = ("choices", "options")
"""Fields with the choices of a question, which are shown one per line."""
SUFFIXES = (".jsonl", ".json", ".csv", ".tsv", ".parquet", ".jsonl.gz", ".csv.gz")
_NUMBER = re.compile(r"[-+]?\$?[0-9][0-9,]*(?:\.[0-9]+)?%?")
_LATEX = re.compile(r"\\[a-z]{2,}|\^[{\d]|\$[^$]+\$")
LONGEST_EXPRESSION = 200
"""Maximum characters of an answer that is compared as a LaTeX expression."""
_LETTER = re.compile(r"\(?([A-Za-z])[).]?")


@dataclass(frozen=True)
class RowEnvironment:
    """A new environment, and the facts that were derived from the rows.

    ``question`` and ``answer`` are fields of the rows, ``kind`` says how answers are compared, and
    ``splits`` has the number of tasks by split.
    """

    made: NewEnvironment
    question: str
    answer: str
    kind: AnswerKind
    splits: Mapping[str, int]


def new_from_rows(
    folder: Path | str,
    data: Path | str,
    name: str | None = None,
    *,
    question: str | None = None,
    answer: str | None = None,
) -> RowEnvironment:
    """Write a single-turn environment around the rows of a file or a folder of files.

    Raises SkillToolsError if the rows have no question or answer, or if no available grader can compare their
    answers; nothing is written in these cases.
    """
    folder, data = Path(folder), Path(data)
    rows = list(rows_of(_files(data)))
    if not rows:
        raise SkillToolsError(f"{data} has no rows\n    fix: name a file of questions and answers")
    fields = guess_fields([row for _, row in rows[:SAMPLE]], question, answer)
    if not fields.answer:
        raise SkillToolsError(
            f"no field of {data} looks like the answers\n    fix: name the field with --answer FIELD"
        )
    answers = [_final(fields.answer_of(row)) for _, row in rows]
    kind = _kind_of(answers, fields.answer)
    splits = _as_tasks(rows, answers, fields, kind)
    own = name or folder.name.replace("-", "_").lower()
    files = render_rows(own, own.replace("_", " ").title(), kind, len(rows), data.name)
    files |= {
        f"tasks/{split}.jsonl": "".join(
            json.dumps(task, ensure_ascii=False) + "\n" for task in tasks
        )
        for split, tasks in splits.items()
    }
    sizes = {split: len(tasks) for split, tasks in splits.items()}
    return RowEnvironment(write_new(folder, files), fields.question, fields.answer, kind, sizes)


def _files(data: Path) -> list[Path]:
    if not data.is_dir():
        return [data]
    found = sorted(path for path in data.rglob("*") if path.name.endswith(SUFFIXES))
    if not found:
        wanted = ", ".join(SUFFIXES)
        raise SkillToolsError(f"{data} has no file of rows\n    fix: name a folder with {wanted}")
    return found


def _final(value: Any) -> Any:
    """Return an answer without the worked solution before it, as in GSM8K's notation `... #### 42`."""
    if not isinstance(value, str):
        return value
    text = value.rpartition("####")[2].strip()
    if text[:1] in "[{":
        try:
            return json.loads(text)
        except ValueError:
            return text
    return text


def _kind_of(answers: Sequence[Any], field: str) -> AnswerKind:
    """Return the kind of comparison for these answers. Raises SkillToolsError if the answers need a custom grader."""
    if any(each is None or each == "" for each in answers):
        missing = next(at for at, each in enumerate(answers, 1) if each is None or each == "")
        raise SkillToolsError(
            f"row {missing} has no answer in {field!r}\n    fix: complete the rows, or remove those without an answer"
        )
    if all(isinstance(each, dict | list) for each in answers):
        return "json"
    texts = [str(each) for each in answers]
    if all(_NUMBER.fullmatch(each) for each in texts) and not any(
        isinstance(each, bool) for each in answers
    ):
        return "number"
    if all(_LETTER.fullmatch(each) for each in texts):
        return "choice"
    if any(map(_LATEX.search, texts)) and all(len(each) <= LONGEST_EXPRESSION for each in texts):
        return "latex"
    if all(len(each) <= LONGEST_TEXT and "\n" not in each for each in texts):
        return "text"
    longest = max(texts, key=len)
    raise SkillToolsError(
        f"the answers in {field!r} are long texts, such as {longest[:80]!r}, which cannot be graded by comparison\n"
        "    fix: name a field with numbers, choices, short texts or JSON by --answer FIELD, or start with\n"
        "    `skill-tools new DIR --archetype single-turn` and write the grader in world.py"
    )


def _as_tasks(
    rows: Sequence[tuple[str, Mapping[str, Any]]],
    answers: Sequence[Any],
    fields: Fields,
    kind: AnswerKind,
) -> dict[str, list[dict[str, Any]]]:
    """Return the rows as tasks by split, with unique ids that are taken from the rows if possible."""
    names = dict.fromkeys(_split_name(split) for split, _ in rows)
    alone = len(names) == 1 and len(rows) >= 2 * HELD_OUT
    plain = replace(fields, context=tuple(n for n in fields.context if n not in OPTIONS))
    splits: dict[str, list[dict[str, Any]]] = {}
    used: set[str] = set()
    for number, ((split, row), given) in enumerate(zip(rows, answers, strict=True)):
        held = alone and number % HELD_OUT == HELD_OUT - 1
        chosen = ("test" if held else "train") if alone else _split_name(split)
        own = row.get("id", row.get("task_id", f"{chosen}-{number:05}"))
        name = str(own) if str(own) not in used else f"{own}-{number}"
        used.add(name)
        context = plain.context_of(row)
        text = "\n".join(filter(None, [context, fields.question_of(row), _options(row)]))
        task = {"id": name, "question": text, "answer": _normal(given, kind)}
        splits.setdefault(chosen, []).append(task)
    return splits


def _split_name(split: str) -> str:
    return re.sub(r"[^A-Za-z0-9_]+", "_", split).strip("_") or "train"


def _options(row: Mapping[str, Any]) -> str:
    """Return the choices of a row, one per line with its letter; "" if the row has no choices."""
    found = next((row[name] for name in OPTIONS if name in row), None)
    if isinstance(found, Mapping) and isinstance(found.get("text"), list):
        labels: Iterable[Any] = found.get("label") or _letters(found["text"])
        return "\n".join(
            f"{label}. {text}" for label, text in zip(labels, found["text"], strict=False)
        )
    if isinstance(found, Mapping):
        return "\n".join(f"{label}. {text}" for label, text in found.items())
    if isinstance(found, list):
        return "\n".join(
            f"{label}. {text}" for label, text in zip(_letters(found), found, strict=False)
        )
    return ""


def _letters(items: Sequence[Any]) -> list[str]:
    return [chr(ord("A") + number) for number in range(len(items))]


def _normal(given: Any, kind: AnswerKind) -> Any:
    """Return an answer in the form that the grader compares."""
    if kind == "json":
        return given
    text = str(given)
    if kind == "number":
        return re.sub(r"[,$%+]", "", text)
    if kind == "latex":
        return text.strip("$ ")
    if kind == "choice":
        found = _LETTER.fullmatch(text)
        return found[1].upper() if found else text
    return text
