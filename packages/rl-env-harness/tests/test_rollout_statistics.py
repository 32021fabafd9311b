"""Tests of the numbers and the warnings at the end of a rollout. A slow computation gives the expected numbers."""

from __future__ import annotations

import math
import random
import statistics
from collections import defaultdict
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stand_in._shared.records import rollout_statistics

from tests.over import over

TOOLS = [{"name": "guess", "parameters": {}}, {"name": "look", "parameters": {}}]


def line(
    index: int, sample: int, paid: float | None, text: str = "Done.", **more: Any
) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {
        "model": "m", "split": "train", "index": index, "task_id": index, "seed": 0, "sample": sample,
        "return": paid, "reward_range": [0.0, 1.0], "end": "stopped" if paid is not None else "failed",
        "limit": None, "steps": [], "tools": TOOLS, "messages": [message],
        "turns": [{"finish_reason": "stop", "usage": {}}], **more,
    }  # fmt: skip


def warned(*lines: dict[str, Any]) -> list[str]:
    return list(rollout_statistics.warnings([rollout_statistics.row(each) for each in lines]))


returns = st.sampled_from([0.0, 0.5, 1.0, 1.0 - 1e-12, None])


@given(st.lists(st.tuples(st.integers(0, 4), returns), min_size=1, max_size=24))
def test_the_numbers_are_what_a_slow_count_gives(played: list[tuple[int, float | None]]) -> None:
    samples: dict[int, list[float]] = defaultdict(list)
    lines = []
    for number, (task, paid) in enumerate(played):
        lines.append(line(task, number, paid))
        if paid is not None:
            samples[task].append(paid)
    random.Random(len(played)).shuffle(lines)
    numbers = rollout_statistics.of(map(rollout_statistics.row, lines))["m"]
    scored = [paid for found in samples.values() for paid in found]
    assert (numbers["episodes"], numbers["scored"]) == (len(played), len(scored))
    assert numbers["mean"] == (pytest.approx(statistics.fmean(scored)) if scored else None)
    most = max(map(len, samples.values()), default=0)
    assert {name for name in numbers if name.startswith("pass@")} == (
        {"pass@1", f"pass@{most}"} if most else {"pass@1"} & set(numbers)
    )
    for k in {1, most} - {0}:
        shares = []
        for found in samples.values():
            draws = list(combinations([paid > 0.99 for paid in found], k))
            shares += [Fraction(sum(map(any, draws)), len(draws))] if draws else []
        wanted = pytest.approx(float(sum(shares) / len(shares))) if shares else None
        assert numbers[f"pass@{k}"] == wanted
    means = [statistics.fmean(found) for found in samples.values()]
    if len(means) < 2:
        assert numbers["interval"] is None
    else:
        half = 1.96 * statistics.stdev(means) / math.sqrt(len(means))
        assert numbers["interval"] == pytest.approx(half, abs=1e-12)


