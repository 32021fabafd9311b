"""A session of a coding agent: the script that it plays, and what is kept of it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any

from evals.agents.clients import Client
from evals.agents.desk import Desk
from evals.agents.model_apis import Call, Say
from evals.agents.npm import install, node
from evals.agents.scripted_model import Script, ScriptedModel, Turn
from tests.conftest import CONNECT_FOUR, ROOT
from tests.processes import commands, kill, marked, until

SENTENCE = "make an env where the agent plays connect-four"
SKILL = "rl-env-from-description"
FILES = ("env.yaml", "examples.yaml", "game.py", "tasks.py", "oracle.py")
LAST_WORDS = "Connect four is built: green in every variant that was played."
SKILLS_CLI = "skills@1.7.4"


@dataclass(frozen=True)
class Plan:
    """What one client builds; all render four variants, not all play all of them."""

    client: Client
    tasks: int
    frameworks: Sequence[str] | None = None


@dataclass
class Session:
    """What is left of a client's session."""

    plan: Plan
    desk: Desk
    model: ScriptedModel
    finished: subprocess.CompletedProcess[str]
    seconds: float
    left_running: list[list[str]]
    new_at_home: set[str] = field(default_factory=set)

    @property
    def folder(self) -> Path:
        return self.desk.project / "connect_four"

    def ours(self, *names: str) -> list[Turn]:
        """The calls of our MCP tools, or of some of them."""
        return [
            turn
            for turn in self.model.turns
            if isinstance(turn.action, Call) and turn.action.tool in names
        ]


def build_connect_four(plan: Plan, desk: Desk) -> Script:
    """From the sentence to a green report, with a mistake in env.yaml on the way."""
    client, folder = plan.client, desk.project / "connect_four"
    there: dict[str, Any] = {"env_path": str(folder)}

    yield client.load_skill(SKILL, desk)
    kinds = answer((yield Call("list_archetypes", {})))["archetypes"]
    kind = next(kind["name"] for kind in kinds if "board" in kind["when"])
    exemplar = answer((yield Call("list_archetypes", {"name": kind})))["starter"]
    seen = answer((yield Call("read_exemplar", {"exemplar": exemplar, "file": "env.yaml"})))
    assert "archetype: pure-python-game" in seen["text"]
    part = {"exemplar": "wordle", "file": "_shared/episode.py", "limit": client.lines}
    assert answer((yield Call("read_exemplar", part)))["next_offset"]

    if call := client.make_folder(folder):
        yield call
    right, wrong = "tasks: tasks:TASKS", "task: tasks:TASKS"
    for name in FILES:
        text = (CONNECT_FOUR / name).read_text("utf-8")
        for call in client.write_calls(folder / name, text.replace(right, wrong)):
            yield call
    found = answer((yield Call("check_spec", there)))
    assert not found["ok"]
    line = (folder / "env.yaml").read_text("utf-8").splitlines().index(wrong) + 1
    assert any(f":{line}" in problem["where"] for problem in found["problems"]), found
    yield client.edit_file(folder / "env.yaml", wrong, right)
    found = answer((yield Call("check_spec", there)))
    assert found["ok"], found
    assert not found["domain_checked"], "nobody agreed to run the code yet"
    found = answer((yield Call("check_spec", {**there, "approve": True})))
    assert found["ok"], found
    assert found["domain_checked"]

    written = answer((yield Call("render_env", there)))
    assert written["written"]
    shown = {**there, "file": "openenv/rollout.py", "limit": 20}
    assert answer((yield Call("render_file", shown)))["next_offset"] == 20
    wanted = {**there, "tasks": plan.tasks}
    if plan.frameworks:
        wanted["frameworks"] = list(plan.frameworks)
    job = yield from finished((yield Call("validate_env", wanted)))
    assert job["report"]["ok"], job
    assert answer((yield Call("get_job", {"job": job["job"]})))["report"] == job["report"]
    played = {**there, "framework": "openenv", "policy": "oracle"}
    job = yield from finished((yield Call("run_smoke_rollout", played)))
    assert job["episodes"][0]["steps"][-1]["done"]
    assert answer((yield Call("explain_check", {"check": "REW001"})))["fix"]
    yield Say(LAST_WORDS)


