"""Map the arguments of a foreign reward function to data, by the names that trainers use.

Runs in the venv of an audit, without skill-tools: standard library only. The names come from the released
sources:

- TRL 1.16: `reward_funcs` with prompts, completions, completion_ids, a list for each column, log_metric,
  log_extra and trainer_state.
- verl 0.9.1: `compute_score` with data_source, solution_str, ground_truth, extra_info, and arguments from
  verl's configuration. The batch manager passes lists of these values.
- OpenRLHF 0.11: `reward_func` with queries, prompts and labels.
- NeMo RL: `verify` with pred_responses and ground_truths, or a function with ground_truth and response.
- rLLM: a function with task_info and action, or an evaluator with task or metadata, and episode or
  trajectory.
"""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from audit_bounds import Broken
from audit_hooks import LACKING, Action, rllm_arguments, trl_hooks

GOLD = (
    *("ground_truth", "answer", "gold", "label", "target", "solution", "expected", "reference"),
    *("gold_answer", "correct_answer", "final_answer", "expected_answer", "reference_answer"),
    *("answers", "labels", "targets", "solutions", "ground_truths"),
)
"""Columns with the correct answer, the most specific first."""
QUESTION = ("prompt", "question", "problem", "query", "input", "instruction", "text", "messages")
"""Columns with the question, the most specific first."""
SAID = frozenset(
    {"completion", "response", "answer", "output", "prediction", "solution_str", "reply"}
    | {"model_output", "generated_text", "generation", "predicted", "pred", "text", "action"}
)
"""Parameters for the model's reply, if the function takes one answer."""
ROW = frozenset(
    {"row", "task", "example", "sample", "item", "info", "data", "metadata", "doc", "task_info"}
)
"""Parameters for the whole row."""
TRL = frozenset({"completions", "completion_ids", "prompts"})
"""Lists that TRL passes by name; OpenRLHF also passes ``prompts``."""
OTHERS = {
    "OpenRLHF": frozenset({"queries", "responses", "labels"}),
    "verl": frozenset({"solution_strs", "data_sources", "ground_truths", "extra_infos"}),
    "NeMo RL": frozenset({"pred_responses", "ground_truths"}),
}
"""Names of the same lists in other trainers."""
LISTS = frozenset({"queries", "responses", "solution_strs", "pred_responses"})
"""Names of which any shows that a function scores several replies at once."""
EVALUATES = frozenset({"episode", "trajectory"})
"""Parameters of an rLLM evaluator in place of a reply."""
ONE_REPLY = frozenset({"solution_str"})
"""Parameters of verl's functions, which return a number or a dict, and never a pair."""
SCORES = ("score", "reward", "rewards", "scores")
"""Names of the reward in a dict that a function returns."""
WANTED = frozenset({*GOLD, "gt", "truth", "correct"}) - {"answer", "solution"}
"""Parameters for the correct answer; those that may also mean the model's reply are decided last."""


def question_of(row: Mapping[str, Any]) -> Any:
    """Return a row's question: a text or chat messages. Raise Broken if no column holds a question."""
    for name in QUESTION:
        if row.get(name):
            return row[name]
    named = ", ".join(map(str, row)) or "none"
    raise Broken(
        "rows",
        f"no column has the question: the audit looked for {QUESTION}; the columns are {named}",
    )


def gold_of(row: Mapping[str, Any]) -> Any:
    """Return a row's correct answer, or None if no column holds an answer."""
    nested = row.get("reward_model")
    if isinstance(nested, dict) and "ground_truth" in nested:  # rows for verl
        return nested["ground_truth"]
    return next((row[name] for name in GOLD if name in row), None)


def as_messages(question: Any) -> list[dict[str, Any]]:
    """Return a question as chat messages."""
    if isinstance(question, str):
        return [{"role": "user", "content": question}]
    return [dict(each) for each in question]


