"""Audits of environments that we did not render, in the real frameworks."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

import skill_tools
from skill_tools.audit.target import recognise
from skill_tools.audit.target_venv import target_venv
from skill_tools.runtime.progress import silent
from tests.audits import audit as audit_target
from tests.live.frameworks import FRAMEWORK_NAMES, FRAMEWORKS
from tests.selection import some

from .scaffolds import IDS, scaffold, trapped
from .served import answering

everything = pytest.mark.everything("audit")
SERVED = [name for name in FRAMEWORK_NAMES if FRAMEWORKS[name].transport == "http"]
RIGHT = [("say", {"text": "101"})]


def audit(folder: Path, framework: str, **options: Any) -> skill_tools.Outcome:
    rows = folder / "rows.jsonl"
    options = {"id": IDS.get(framework), "dataset": rows if rows.exists() else None, **options}
    return audit_target(folder, framework, **{"num_tasks": 2, **options})


def failed(outcome: skill_tools.Outcome) -> set[str]:
    return {finding.check for finding in outcome.failures}


def solutions(folder: Path, framework: str) -> Path:
    """The right answers of the tasks that are listed; where seeds are the tasks, of none."""
    tool = "say"
    split = "train" if framework == "ors" else "tasks"
    made = [
        {"split": split, "index": n, "calls": [{"tool": tool, "arguments": {"text": str(101 + n)}}]}
        for n in range(2)
    ]
    file = folder.parent / "solutions.json"
    file.write_text(json.dumps(made), "utf-8")
    return file


@pytest.mark.parametrize("framework", some(FRAMEWORK_NAMES, ["gem"], "audit"))
@pytest.mark.parametrize(("rule", "check"), [("constant", "AUD001"), ("length", "AUD002")])
def test_a_scaffold_that_pays_for_nothing_is_red(
    framework: str, rule: str, check: str, tmp_path: Path
) -> None:
    outcome = audit(scaffold(tmp_path / "their_game", framework, rule), framework)
    assert not outcome.report.ok
    assert check in failed(outcome)


@everything
@pytest.mark.parametrize("framework", FRAMEWORK_NAMES)
def test_a_right_environment_is_not_red(framework: str, tmp_path: Path) -> None:
    folder = scaffold(tmp_path / "their_game", framework, "right")
    listed = framework not in ("gem", "openenv")
    more = {"solutions": solutions(folder, framework)} if listed else {}
    outcome = audit(folder, framework, **more)
    assert failed(outcome) <= {"EPI003"}, outcome.failures  # two of them play on after the end
    played = outcome.evidence.variants.rollouts[framework]
    assert {t.end for by in played.values() for t in by.values()} <= {"terminated", "stopped"}
    if listed:
        assert {t.total for t in played["oracle"].values()} == {1.0}
        assert {t.total for t in played["filler_20"].values()} == {0.0}


@everything
def test_a_route_that_catches_all_is_a_route_of_every_tool(tmp_path: Path) -> None:
    folder = scaffold(tmp_path / "their_game", "nemo_gym", "right")
    app = folder / "app.py"
    app.write_text(app.read_text().replace('if __name__ == "__main__"', CATCHING_ALL), "utf-8")
    tool = {
        "type": "function",
        "name": "look",
        "description": "Look.",
        "parameters": {"type": "object"},
    }
    rows = [json.loads(line) for line in (folder / "data/example.jsonl").read_text().splitlines()]
    for row in rows:
        row["responses_create_params"]["tools"] = [tool]
    (folder / "data/example.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n")
    outcome = audit(folder, "nemo_gym")
    assert "AUD010" not in failed(outcome), outcome.failures
    assert {s.text for t in outcome.evidence.every for s in t.steps if s.tool == "look"} == {
        '"seen"'
    }


CATCHING_ALL = """
def catching(self):
    app = SimpleResourcesServer.setup_webserver(self)
    async def look(path: str) -> str:
        return "seen"
    app.post("/{path}")(look)
    return app

Game.setup_webserver = catching

if __name__ == "__main__\""""


@everything
def test_an_environment_of_several_agents_is_not_judged(tmp_path: Path) -> None:
    folder = scaffold(tmp_path / "their_game", "verifiers", "right")
    (module,) = folder.rglob("__init__.py")
    said = module.read_text().replace('["GameTaskset"]', '["GameTaskset", "TwoEnv"]')
    module.write_text(said + TWO_AGENTS)
    outcome = audit(folder, "verifiers")
    assert outcome.report.verdict == "not judged"
    assert "it has 2 agents (first, second)" in outcome.report.unjudged[0]
    assert not outcome.evidence.every


TWO_AGENTS = """
class Config(vf.EnvConfig):
    first: vf.AgentConfig = vf.AgentConfig()
    second: vf.AgentConfig = vf.AgentConfig()

class TwoEnv(vf.Env[Config]):
    pass
"""


