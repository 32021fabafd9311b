"""The second program itself: on logs written by hand it takes what is true, and nothing else."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .verify import differences

USER = {"role": "user", "content": "Add."}
SYSTEM = {"role": "system", "content": "Write <add>NUMBER</add> or <end_episode/>."}
TOOL = {
    "name": "add",
    "description": "Add.",
    "parameters": {
        "type": "object",
        "properties": {"amount": {"type": "integer", "minimum": 1}},
        "required": ["amount"],
    },
}
FULL = {"error": {"code": 400, "type": "exceed_context_size_error", "message": "too long"}}
USAGE = {"prompt_tokens": 9, "completion_tokens": 3}
Line = dict[str, Any]


def call(arguments: str, name: str = "add") -> Line:
    """A message of the model with one call."""
    function = {"name": name, "arguments": arguments}
    made = {"id": "c1", "type": "function", "function": function}
    return {"role": "assistant", "content": "", "tool_calls": [made]}


def said(text: str) -> Line:
    return {"role": "assistant", "content": text}


def answered(sent: list[Line], message: Line, finish: str = "stop") -> Line:
    """A line of the log: the messages of a request, and what the model said."""
    choice = {"message": message, "finish_reason": finish}
    reply = {"model": "small", "choices": [choice], "usage": USAGE}
    return asked(sent, 200, reply)


def asked(sent: list[Line], status: int, reply: Line) -> Line:
    body = {"model": "m", "messages": sent}
    body |= {"tools": [{"type": "function", "function": TOOL}]} if sent[0] == USER else {}
    return {
        "at": float(len(sent)), "seconds": 0.5, "path": "/v1/chat/completions",
        "headers": {"X-Episode": "env/train/0/0%231"}, "request": json.dumps(body),
        "status": status, "reply": json.dumps(reply),
    }  # fmt: skip


def step(tool: str, arguments: Line, text: str, error: str | None = None, **more: Any) -> Line:
    seen = [{"type": "text", "text": text}]
    return {"tool": tool, "arguments": arguments, "observation": seen, "reward": 0.0,
            "done": False, "error": error, **more}  # fmt: skip


def record(messages: list[Line], end: str, limit: str | None, steps: list[Line]) -> Line:
    """A record as it should be, of messages of which the first ones are the prompt."""
    prompt = [message for message in messages[:2] if message in (SYSTEM, USER)]
    turns = [m for m in messages if m["role"] == "assistant"]
    usage = {"input_tokens": 9, "output_tokens": 3}
    return {
        "framework": "f", "model": "m", "label": "env/train/0/0#1", "prompt": prompt,
        "tools": [TOOL] if prompt[0] == USER else [], "steps": steps, "messages": messages,
        "turns": [{"finish_reason": "stop", "usage": usage, "seconds": 0.6} for _ in turns],
        "final_reward": 0.0, "final_message": turns[-1]["content"] if turns else None,
        "return": None if end == "failed" else 0.0, "end": end, "limit": limit, "max_turns": 6,
        "seconds": 60.0, "server": {"model": "small"},
    }  # fmt: skip


def result(text: str) -> Line:
    return {"role": "tool", "tool_call_id": "c1", "content": text}


def back(arguments: str) -> Line:
    """A call as it goes back to the server."""
    return call(arguments)


def stopped() -> tuple[list[Line], Line]:
    line = answered([USER], said("No."))
    return [line], record([USER, said("No.")], "stopped", None, [])


def cut() -> tuple[list[Line], Line]:
    line = answered([USER], said("No"), "length")
    reported = record([USER, said("No")], "cut_off", None, [])
    reported["turns"][0]["finish_reason"] = "length"
    return [line], reported


def refused_and_full() -> tuple[list[Line], Line]:
    """Arguments that end in the middle; then the context is full."""
    why = "add: the arguments are not a JSON object"
    first = answered([USER], call('{"amo'))
    second = asked([USER, back("{}"), result(why)], 400, FULL)
    messages = [USER, call('{"amo'), result(why)]
    steps = [step("add", {"_raw": '{"amo'}, why, "invalid_arguments")]
    return [first, second], record(messages, "truncated", "context_full", steps)


def asked_again() -> tuple[list[Line], Line]:
    """A passing fault, and the same request once more."""
    fault = {**asked([USER], 503, {"error": "busy"}), "at": 0.5}
    reported = record([USER, said("No.")], "stopped", None, [])
    reported["turns"][0]["retries"] = [{"status": 503, "waited": 0.5}]
    return [fault, answered([USER], said("No."))], reported


def in_text() -> tuple[list[Line], Line]:
    """Nothing that can be read, an action, and the end that the model asked for."""
    prompt = [SYSTEM, USER]
    one = [*prompt, said("Well."), {"role": "user", "content": "Nothing was played."}]
    two = [*one, said("<add>1</add>"), {"role": "user", "content": "1 so far."}]
    last = [*two, said("<end_episode/>"), {"role": "user", "content": "The episode is over."}]
    lines = [answered(prompt, said("Well.")), answered(one, said("<add>1</add>"))]
    steps = [
        step("", {"_raw": "Well."}, "Nothing was played.", "unreadable"),
        step("add", {"amount": 1}, "1 so far."),
    ]
    return [*lines, answered(two, said("<end_episode/>"))], record(last, "stopped", None, steps)


TRUE = (stopped, cut, refused_and_full, asked_again, in_text)
ENDS = ("terminated", "truncated", "cut_off", "stopped", "failed")


def verified(folder: Path, lines: list[Line], reported: Line) -> list[str]:
    log, records = folder / "log", folder / "records.jsonl"
    log.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    records.write_text(json.dumps(reported) + "\n", "utf-8")
    return differences(log, [records])


@pytest.mark.parametrize("episode", TRUE)
def test_what_is_true_is_taken_and_no_other_end(
    episode: Callable[[], tuple[list[Line], Line]], tmp_path: Path
) -> None:
    lines, reported = episode()
    assert verified(tmp_path, lines, reported) == []
    for end in {*ENDS} - {reported["end"]}:
        assert verified(tmp_path, lines, {**reported, "end": end, "limit": None}), end


@pytest.mark.parametrize("episode", [refused_and_full, in_text])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tool", "take"),
        ("arguments", {"amount": 2}),
        ("error", "unknown_tool"),
        ("error", None),
        ("observation", [{"type": "text", "text": "Well done."}]),
    ],
)
def test_a_step_that_was_not_is_found(
    episode: Callable[[], tuple[list[Line], Line]], name: str, value: Any, tmp_path: Path
) -> None:
    lines, reported = episode()
    changed = copy.deepcopy(reported)
    changed["steps"][0][name] = value
    assert changed != reported
    if (episode, name) == (in_text, "tool"):
        return  # the server is told of no tools
    assert verified(tmp_path, lines, changed)


@pytest.mark.parametrize("sent", ['{"amo', '{"amount": 2}', "[]"])
def test_a_call_that_went_back_as_something_else_is_found(sent: str, tmp_path: Path) -> None:
    lines, reported = refused_and_full()
    wrong = [USER, back(sent), result("add: the arguments are not a JSON object")]
    found = verified(tmp_path, [lines[0], asked(wrong, 400, FULL)], reported)
    assert len(found) == 1
    assert "another call than the model made" in found[0]


def test_an_episode_without_a_record_and_a_record_without_an_episode_are_found(
    tmp_path: Path,
) -> None:
    lines, reported = stopped()
    found = verified(tmp_path, lines, {**reported, "label": "env/train/1/0"})
    assert len(found) == 2
