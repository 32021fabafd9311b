"""BFCL's multi-turn tasks that need the trading bot alone."""

import ast
import inspect
import json
from pathlib import Path

from . import trading_bot

HERE = Path(__file__).parent
TRAINED = 14
"""Tasks of the split `train`; the rest is the split `test`."""


def _call(text: str) -> tuple[str, dict]:
    """Return the name and the named arguments of a call that is written in Python."""
    call = ast.parse(text, mode="eval").body
    name = call.func.id
    names = list(inspect.signature(getattr(trading_bot.TradingBot, name)).parameters)[1:]
    given = dict(zip(names, map(ast.literal_eval, call.args), strict=False))
    return name, given | {each.arg: ast.literal_eval(each.value) for each in call.keywords}


def _rows(name: str) -> list[dict]:
    return [json.loads(line) for line in (HERE / name).read_text("utf-8").splitlines()]


def _tasks() -> list[dict]:
    solutions = {row["id"]: row["ground_truth"] for row in _rows("solutions.jsonl")}
    return [
        {
            "id": row["id"],
            "seed": 0,
            "request": row["question"][0][0]["content"],
            "requests": [turn[0]["content"] for turn in row["question"]],
            "account": row["initial_config"]["TradingBot"],
            "solution": [[_call(text) for text in turn] for turn in solutions[row["id"]]],
        }
        for row in _rows("questions.jsonl")
        if row["involved_classes"] == ["TradingBot"]
    ]


TASKS = {"train": _tasks()[:TRAINED], "test": _tasks()[TRAINED:]}
