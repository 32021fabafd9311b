"""Audits of tasks with tools: what a solution says or calls is played as the framework's own agent plays it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import skill_tools
from skill_tools.errors import SkillToolsError
from tests.live.test_audit import audit, failed

from .scaffolds import scaffold

pytestmark = pytest.mark.everything("audit")
LOOK = {
    "type": "function",
    "name": "look",
    "strict": False,
    "description": "Look at a number.",
    "parameters": {
        "type": "object",
        "properties": {"number": {"type": "integer", "description": "The number."}},
        "required": ["number"],
    },
}
NEMO = """
from nemo_gym.base_resources_server import (
    BaseResourcesServerConfig, BaseVerifyRequest, BaseVerifyResponse, SimpleResourcesServer,
)
from pydantic import BaseModel

class AnswerRequest(BaseVerifyRequest):
    answer: str

class Look(BaseModel):
    number: int

class Game(SimpleResourcesServer):
    config: BaseResourcesServerConfig
    def setup_webserver(self):
        app = super().setup_webserver()
        {route}
        return app
    async def look(self, body: Look) -> str:
        return "seen"
    async def verify(self, body: AnswerRequest) -> BaseVerifyResponse:
        items = body.response.output
        called = [item.arguments for item in items if item.type == "function_call"]
        said = items[-1].content[0].text if items[-1].type == "message" else ""
        return BaseVerifyResponse(**body.model_dump(), reward=float({paid}))
"""
CALLED = "called == ['{\"number\": %s}' % body.answer]"
TOOLS = """
import verifiers.v1 as vf

class Looking(vf.Toolset[vf.SharedToolsetConfig, vf.State]):
    @vf.tool
    async def look(self, number: int) -> str:
        \"\"\"Look at a number.\"\"\"
        return "seen"

if __name__ == "__main__":
    Looking.run()
"""
TOOLSETS = """
    @classmethod
    def toolsets(cls, config):
        from their_game.looking import Looking
        return [Looking(vf.SharedToolsetConfig())]
"""


def nemo(folder: Path, paid: str, route: str = "pass", **columns: str) -> Path:
    """A server whose rows offer one tool; ``columns`` are templates of the answer."""
    (folder / "data").mkdir(parents=True)
    (folder / "app.py").write_text(NEMO.format(paid=paid, route=route))
    rows = [
        {
            "responses_create_params": {"input": f"Look at {n} minus 1.", "tools": [LOOK]},
            "answer": str(n),
            **{name: json.loads(each % n) for name, each in columns.items()},
        }
        for n in range(101, 104)
    ]
    (folder / "data/example.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def solved(folder: Path, **more: Any) -> Path:
    file = folder.parent / "solved.json"
    made = [
        {"index": n, "calls": [{key: (each % (n + 101)) for key, each in more.items()}]}
        for n in range(2)
    ]
    file.write_text(json.dumps(made), "utf-8")
    return file


def earned(outcome: skill_tools.Outcome, policy: str = "oracle") -> set[float | None]:
    return {each.total for each in outcome.evidence.every if each.model == policy}


def test_a_server_of_nemo_gym_sees_the_calls_of_tools_that_it_has_no_route_for(
    tmp_path: Path,
) -> None:
    calls = '[{"name": "look", "arguments": "{\\"number\\": %s}"}]'
    folder = nemo(tmp_path / "calls", CALLED, expected_calls=calls)
    outcome = audit(folder, "nemo_gym")
    assert earned(outcome) == {1.0}  # the rows list the calls
    assert not failed(outcome), outcome.failures


def test_a_route_is_no_tool_if_the_rows_of_nemo_gym_offer_none(tmp_path: Path) -> None:
    route = 'app.post("/look")(self.look)'
    folder = nemo(tmp_path / "said", "said == body.answer", route)
    rows = folder / "data/example.jsonl"
    made = [json.loads(line) for line in rows.read_text().splitlines()]
    for row in made:
        row["responses_create_params"]["tools"] = []
    rows.write_text("".join(json.dumps(row) + "\n" for row in made))
    outcome = audit(folder, "nemo_gym")
    assert outcome.evidence.audit.audited.found["in_text"]
    assert earned(outcome) == {1.0}


def test_a_server_of_nemo_gym_sees_a_call_that_a_route_refused(tmp_path: Path) -> None:
    route = 'app.post("/look")(self.look)'
    folder = nemo(tmp_path / "calls", 'called == [\'{"number": "x"}\']', route)
    file = folder.parent / "solved.json"
    call = {"tool": "look", "arguments": {"number": "x"}}
    file.write_text(json.dumps([{"index": 0, "calls": [call]}]))
    assert earned(audit(folder, "nemo_gym", solutions=file)) == {1.0}


def test_calls_in_rows_that_earn_nothing_are_not_taken_for_solutions(tmp_path: Path) -> None:
    calls = '{"name": "look", "arguments": {"number": %s0}}'
    outcome = audit(nemo(tmp_path / "calls", CALLED, calls=calls), "nemo_gym")
    assert (earned(outcome), outcome.report.verdict) == (set(), "not judged")


def test_a_text_in_a_task_with_tools_is_the_last_message_in_nemo_gym(tmp_path: Path) -> None:
    folder = nemo(tmp_path / "said", "said == body.answer", 'app.post("/look")(self.look)')
    outcome = audit(folder, "nemo_gym", solutions=solved(folder, text="%s"))
    assert earned(outcome) == {1.0}
    assert not failed(outcome), outcome.failures
    assert "2 of the 2 given solutions were used" in outcome.report.seen


def test_a_text_in_a_task_with_tools_is_the_last_message_in_verifiers(tmp_path: Path) -> None:
    folder = scaffold(tmp_path / "their_game", "verifiers", "right")
    (folder / "looking.py").write_text(TOOLS)
    file = folder / "__init__.py"
    file.write_text(file.read_text() + TOOLSETS)
    outcome = audit(folder, "verifiers", solutions=solved(folder, text="%s"))
    (tool,) = outcome.evidence.audit.audited.found["tools"]
    assert "look" in tool["name"]
    assert earned(outcome) == {1.0}


def test_a_text_is_refused_if_the_framework_has_only_calls(tmp_path: Path) -> None:
    folder = scaffold(tmp_path / "their_game", "openenv", "right")
    file = folder.parent / "solved.json"
    file.write_text(json.dumps([{"seed": 0, "calls": [{"text": "101"}]}]))
    with pytest.raises(SkillToolsError, match=r"has a text.*takes only calls"):
        audit(folder, "openenv", solutions=file)
