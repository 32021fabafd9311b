"""Functions that find the fields with a row's question and answer, and read their texts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from skill_tools.errors import SkillToolsError, nearest

Row = Mapping[str, Any]
OF_NEMO = "responses_create_params"
"""The field of a NeMo Gym row with the request to the model; the server receives all other fields."""
QUESTIONS = (
    f"{OF_NEMO}.input", "question", "problem", "prompt", "instruction", "query", "input", "task", "text", "messages",
    "conversations", "premise", "sentence", "sentence1", "extra_info.question", "content",
)  # fmt: skip
"""Names of the question in NeMo Gym, TRL, verl, OpenRLHF and public datasets; the first one with a value counts."""
ANSWERS = (
    "answer", "final_answer", "ground_truth", "reward_model.ground_truth", "label", "target",
    "expected_answer", "expected_answers", "expected_output", "correct_answer", "gold", "gold_answer", "expected",
    "reference_answer", "answers", "answerkey", "output", "outputs", "solution", "reference", "response", "completion",
    "extra_info.answer", "correct", "target_scores",
)  # fmt: skip
"""Names of the answer; again the first one found counts."""
ANSWER_NAMES = re.compile(
    r"(?i)(?:gold|expected)|(?:answer|solution|label|target)s?(?:_?(?:word|number|code|text|value|letter|key|list))?$"
)
"""Matches other names of the answer, such as ``lSolutions``; ``target_color`` and ``answer_type`` describe it."""
QUESTION_NAMES = re.compile(r"(?i)question|problem|prompt")
"""Matches other names of the question, such as ``sQuestion``."""
CONTEXT = frozenset(
    {
        "context", "passage", "paragraph", "document", "article", "choices", "options", "image",
        "images", "audio", "video", "table", "schema", "premise", "hypothesis", "sentence", "sentence1", "sentence2",
        "text", "code", "input", "instruction", "system", "system_prompt", "starter_code",
        "history", "facts", "story", "body", "source_text", "target_language", "lang", "language",
    }
)  # fmt: skip
"""Names of a question's context: the same question with a different context is a different question."""
NAMES = frozenset(
    {"id", "idx", "index", "uid", "uuid", "guid", "key", "hash", "split", "url", "agent_ref"}
)
"""Names of fields that only name a row."""
ABOUT = NAMES | frozenset(
    {
        "source", "data_source", "dataset",
        "subset", "difficulty", "level", "category", "subject", "topic", "type", "tags",
        "metadata", "meta", "ability", "license", "date", "created", "author", "task_id", "extra_info",
        "rationale", "explanation", "reasoning", "cot", "score", "reward_model", "test", "tests", "env",
        "weight", "name", "title", "info", "unnamed: 0",
    }
)  # fmt: skip
"""Names of fields that describe a row but contain no question."""
EMPTY: tuple[Any, ...] = (None, "", [])
"""Values of a field that has nothing in it."""
SAMPLE = 300
"""Number of rows from which the fields are guessed."""
REPEATED = 0.5
"""Share of equal questions in the sample from which part of the question must be in other fields."""


@dataclass(frozen=True)
class Fields:
    """The names of the fields that hold a row's question, its context and its answer, such as
    ``reward_model.ground_truth``.

    ``options`` states whether rows have a field with possible answers; ``rest`` names the other
    fields.
    """

    question: str
    answer: str
    context: tuple[str, ...] = ()
    options: bool = False
    rest: tuple[str, ...] = ()

    def question_of(self, row: Row) -> str:
        """Return the question as one text; if the question is a list of messages, join all except the answer."""
        return told(at(row, self.question), self.question)

    def context_of(self, row: Row) -> str:
        """Return the texts of the context fields, one per line."""
        return "\n".join(text for name in self.context if (text := told(at(row, name), name)))

    def answer_of(self, row: Row) -> Any:
        """Return the answer unchanged; if the answer is a list of messages, return the last message's content."""
        value = at(row, self.answer) if self.answer else None
        return _content(value[-1]) if value and _is_messages(value) else value


