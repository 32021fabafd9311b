"""Which argument of somebody's reward function gets what: by its names, as trainers call them.

Run in the venv of an audit, where nothing of ours is installed: the standard library alone.
Sources: TRL's `reward_funcs` (prompts, completions, a list for each column), verl's `compute_score`
(data_source, solution_str, ground_truth, extra_info), OpenRLHF's `reward_func` (queries, prompts, labels).
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from audit_bounds import Broken

GOLD = (
    *("ground_truth", "answer", "gold", "label", "target", "solution", "expected", "reference"),
    *("gold_answer", "correct_answer", "final_answer", "expected_answer", "reference_answer"),
    *("answers", "labels", "targets", "solutions", "ground_truths"),
)
"""Columns that have the right answer, the most telling first."""
QUESTION = ("prompt", "question", "problem", "query", "input", "instruction", "text", "messages")
"""Columns that have the question, the most telling first."""
SAID = frozenset(
    {"completion", "response", "answer", "output", "prediction", "solution_str", "reply"}
    | {"model_output", "generated_text", "generation", "predicted", "pred", "text", "action"}
)
"""Parameters that get what the model wrote, where the function takes one answer."""
ROW = frozenset({"row", "task", "example", "sample", "item", "info", "data", "metadata", "doc"})
"""Parameters that get the whole row."""
OTHERS = frozenset({"responses", "queries", "labels"})
"""What OpenRLHF calls its arguments; a function that takes ``completions`` is TRL's, which has none of them."""
WANTED = frozenset({*GOLD, "gt", "truth", "correct"}) - {"answer", "solution"}
"""Parameters that get the right answer; those that may be the model's as well are decided last."""


def question_of(row: Mapping[str, Any]) -> Any:
    """The question of a row: a text or chat messages. Raises Broken where no column has one."""
    for name in QUESTION:
        if row.get(name):
            return row[name]
    named = ", ".join(map(str, row)) or "none"
    raise Broken("rows", f"no column has the question; looked for {QUESTION}, there are: {named}")


def gold_of(row: Mapping[str, Any]) -> Any:
    """The right answer of a row; None where no column has one."""
    nested = row.get("reward_model")
    if isinstance(nested, dict) and "ground_truth" in nested:  # verl's rows
        return nested["ground_truth"]
    return next((row[name] for name in GOLD if name in row), None)


def as_messages(question: Any) -> list[dict[str, Any]]:
    """A question as chat messages."""
    if isinstance(question, str):
        return [{"role": "user", "content": question}]
    return [dict(each) for each in question]


def takes_batches(function: Callable[..., Any]) -> bool:
    """Whether a function scores several completions at once."""
    return bool(
        {"completions", "queries", "responses"} & inspect.signature(function).parameters.keys()
    )


def arguments_of(
    function: Callable[..., Any], pairs: Sequence[tuple[dict[str, Any], str]]
) -> tuple[list[Any], dict[str, Any]]:
    """What the function is called with for completions of rows, of which it takes one unless it takes batches.

    By place and by name. Raises Broken for an argument of which nothing is known.
    """
    parameters = inspect.signature(function).parameters
    given = _batch(pairs) if takes_batches(function) else _single(parameters, *pairs[-1])
    taken, every = {}, any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    for name, parameter in parameters.items():
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            continue
        if name in given:
            taken[name] = given[name]
        elif parameter.default is parameter.empty:
            known = ", ".join(sorted(given))
            raise Broken("arguments", f"nothing is known for its argument {name!r}; known: {known}")
    others = OTHERS - pairs[-1][0].keys() if "completions" in taken else frozenset()
    more = {n: value for n, value in given.items() if n not in taken and n not in others}
    more = more if every else {}
    places = [p for p in parameters.values() if p.kind is p.POSITIONAL_ONLY and p.name in taken]
    first = [taken.pop(each.name) for each in places]
    return first, {**taken, **more}


def _batch(pairs: Sequence[tuple[dict[str, Any], str]]) -> dict[str, Any]:
    """The arguments of a function that scores a batch."""
    rows = [row for row, _ in pairs]
    said = [text for _, text in pairs]
    questions = [question_of(row) for row in rows]
    chat = [not isinstance(question, str) for question in questions]
    columns = {name: [row.get(name) for row in rows] for name in rows[-1]}
    return {
        **columns,
        "prompts": questions,
        "completions": [
            [{"role": "assistant", "content": text}] if is_chat else text
            for text, is_chat in zip(said, chat, strict=True)
        ],
        "responses": said,
        "queries": [f"{_as_text(q)}{text}" for q, text in zip(questions, said, strict=True)],
        "labels": columns.get("labels", [gold_of(row) for row in rows]),
        "completion_ids": [list(text.encode()) for text in said],
    }


def _single(parameters: Mapping[str, Any], row: dict[str, Any], said: str) -> dict[str, Any]:
    """The arguments of a function that scores one completion."""
    gold, question = gold_of(row), question_of(row)
    given: dict[str, Any] = {**row, "question": question, "prompt": question}
    given |= dict.fromkeys(ROW, row) | dict.fromkeys(WANTED & parameters.keys(), gold)
    given |= {"data_source": row.get("data_source", ""), "extra_info": row.get("extra_info")}
    names = [name for name in parameters if name in SAID]
    # "answer" and "solution" are the model's where nothing else is.
    clear = [name for name in names if name not in ("answer", "solution")]
    mine = next(iter(clear or names), None)
    if mine is None:  # the first that no column has, as `score(x, row)` has it
        mine = next((n for n in parameters if n not in given), next(iter(parameters), None))
    for name in names:
        given[name] = row.get(name, gold)
    return {**given, mine: said} if mine else given


def _as_text(question: Any) -> str:
    if isinstance(question, str):
        return question
    return "\n".join(str(each.get("content", "")) for each in question)


def as_reward(returned: Any, of: int = 1) -> Any:
    """The last reward in what a function returned for so many: a number, a list, a tensor, or a score among facts.

    Raises Broken for another number of them, or none.
    """
    for _ in range(4):
        if isinstance(returned, dict):
            names = [n for n in ("score", "reward", "rewards", "scores") if n in returned]
            if not names:
                said = json.dumps(sorted(map(str, returned)))[:200]
                raise Broken("reward", f"it returned facts without a score or reward: {said}")
            returned = returned[names[0]]
        elif hasattr(returned, "tolist"):
            returned = returned.tolist()
        elif isinstance(returned, list | tuple) and returned:
            if len(returned) != of:
                raise Broken("reward", f"it returned {len(returned)} rewards for {of} completions")
            returned, of = returned[-1], 1
        else:
            break
    return returned
