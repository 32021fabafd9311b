"""What the agents' JSON lines tell: shapes as each client of npm.py's version prints them."""

from __future__ import annotations

import json

import pytest

from evals.solvers import session_log

CLAUDE = [
    {"type": "assistant", "message": {"content": [
        {"type": "tool_use", "name": "Skill", "input": {"skill": "rl-env-skills:generate-ors-env"}}]}},
    {"type": "user", "message": {"content": [{"type": "tool_result", "content":
        '{"state":"done","report":{"ok":true,"variants":[]}}'}]}},
    {"type": "result", "result": "It is green.", "num_turns": 3, "total_cost_usd": 0.25,
     "usage": {"input_tokens": 30, "output_tokens": 15, "cache_read_input_tokens": 5}},
]  # fmt: skip
CODEX = [
    {"type": "item.completed", "item": {"type": "command_execution",
        "command": "bash -lc \"cat '/p/.agents/skills/generate-ors-env/SKILL.md'\""}},
    {"type": "item.completed", "item": {"type": "agent_message", "text": "It is green."}},
    {"type": "turn.completed", "usage": {"input_tokens": 30, "output_tokens": 20}},
]  # fmt: skip
OPENCODE = [
    {"type": "tool_use", "part": {"tool": "skill", "state": {"input": {"name": "generate-ors-env"}}}},
    {"type": "step_finish", "part": {"tokens": {"input": 30, "output": 20}}},
    {"type": "text", "part": {"text": "It is green."}},
]  # fmt: skip
GEMINI = [
    {"type": "tool_use", "tool_name": "activate_skill", "parameters": {"name": "generate-ors-env"}},
    {"type": "message", "role": "assistant", "content": "It is green."},
]  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "tokens"), [(CLAUDE, 50), (CODEX, 50), (OPENCODE, 50), (GEMINI, None)]
)
def test_each_client_is_understood(lines: list[dict], tokens: int | None) -> None:
    reported = session_log.read([(float(at), json.dumps(line)) for at, line in enumerate(lines)])
    assert reported.skill == "generate-ors-env"
    assert reported.said == "It is green."
    assert reported.effort.get("tokens") == tokens
    assert reported.effort["tool_calls"] == 1
    assert "generate-ors-env" in reported.transcript


def test_the_time_to_the_first_green_and_what_claude_code_counts() -> None:
    reported = session_log.read([(float(at), json.dumps(line)) for at, line in enumerate(CLAUDE)])
    assert reported.effort["time_to_green"] == 1.0
    assert reported.effort["turns"] == 3
    assert reported.effort["cost_usd"] == 0.25


def test_what_is_not_reported_is_not_there() -> None:
    reported = session_log.read([(0.0, "not json"), (0.1, '{"type": "other"}'), (0.2, "[1]")])
    assert (reported.said, reported.skill, reported.effort) == ("", None, {"tool_calls": 0})
