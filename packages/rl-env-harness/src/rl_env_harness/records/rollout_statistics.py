"""The results of a rollout in numbers, for each model over all its episodes."""

import json
import math
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from . import role_costs

Row = dict[str, Any]
"""The data of an episode that the numbers need; small, so that pictures need not stay in memory."""
_AS_TEXT = re.compile(
    r"<([a-z]+:)?tool_calls?>|<\|?tool_call|<function[=_ ]|\[TOOL_CALLS\]|<\|python_tag\|>|<tool_use"
    r"|<invoke |functools\[|<\|channel\|>commentary|<\uff5ctool|<start_function_call>"
    r"|<\|START_ACTION\|>|<\|action_start\|>|<\|tools_prefix\|>|\u273fFUNCTION\u273f"
)
"""Markers of call templates, for calls that a server left in the text."""
PARSERS = (
    "vLLM: --enable-auto-tool-choice --tool-call-parser NAME; SGLang: --tool-call-parser NAME; "
    "llama.cpp: --jinja"
)


def row(line: dict[str, Any]) -> Row:
    """Return the data of a trajectory that the summary needs."""
    turns = line.get("turns") or []
    tokens = [turn.get("usage") or {} for turn in turns]
    spoken = [each for each in line.get("messages") or [] if each["role"] == "assistant"]
    last = spoken[-1] if spoken else {}
    names = [tool["name"] for tool in line.get("tools") or []]
    text = last.get("content") or ""
    text = text if isinstance(text, str) else json.dumps(text)
    silent = bool(spoken) and not text and not last.get("tool_calls")
    paid = line["return"]
    _, top = line.get("reward_range") or (None, None)
    most = line.get("best", top)  # older files lack the best
    return {
        "environment": line.get("environment") or "",
        "model": line["model"],
        "task": json.dumps([line.get(k) for k in ("split", "index", "task_id", "seed")]),
        "return": paid,
        "best": most,
        "metrics": line.get("metrics") or {},
        "roles": role_costs.of_episode(line),
        "solved": None if paid is None or most is None else paid >= most - 1e-9,
        "end": line["end"],
        "limit": line.get("limit"),
        "calls": len(line["steps"]),
        "refusals": dict(Counter(s["error"] for s in line["steps"] if s.get("error"))),
        "turns": len(turns),
        "cut_turns": sum(bool(turn.get("cut")) for turn in turns),
        "cut_reasons": sorted({str(t.get("finish_reason")) for t in turns if t.get("cut")}),
        "model_seconds": sum(turn.get("seconds") or 0.0 for turn in turns),
        "input_tokens": sum(each.get("input_tokens", 0) for each in tokens),
        "output_tokens": sum(each.get("output_tokens", 0) for each in tokens),
        "retries": sum(len(turn.get("retries") or ()) for turn in turns),
        "has_tools": bool(names),
        "finish_reason": turns[-1].get("finish_reason") if turns else None,
        "call_as_text": bool(names) and not last.get("tool_calls") and _holds_call(text, names),
        "silent": silent,
        "only_thought": silent and any(v for k, v in last.items() if k != "role"),
    }


def _holds_call(text: str, names: list[str]) -> bool:
    """Return whether a text contains a tool call that was not parsed as a tool call."""
    if _AS_TEXT.search(text):
        return True
    named = "|".join(map(re.escape, names))
    as_json = rf'"(name|tool|tool_name|function|action)"\s*:\s*"({named})"'
    as_python = rf"```tool_code\b[^`]*\b({named})\(|\A\s*\[({named})\(.*\)\]\s*\Z"
    return bool(re.search(f"{as_json}|{as_python}", text, re.DOTALL))


def of(rows: Iterable[Row]) -> dict[str, Any]:
    """Return the numbers of each model.

    `mean` is the mean of all returns, and `interval` is half the width of its 95 % interval over tasks. `metrics`
    has the mean of each metric, if there are any. `of_best` is the sum of the returns as a share of the sum of
    the tasks' maximum returns, if these maxima differ. `pass@k` is the share of tasks on which at least one of k
    episodes reaches the task's maximum, if the maximum is recorded. It is estimated without bias from all
    samples.
    """
    by_model: dict[str, list[Row]] = defaultdict(list)
    for each in rows:
        by_model[each["model"]].append(each)
    return {model: _numbers(found) for model, found in by_model.items()}


def _numbers(rows: list[Row]) -> dict[str, Any]:
    scored = [each for each in rows if each["return"] is not None]
    tasks: dict[str, list[float]] = defaultdict(list)
    for each in scored:
        tasks[each["task"]].append(each["return"])
    means = [sum(found) / len(found) for found in tasks.values()]
    solved: dict[str, list[bool]] = defaultdict(list)
    for each in scored:
        if each["solved"] is not None:
            solved[each["task"]].append(each["solved"])
    samples = max(map(len, solved.values()), default=0)
    refusals: Counter[str] = Counter()
    for each in rows:
        refusals.update(each["refusals"])
    turns = sum(each["turns"] for each in rows)
    seconds = sum(each["model_seconds"] for each in rows)
    return {
        "episodes": len(rows),
        "scored": len(scored),
        "mean": _mean([each["return"] for each in scored]),
        "interval": _interval(means),
        "of_best": _of_best(scored),
        **_metrics(scored),
        **role_costs.of(rows[0]["environment"], [each["roles"] for each in rows]),
        **{f"pass@{k}": _passed(solved, k) for k in sorted({1, samples} - {0})},
        "ends": dict(Counter(each["end"] for each in rows)),
        "limits": dict(Counter(each["limit"] for each in rows if each["limit"])),
        "refusals": dict(refusals),
        "turns": _mean([each["turns"] for each in rows]),
        "input_tokens": sum(each["input_tokens"] for each in rows),
        "output_tokens": sum(each["output_tokens"] for each in rows),
        "seconds_per_turn": seconds / turns if turns else None,
        "retries": sum(each["retries"] for each in rows),
    }