def guess_fields(rows: Sequence[Row], question: str | None, answer: str | None) -> Fields:
    """Guess which fields hold the question and the answer; names from the user take precedence.

    Raises SkillToolsError if no row has a given name, or if no field holds a question.
    """
    names = list(dict.fromkeys(name for row in rows for name in row))
    for wanted in filter(None, (question, answer)):
        if not any(_has(row, wanted) for row in rows):
            raise SkillToolsError(
                f"no row has a field {wanted!r}{nearest(wanted, map(str, names))}"
            )
    asked = question or _first(QUESTIONS, names, rows)
    asked = asked or _named_like(QUESTION_NAMES, names, rows) or _longest(rows, names)
    if not asked:
        raise SkillToolsError(
            f"no field of the rows holds a question; the fields are: {', '.join(map(str, names)) or 'none'}\n"
            "    fix: name it with --question FIELD"
        )
    own = asked.partition(".")[0]
    given = answer or _first([n for n in ANSWERS if n != asked.lower()], names, rows)
    if not given and _answers_itself(rows, asked):
        given = asked
    given = given or _named_like(ANSWER_NAMES, [n for n in names if n != asked], rows)
    roots = {own, given.partition(".")[0]}
    others = [n for n in names if n not in roots and isinstance(n, str)]
    context = [n for n in others if n.lower() in CONTEXT]
    skipped: AbstractSet[str] = ABOUT | {*ANSWERS}
    if own == OF_NEMO:
        context += [f"{own}.instructions", f"{own}.metadata"]
        skipped = NAMES
    rest = [n for n in others if n not in context and not _is_about(n, skipped)]
    seen = Fields(asked, given, tuple(context), _offers(names), tuple(rest))
    keys = [seen.question_of(row) + "\n" + seen.context_of(row) for row in rows]
    if len(set(keys)) <= len(keys) * REPEATED and len(keys) > 1:
        more = tuple(name for name in rest if len({repr(row.get(name)) for row in rows}) > 1)
        return Fields(asked, given, (*context, *more), seen.options, more)
    return seen


def at(row: Row, path: str) -> Any:
    """Return the value of a field, such as ``answer`` or ``reward_model.ground_truth``; None without this field."""
    if path in row:
        return row[path]
    value: Any = row
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def told(value: Any, name: str = "") -> str:
    """Return a value as one text: messages without a final answer of the model, or other data as Python prints it."""
    if value is None or isinstance(value, str):
        return value or ""
    if _is_messages(value):
        last = len(value) - 1
        said = [m for n, m in enumerate(value) if not (n == last and _speaker(m) in MODELS and n)]
        return "\n".join(_content(each) for each in said)
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return "\n".join(value)
    return repr(value)


MODELS = ("assistant", "gpt", "model", "bot")
"""Roles of a message that is an answer, in the usual formats."""


def _speaker(message: Mapping[str, Any]) -> str:
    return str(message.get("role", message.get("from", "")))


def _content(message: Mapping[str, Any]) -> str:
    content = message.get("content", message.get("value"))
    if isinstance(content, list):
        return "\n".join(
            str(part.get("text") or part) if isinstance(part, Mapping) else str(part)
            for part in content
        )
    return content if isinstance(content, str) else ""


def _is_messages(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(each, Mapping) and ({"role", "from"} & each.keys()) for each in value)
    )


def _answers_itself(rows: Sequence[Row], name: str) -> bool:
    """Return whether a field is, in all rows, a conversation that ends with the model's answer."""
    values = [at(row, name) for row in rows]
    ended = [v for v in values if _is_messages(v) and len(v) > 1 and _speaker(v[-1]) in MODELS]
    return bool(values) and len(ended) == len(values)


def _has(row: Row, path: str) -> bool:
    return path in row or at(row, path) is not None


def _first(wanted: Sequence[str], names: Sequence[Any], rows: Sequence[Row]) -> str:
    """Return the first of the ``wanted`` fields that has a value in some row, in the rows' own spelling."""
    spelled = {str(name).lower(): str(name) for name in names}
    for name in wanted:
        head, dot, tail = name.partition(".")
        own = f"{spelled[head]}{dot}{tail}" if head in spelled else ""
        if own and any(at(row, own) not in EMPTY for row in rows):
            return own
    return ""


def _named_like(wanted: re.Pattern[str], names: Sequence[Any], rows: Sequence[Row]) -> str:
    """Return the first field whose name matches the pattern and that has a value in some row; "" if there is none."""
    for name in map(str, names):
        named = wanted.search(name) and not _is_about(name)
        if named and any(at(row, name) not in EMPTY for row in rows):
            return name
    return ""


def _longest(rows: Sequence[Row], names: Sequence[Any]) -> str:
    """Return the field with the longest texts, or "" if no field holds texts."""
    sizes = {
        str(name): sum(len(row[name]) for row in rows if isinstance(row.get(name), str))
        for name in names
        if not _is_about(str(name)) and str(name).lower() not in ANSWERS
    }
    best = max(sizes, key=lambda name: sizes[name], default="")
    return best if sizes.get(best) else ""


def _is_about(name: str, names: AbstractSet[str] = ABOUT | {*ANSWERS}) -> bool:
    low = name.lower()
    return low in names or low.endswith(("_id", "_idx", "_url", "index")) or low[:2] == "__"


def _offers(names: Sequence[Any]) -> bool:
    return any(str(name).lower() in ("choices", "options", "candidates") for name in names)