CALLS_AS_TEXT = {
    "hermes": '<tool_call>\n{"name": "guess", "arguments": {"word": "crane"}}\n</tool_call>',
    "qwen3 coder": "<tool_call>\n<function=guess>\n<parameter=word>\ncrane\n</parameter>\n</function>",
    "llama 3": '<|python_tag|>{"name": "guess", "parameters": {"word": "crane"}}',
    "llama 3, bare": '{"name": "guess", "parameters": {"word": "crane"}}',
    "llama 3.1": '<function=guess>{"word": "crane"}</function>',
    "llama 4": '[guess(word="crane")]',
    "fenced": 'I guess.\n```json\n{"tool": "guess", "arguments": {"word": "crane"}}\n```',
    "mistral": '[TOOL_CALLS][{"name": "guess", "arguments": {"word": "crane"}}]',
    "mistral 2": '[TOOL_CALLS]guess{"word": "crane"}',
    "deepseek": "<\uff5ctool\u2581calls\u2581begin\uff5c><\uff5ctool\u2581call\u2581begin\uff5c>function",
    "kimi": "<|tool_calls_section_begin|><|tool_call_begin|>functions.guess:0",
    "granite": '<|tool_call|>[{"name": "guess", "arguments": {"word": "crane"}}]',
    "phi 4": 'functools[{"name": "guess", "arguments": {"word": "crane"}}]',
    "gpt-oss": '<|channel|>commentary to=functions.guess <|constrain|>json<|message|>{"word": "crane"}',
    "claude": '<function_calls>\n<invoke name="guess">\n<parameter name="word">crane</parameter>',
    "minimax": '<minimax:tool_call>\n{"name": "x"}\n</minimax:tool_call>',
    "gemma": '```tool_code\nprint(guess(word="crane"))\n```',
    "function gemma": "<start_function_call>call:guess{word:crane}<end_function_call>",
    "command r": '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "guess"}]<|END_ACTION|>',
    "internlm": '<|action_start|><|plugin|>{"name": "guess", "parameters": {}}<|action_end|>',
    "lfm": '<|tool_call_start|>[guess(word="crane")]<|tool_call_end|>',
    "apertus": '<|tools_prefix|>[{"guess": {"word": "crane"}}]<|tools_suffix|>',
    "qwen": "\u273fFUNCTION\u273f: guess\n\u273fARGS\u273f: {}",
    "react": '{"action": "guess", "action_input": "crane"}',
}
PROSE = [
    "I would call the tool guess next, with the word crane.",
    "You can guess(word) or look().",
    "Use `guess` with crane; its name is guess.",
    "My guess: crane. The name of the tool is \"guess\".",
    '{"word": "crane"}',
    '{"name": "Ada", "role": "guess"}',
    "```python\nguess('crane')\n```",
    "The list [guess, look] has the tools; [guess(x), then look] is the plan.",
    "In XML one writes <function> and <tool>, in Python functools.partial.",
    "",
]  # fmt: skip


@over("model", CALLS_AS_TEXT)
def test_a_call_that_stands_as_text_is_known_in_the_formats_of_models(model: str) -> None:
    (reported, *_) = warned(line(0, 0, 0.0, CALLS_AS_TEXT[model]), line(1, 0, 0.0))
    assert reported.startswith("the last message of 1 of 2 episodes contains a call as text")
    for flag in ("--tool-call-parser", "--jinja"):
        assert flag in reported


@over("text", PROSE, ids=range(len(PROSE)))
def test_prose_about_tools_is_no_call(text: str) -> None:
    assert not any("call as text" in reported for reported in warned(line(0, 0, 0.0, text)))


def test_no_call_is_told_only_where_there_are_tools_to_call() -> None:
    text = CALLS_AS_TEXT["hermes"]
    assert warned(line(0, 0, 0.0)) == ["no tool was called in any of 1 episodes"]
    assert warned(line(0, 0, 0.0, text, tools=[])) == []
    step = {"tool": "guess", "error": None}
    assert warned(line(0, 0, 0.0, steps=[step]), line(1, 0, 0.0)) == []


def test_failed_episodes_warn_of_nothing_but_themselves() -> None:
    assert warned(line(0, 0, None, CALLS_AS_TEXT["hermes"])) == []


def test_an_empty_last_message_is_told_and_whether_the_model_thought() -> None:
    step = {"tool": "guess", "error": None}
    silent = line(0, 0, 0.0, "", steps=[step])
    assert warned(silent) == ["the last message of 1 of 1 episodes is empty"]
    said = {"role": "assistant", "content": "", "reasoning_content": ""}
    assert warned({**silent, "messages": [said]}) == warned(silent)
    thought = {**said, "reasoning_content": "Hm."}
    reported = "the last message of 2 of 2 episodes is empty, 1 of them all thought"
    assert warned(silent, {**silent, "messages": [thought]}) == [reported]


def test_a_full_context_is_told() -> None:
    full = line(
        0, 0, 0.5, end="truncated", limit="context_full", steps=[{"tool": "x", "error": None}]
    )
    assert warned(full) == ["1 of 1 episodes filled the model's context"]