def takes_batches(function: Callable[..., Any]) -> bool:
    """Return whether a function scores several completions at once.

    A function that accepts only ``*args`` or ``**kwargs`` is treated as a TRL function, which scores batches.
    """
    parameters = inspect.signature(function).parameters
    by_name = [p.kind for p in parameters.values()]
    anything = bool(by_name) and set(by_name) <= {
        inspect.Parameter.VAR_KEYWORD,
        inspect.Parameter.VAR_POSITIONAL,
    }
    return anything or bool((TRL | LISTS) & parameters.keys())


def is_async(function: Callable[..., Any]) -> bool:
    """Return whether a trainer awaits the function's result.

    All calls of an async function share one event loop, and no call runs on another thread.
    """
    called = vars(type(function)).get("__call__")
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(called)


def keys_of(function: Callable[..., Any]) -> set[str]:
    """Return the keys that a function's code reads from keyword arguments, as in `kwargs["key"]`."""
    parameters = inspect.signature(function).parameters.values()
    names = {p.name for p in parameters if p.kind is p.VAR_KEYWORD} | {"extra_info"}
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):
        return set()
    return {
        node.slice.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Name)
        and node.value.id in names
        and isinstance(node.slice, ast.Constant)
        and isinstance(node.slice.value, str)
    }


def arguments_of(
    function: Callable[..., Any],
    pairs: Sequence[tuple[dict[str, Any], str]],
    more: Mapping[str, Any] | None = None,
) -> tuple[list[Any], dict[str, Any]]:
    """Return the positional and keyword arguments for one call of a reward function.

    Args:
        function: The reward function to call.
        pairs: The rows with their completions. Only the last pair is used unless the function takes batches.
        more: Arguments for all calls, such as verl's ``reward_kwargs``.

    Raises:
        Broken: If the function requires an unknown argument.
    """
    parameters = inspect.signature(function).parameters
    batch = takes_batches(function)
    given = _batch(pairs) if batch else _single(parameters, *pairs[-1])
    given |= more or {}
    taken, every = {}, any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    for name, parameter in parameters.items():
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            continue
        if name in given:
            taken[name] = given[name]
        elif parameter.default is parameter.empty:
            known = ", ".join(sorted(given))
            raise Broken(
                LACKING,
                f"a value for its argument {name!r}, which the audit does not have (use --arg "
                f"{name}=VALUE); the audit has: {known}",
            )
    left_out = _of_others(parameters.keys()) - pairs[-1][0].keys() if batch else frozenset()
    rest = {n: value for n, value in given.items() if n not in taken and n not in left_out}
    rest = rest if every else {}
    places = [p for p in parameters.values() if p.kind is p.POSITIONAL_ONLY and p.name in taken]
    first = [taken.pop(each.name) for each in places]
    return first, {**taken, **rest}


def _of_others(names: AbstractSet[str]) -> frozenset[str]:
    """Infer the trainer from the parameter names. Return the argument names that only other trainers use."""
    others = frozenset().union(*OTHERS.values())
    mine = next((each for each in OTHERS.values() if LISTS & each & names), None)
    if mine is None or names & (TRL - {"prompts"}):
        return others
    return (others - mine) | (TRL - {"prompts"}) | trl_hooks().keys()


def _batch(pairs: Sequence[tuple[dict[str, Any], str]]) -> dict[str, Any]:
    """Return the arguments for a function that scores a batch."""
    rows = [row for row, _ in pairs]
    said = [text for _, text in pairs]
    questions = [question_of(row) for row in rows]
    chat = [not isinstance(question, str) for question in questions]
    columns = {name: [row.get(name) for row in rows] for name in rows[-1]}
    golds = [gold_of(row) for row in rows]
    return {
        "data_sources": [row.get("data_source", "") for row in rows],
        "extra_infos": [_extra_info(row) for row in rows],
        "ground_truths": golds,
        **columns,
        "prompts": questions,
        "completions": [
            [{"role": "assistant", "content": text}] if is_chat else text
            for text, is_chat in zip(said, chat, strict=True)
        ],
        **dict.fromkeys(("responses", "solution_strs", "pred_responses"), said),
        "queries": [f"{_as_text(q)}{text}" for q, text in zip(questions, said, strict=True)],
        "labels": columns.get("labels", golds),
        "completion_ids": [list(text.encode()) for text in said],
        **trl_hooks(),
    }


