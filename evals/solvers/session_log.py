"""An agent's report on its session, read from the JSON lines that the agent prints."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import BaseModel

GREEN = re.compile(r'"report":\{"ok":true|"ok":true,"variants"|\bok[":\s]+true\b.{0,80}"report')
SKILL_FILE = re.compile(r"skills/([a-z0-9-]+)/SKILL\.md")
LOADING = {"Skill": "skill", "skill": "name", "activate_skill": "name"}
"""Tools that load a skill, with the argument that names the skill. Codex has no such tool, and reads the file."""


class SessionLog(BaseModel):
    """The data of a session. Facts that the agent does not report are left out."""

    said: str = ""
    skill: str | None = None
    effort: dict[str, Any] = {}
    transcript: str = ""


def read(lines: Sequence[tuple[float, str]], width: int = 400) -> SessionLog:
    """Read the last message, the first loaded skill, and the effort.

    The effort is the numbers of tokens, turns and calls, and the time until the first green report.
    """
    log = SessionLog()
    tokens, calls, shown = 0, 0, []
    for at, line in lines:
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if not isinstance(event, dict):
            continue
        for name, arguments in tool_calls(event):
            calls += 1
            log.skill = log.skill or _skill(name, arguments)
            shown.append(f"{at:7.1f} s {name} {json.dumps(arguments)[:width]}")
        if text := _words(event):
            log.said = text
            shown.append(f"{at:7.1f} s says: {text[:width]}")
        tokens += _tokens(event)
        flat = re.sub(r"\s+", "", line.replace("\\", ""))
        if "time_to_green" not in log.effort and GREEN.search(flat):
            log.effort["time_to_green"] = round(at, 1)
        if event.get("type") == "result" and "num_turns" in event:  # Claude Code's last line
            log.effort["turns"] = event["num_turns"]
            if "total_cost_usd" in event:
                log.effort["cost_usd"] = event["total_cost_usd"]
    log.effort["tool_calls"] = calls
    if tokens:
        log.effort["tokens"] = tokens
    log.transcript = "\n".join(shown)
    return log


def tool_calls(event: Any) -> Iterator[tuple[str, Any]]:
    """Yield the tool calls in an event. Each client structures its events differently."""
    message = event.get("message")
    for block in message.get("content", []) if isinstance(message, dict) else []:
        if isinstance(block, dict) and block.get("type") == "tool_use":
            yield block["name"], block["input"]
    item = event.get("item") or {}
    if event.get("type") == "item.completed" and item.get("type") == "command_execution":
        yield "shell", {"command": item.get("command", "")}
    elif event.get("type") == "item.completed" and item.get("type") == "mcp_tool_call":
        yield f"{item.get('server')}.{item.get('tool')}", item.get("arguments") or {}
    part = event.get("part") or {}
    if event.get("type") == "tool_use" and part:
        yield part.get("tool", "?"), (part.get("state") or {}).get("input") or {}
    elif event.get("type") == "tool_use" and "tool_name" in event:
        yield event["tool_name"], event.get("parameters") or {}


def _skill(name: str, arguments: Any) -> str | None:
    if name in LOADING and isinstance(arguments, dict):
        return str(arguments.get(LOADING[name], "")).rpartition(":")[2] or None
    if name == "shell" and (found := SKILL_FILE.search(str(arguments))):
        return found[1]
    return None


def _words(event: dict[str, Any]) -> str:
    item, part = event.get("item") or {}, event.get("part") or {}
    said: str = ""
    if event.get("type") == "result" and isinstance(event.get("result"), str):
        said = event["result"]
    elif item.get("type") == "agent_message":
        said = item.get("text", "")
    elif event.get("type") == "text":
        said = part.get("text", "")
    elif event.get("type") == "message" and event.get("role") == "assistant":
        said = event.get("content", "")
    return said


def _tokens(event: dict[str, Any]) -> int:
    """Return the number of tokens in a session if the event sums up the session's tokens, otherwise 0."""
    if event.get("type") in ("result", "turn.completed"):
        used = event.get("usage") or {}
        counts = ("input_tokens", "output_tokens", "cache_read_input_tokens",
                  "cache_creation_input_tokens")  # fmt: skip
        return sum(int(used.get(name) or 0) for name in counts)
    if event.get("type") == "step_finish":
        used = (event.get("part") or {}).get("tokens") or {}
        return int(used.get("input") or 0) + int(used.get("output") or 0)
    return 0