def _mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _metrics(scored: list[Row]) -> dict[str, dict[str, float]]:
    """Return the mean of each metric as `metrics`, or {} if there are no metrics."""
    found: dict[str, list[float]] = defaultdict(list)
    for each in scored:
        for name, value in each["metrics"].items():
            found[name].append(value)
    means = {name: sum(values) / len(values) for name, values in found.items()}
    return {"metrics": means} if means else {}


def _of_best(scored: list[Row]) -> float | None:
    """Return the sum of returns as a share of the maximum, or None if the maximum is unknown or equal for all tasks."""
    bests = [each["best"] for each in scored]
    if len(set(bests)) < 2 or None in bests or sum(bests) <= 0:
        return None
    return float(sum(each["return"] for each in scored) / sum(bests))


def _interval(means: list[float]) -> float | None:
    """Return half the width of the 95 % interval of a mean, or None for fewer than two values."""
    if len(means) < 2:
        return None
    mean = sum(means) / len(means)
    variance = sum((value - mean) ** 2 for value in means) / (len(means) - 1)
    return 1.96 * math.sqrt(variance / len(means))


def _passed(solved: dict[str, list[bool]], k: int) -> float | None:
    """Return pass@k as defined in https://arxiv.org/abs/2107.03374, over the tasks with at least k episodes."""
    shares = []
    for found in solved.values():
        n, wrong = len(found), found.count(False)
        if n >= k:
            shares.append(1 - math.comb(wrong, k) / math.comb(n, k))
    return _mean(shares)


def as_lines(found: dict[str, Any]) -> Iterator[str]:
    """Yield the numbers of a summary as text, in a few lines for each model."""
    for model, one in found.items():
        mean, half = one["mean"], one["interval"]
        score = "no score" if mean is None else f"mean return {mean:.3f}"
        score += "" if half is None else f" ± {half:.3f} (95 %)"
        score += "" if one["of_best"] is None else f", {one['of_best']:.3f} of the best"
        passes = [f"{k} {v:.3f}" for k, v in one.items() if k.startswith("pass@") and v is not None]
        yield ", ".join([f"{model}: {one['episodes']} episodes, {score}", *passes])
        if "metrics" in one:
            means = ", ".join(f"{name} {value:.3f}" for name, value in one["metrics"].items())
            yield f"    mean metrics: {means}"
        yield from role_costs.as_lines(one.get("roles", {}))
        yield f"    ends: {_counts(one['ends'])}" + _more("limits", one) + _more("refusals", one)
        if one["seconds_per_turn"] is not None:
            tokens = f"{one['input_tokens']} tokens in, {one['output_tokens']} out"
            speed = f"{one['seconds_per_turn']:.2f} s a turn"
            again = f", {one['retries']} requests repeated" if one["retries"] else ""
            yield f"    {one['turns']:.1f} turns an episode, {tokens}, {speed}{again}"


def _more(name: str, one: dict[str, Any]) -> str:
    return f"; {name}: {_counts(one[name])}" if one[name] else ""


def _counts(found: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(found.items()))


def warnings(rows: list[Row]) -> Iterator[str]:
    """Yield warnings for a person who is about to rely on the numbers."""
    played = [each for each in rows if each["end"] != "failed"]
    total = len(played)

    def count(name: str) -> int:
        return sum(bool(each[name]) for each in played)

    if texts := count("call_as_text"):
        yield (
            f"the last message of {texts} of {total} episodes contains a call as text: does the server "
            f"have a tool parser? ({PARSERS})"
        )
    elif total and count("has_tools") == total and not count("calls"):
        yield f"no tool was called in any of {total} episodes"
    if cut := sum(each["cut_turns"] for each in played):
        turns = sum(each["turns"] for each in played)
        ended = sum(each["end"] == "cut_off" for each in played)
        so = f", and {ended} of {total} episodes ended so" if ended else ""
        reasons = ", ".join(sorted({r for each in played for r in each["cut_reasons"]}))
        yield (
            f"{cut} of {turns} messages were cut off ({reasons}){so}: raise --max-tokens, or use "
            "a longer context"
        )
    if silent := count("silent"):
        thought = count("only_thought")
        only = f", {thought} of them all thought" if thought else ""
        yield f"the last message of {silent} of {total} episodes is empty{only}"
    if full := sum(each["limit"] == "context_full" for each in played):
        yield f"{full} of {total} episodes filled the model's context"


class Clock:
    """A counter of the episodes that are done, which also estimates the remaining time."""

    def __init__(self, total: int) -> None:
        self.total, self.done, self.started = total, 0, time.monotonic()

    def tick(self) -> str:
        """Count an episode. Return the message to print, or "" if there is only one episode."""
        self.done += 1
        left = self.total - self.done
        if self.total < 2:
            return ""
        seconds = (time.monotonic() - self.started) / self.done * left
        wait = f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"
        return f" [{self.done} of {self.total}{f', about {wait} left' if left else ''}]"