def _single(parameters: Mapping[str, Any], row: dict[str, Any], said: str) -> dict[str, Any]:
    """Return the arguments for a function that scores one completion."""
    gold, question = gold_of(row), question_of(row)
    given: dict[str, Any] = {"question": question, "prompt": question, **row}
    given |= {name: row.get(name, row) for name in ROW}
    given |= {name: row.get(name, gold) for name in WANTED & parameters.keys()}
    given |= {"data_source": row.get("data_source", ""), "extra_info": _extra_info(row)}
    if EVALUATES & parameters.keys():
        return given | rllm_arguments(row, question, said)
    names = [name for name in parameters if name in SAID]
    # "answer" and "solution" are the model's if nothing else is.
    clear = [name for name in names if name not in ("answer", "solution")]
    mine = next(iter(clear or names), None)
    if mine is None:  # the first parameter without a column, as in `score(x, row)`
        mine = next((n for n in parameters if n not in given), next(iter(parameters), None))
    for name in names:
        given[name] = row.get(name, gold)
    reply = Action(said) if mine == "action" else said
    return {**given, mine: reply} if mine else given


def _extra_info(row: Mapping[str, Any]) -> Any:
    """Return a row's ``extra_info`` with the fields that verl adds: a turn count of two, and empty rollout scores."""
    own = row.get("extra_info")
    if own is not None and not isinstance(own, dict):
        return own
    return {**(own or {}), "num_turns": 2, "rollout_reward_scores": {}}


def _as_text(question: Any) -> str:
    if isinstance(question, str):
        return question
    return "\n".join(str(each.get("content", "")) for each in question)


def as_reward(returned: Any, of: int = 1, at: int = -1, *, pairs: bool = False) -> Any:
    """Extract one reward from a function's result, which may be a number, a list, a tensor or a dict with a score.

    Args:
        returned: The function's result.
        of: The expected number of rewards.
        at: The index of the reward; by default, the last reward is returned.
        pairs: Whether a tuple may consist of a reward and a correctness flag, as in NeMo RL and rLLM.

    Raises:
        Broken: If the number of rewards is not ``of``, or is zero.
    """
    for _ in range(4):
        if isinstance(returned, dict):
            names = [n for n in SCORES if n in returned]
            if not names:
                said = json.dumps(sorted(map(str, returned)))[:200]
                raise Broken("reward", f"it returned fields without a score or reward: {said}")
            returned = returned[names[0]]
        elif hasattr(returned, "tolist"):
            returned = returned.tolist()
        elif pairs and _is_pair(returned):
            returned = returned[0]
        elif isinstance(returned, list | tuple) and returned:
            if len(returned) != of:
                raise Broken("reward", f"it returned {len(returned)} rewards for {of} completions")
            returned, of, at = returned[at], 1, -1
        elif hasattr(returned, "reward"):  # rLLM's RewardOutput and EvalOutput
            returned = returned.reward
        else:
            break
    return returned


def returns_pairs(function: Callable[..., Any]) -> bool:
    """Return whether the function may return a pair of a reward and a correctness flag."""
    names = inspect.signature(function).parameters.keys()
    return not takes_batches(function) and not names & ONE_REPLY


def _is_pair(returned: Any) -> bool:
    return (
        isinstance(returned, tuple)
        and len(returned) == 2
        and (returned[1] is None or type(returned[1]).__name__ in ("bool", "bool_"))
    )