def finished(text: str) -> Generator[Call, str, dict[str, Any]]:
    """Poll a job until it is over; returns it."""
    job = answer(text)
    while job["state"] == "running":
        job = answer((yield Call("get_job", {"job": job["job"]})))
    assert job["state"] == "done", job
    return job


def answer(text: str) -> dict[str, Any]:
    """The structure of one of our results, found in what a client shows its model."""
    start = text.find("{")
    assert start >= 0, f"no structure in {text[:2000]}"
    found, _ = json.JSONDecoder().raw_decode(text, start)
    # Some clients show the whole result of the protocol.
    return found.get("structuredContent", found)


def add_skills(project: Path, home: Path) -> None:
    """``npx skills add`` of this checkout, as the README says, without a network."""
    folder = install(SKILLS_CLI).parent
    subprocess.run(
        [
            "npx", "--prefix", folder, "--no", "skills", "add", ROOT,
            "-a", "claude-code", "cursor", "codex", "-y",
        ],
        cwd=project,
        env={
            "HOME": str(home),
            "PATH": f"{node().parent}{os.pathsep}{os.environ['PATH']}",
            "HTTPS_PROXY": "http://127.0.0.1:9",
        },
        check=True,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
    )  # fmt: skip


def hold(
    plan: Plan,
    folder: Path,
    kept: Path,
    script: Callable[[Plan, Desk], Script] = build_connect_four,
) -> Session:
    """Install the skills into an empty project, say the sentence, and keep what happened."""
    home, project = folder / "home", folder / "project"
    home.mkdir()
    project.mkdir()
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir(parents=True)
    add_skills(project, home)
    mark = f"{kept.name}-{time.monotonic_ns()}"
    plan.client.installed()
    # The script needs the desk, which needs the address of the model that plays the script.
    model = ScriptedModel(kept / "requests.jsonl")
    desk = Desk(home, project, model.url, mark)
    started = time.monotonic()
    try:
        with model.play(script(plan, desk)):
            done = plan.client.start(SENTENCE, desk)
    finally:
        seconds = time.monotonic() - started
        until(lambda: not marked(mark))
        left = marked(mark)
        still = commands(left)
        kill(left)
        (kept / "transcript.md").write_text(transcript(plan, model, seconds), "utf-8")
    (kept / "stdout.txt").write_text(done.stdout, "utf-8")
    (kept / "stderr.txt").write_text(done.stderr, "utf-8")
    report = project / "connect_four" / "runs" / "report.md"
    if report.is_file():
        shutil.copy(report, kept)
    files = sorted(str(path.relative_to(project)) for path in project.rglob("*"))
    (kept / "files.txt").write_text("\n".join(files) + "\n", "utf-8")
    return Session(plan, desk, model, done, seconds, still)


def transcript(plan: Plan, model: ScriptedModel, seconds: float, width: int = 600) -> str:
    """The session to read: what the model did, and the beginning of what it was shown."""
    lines = [f"# {plan.client.package}: {SENTENCE}", f"{seconds:.1f} s"]
    for turn in model.turns:
        if isinstance(turn.action, Say):
            lines.append(turn.action.text)
            continue
        arguments = json.dumps(turn.action.arguments)
        name = ".".join(filter(None, [turn.tool.namespace, turn.tool.name])) if turn.tool else "?"
        lines.append(f"## {turn.at:.1f} s: {name}\n```text\n{clipped(arguments, width)}\n```")
        lines.append(f"```text\n{clipped(turn.result or '', width)}\n```")
    return "\n\n".join(lines) + "\n"


def clipped(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[:width]} ... {len(text)} characters"


def mentions(text: str, part: str) -> bool:
    """Whether a text holds another one, however its lines are broken, indented or escaped."""

    def flat(text: str) -> str:
        return " ".join(unescape(text).replace("\\n", "\n").replace('\\"', '"').split())

    return flat(part) in flat(text)