@pytest.mark.parametrize(
    ("trap", "cause"),
    [
        ("import os; os._exit(7)", "exit code 7"),
        ("while True: pass", "no reply after 1 s"),
        ("return 'x', float('nan'), True, False, {}", "not finite"),
        ("return 'x', 'a lot', True, False, {}", "no number"),
        ("raise KeyboardInterrupt", "ended"),
    ],
)
@everything
def test_what_breaks_a_process_costs_its_episodes_and_no_more(
    trap: str, cause: str, tmp_path: Path
) -> None:
    folder = trapped(tmp_path / "their_game", trap)
    outcome = audit(folder, "gem", num_tasks=1, call_seconds=1.0)
    every = outcome.evidence.every
    assert {t.total for t in every if t.model == "noop"} == {0.0}
    broken = [t for t in every if t.end == "failed"]
    assert broken
    assert cause in broken[0].failure.message
    assert "EPI001" in failed(outcome)


@everything
def test_an_answer_beyond_all_bounds_is_cut(tmp_path: Path) -> None:
    folder = trapped(tmp_path / "their_game", "return 'x' * (1 << 28), 1.0, True, False, {}")
    outcome = audit(folder, "gem", num_tasks=1)
    longest = max(len(s.text) for t in outcome.evidence.every for s in t.steps)
    assert longest < 30_000
    assert "AUD012" in {f.check for f in outcome.report.findings if f.status == "warn"}


def garbage(request: BaseHTTPRequestHandler) -> None:
    request.send_response(200)
    request.end_headers()
    request.wfile.write(b"[" * 200_000)


def without_end(request: BaseHTTPRequestHandler) -> None:
    request.send_response(200)
    request.end_headers()
    for _ in range(10_240):  # 10 GB, if somebody reads it
        request.wfile.write(b" " * (1 << 20))


def never(request: BaseHTTPRequestHandler) -> None:
    threading.Event().wait(60)


@everything
@pytest.mark.parametrize("framework", SERVED)
@pytest.mark.parametrize("answer", [garbage, without_end, never])
def test_a_server_that_lies_costs_an_audit_and_not_a_crash(
    framework: str, answer: Callable[[BaseHTTPRequestHandler], None]
) -> None:
    with answering(answer) as url:
        outcome = audit_target(url, framework, call_seconds=3.0, seconds=20)
    assert outcome.report.verdict == "not judged"
    assert outcome.evidence.audit.audited.broken


@everything
def test_the_report_for_openenv_is_one_of_its_own_and_grades_most_of_its_checks(
    tmp_path: Path,
) -> None:
    folder = scaffold(tmp_path / "their_game", "openenv", "right")
    declared = (
        "validation:\n"
        "  reward: {range: [0.0, 1.0], floor_margin: 0.1}\n"
        "  resources: {cpu: 1.0, memory_mb: 2048, disk_mb: 512, episode_timeout_s: 60.0}\n"
        "  capabilities: {verifier: {kind: reward_channel}, declared_tools: [step], "
        "oracle: {form: script, location: oracle/solve.sh}}\n"
        "  types: {tags: [demo]}\n"
    )
    with (folder / "openenv.yaml").open("a") as file:
        file.write(declared)
    first = audit(folder, "openenv", output_dir=tmp_path / "kept")
    # The answers of the first audit's prompts are a solution for the second.
    prompts = first.evidence.variants.rollouts["openenv"]["noop"].values()
    made = [
        {
            "seed": t.seed,
            "calls": [{"tool": "step", "arguments": {"text": str(_asked(t.prompt) + 1)}}],
        }
        for t in prompts
    ]
    actions = tmp_path / "solutions.json"
    actions.write_text(json.dumps(made), "utf-8")
    kept = tmp_path / "again"
    audit(folder, "openenv", output_dir=kept, solutions=actions, reward_range=(0.0, 1.0))
    results = json.loads((kept / "rfc008.json").read_text())["results"]
    graded = [each for each in results if each["status"] in ("pass", "fail")]
    assert len(results) == 34
    assert len(graded) >= 25, [each["check_id"] for each in results if each not in graded]
    status = {each["check_id"]: each["status"] for each in results}
    assert status["semantic.oracle_max"] == "pass"
    assert status["runtime.episode_determinism"] == "pass"
    # OpenEnv's own model takes it, and its own policy comes to the same verdict.
    venv = target_venv(recognise(str(folder)), silent)
    script = (
        "import sys; from openenv.validation.report import ValidationReportV2 as R;"
        "from openenv.validation.policy import apply_policy, load_policy;"
        "r = R.model_validate_json(open(sys.argv[1]).read());"
        "print(apply_policy(r.results, load_policy('v2'), r.lane).value == r.verdict.value)"
    )
    command = [str(venv.python), "-c", script, str(kept / "rfc008.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "True", done.stderr


def _asked(prompt: list[dict[str, Any]]) -> int:
    return int(json.loads(prompt[0]["content"])["text"].split()[0])


def test_a_package_and_an_id_are_audited_from_the_command_line(tmp_path: Path) -> None:
    folder = scaffold(tmp_path / "their_game", "gem", "constant")
    command = [sys.executable, "-m", "skill_tools.cli", "audit", str(folder), "-f", "gem"]
    command += ["--id", IDS["gem"], "--num-tasks", "1", "--output-dir", str(tmp_path / "kept")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "AUD001 pays-for-anything" in done.stdout
    assert {path.name for path in (tmp_path / "kept").iterdir()} == {
        "report.md", "report.html", "report.json", "gem.jsonl", "evidence.json.gz",
    }  # fmt: skip
