"""Coding agents as solvers: headless, in a fresh folder and home, with skills or without.

A name is ``claude+with``, ``claude+without`` or ``claude+FOLDER``. FOLDER is a folder with somebody else's
skills. If the environment has the key of the agent's model, the agent uses that model. Otherwise a scripted
model writes the case's own solutions, which tests the way from the sentence to the score, but not the skills.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from evals.agents.clients import ClaudeCode, Client, Codex, GeminiCli, OpenCode
from evals.agents.desk import Desk
from evals.agents.scripted_model import ScriptedModel
from evals.case import Case, CaseError
from evals.solvers import scripts, session_log
from evals.solvers.outcome import Build, Built
from skill_tools.runtime import supervise

ROOT = Path(__file__).parents[2]
SKILLS = ROOT / "skills"
AGENTS: dict[str, type[Client]] = {
    "claude": ClaudeCode,
    "codex": Codex,
    "opencode": OpenCode,
    "gemini": GeminiCli,
}
CLIENTS_OWN = (".claude", ".agents", ".opencode", ".gemini")
ALLOWED = "Skill,Write,Edit,Read,Bash,Glob,Grep,mcp__skill_tools"


@dataclass(frozen=True)
class Agent:
    """One agent and its skills: our skills with our server, no skills, or only the skills of a folder."""

    client: Client
    skills: Path | None
    ours: bool
    literal: bool = False


def agent(name: str, skills: Path = SKILLS, *, literal: bool = False) -> Build:
    """Return the solver with this name. Raise CaseError for an unknown name.

    Args:
        skills: The folder to use as our skills.
        literal: Whether a scripted model does only what the loaded skill says.
    """
    program, _, how = name.partition("+")
    if program not in AGENTS or not how:
        known = ", ".join(f"{each}+with" for each in AGENTS)
        raise CaseError(
            f"there is no solver {name!r}; there are reference, handwritten, empty, scaffold, "
            f"mutant, and agents: {known}, each also +without or +FOLDER with somebody's skills"
        )
    client = AGENTS[program]()
    if isinstance(client, ClaudeCode):
        client.allowed = ALLOWED
    if how == "with":
        return _solver(Agent(client, skills, True, literal))
    if how == "without":
        return _solver(Agent(client, None, False))
    folder = Path(how).absolute()
    if not list(folder.glob("*/SKILL.md")):
        raise CaseError(f"{folder} holds no skill: a folder of skills has */SKILL.md")
    return _solver(Agent(client, folder, False))


def _solver(who: Agent) -> Build:
    def build(case: Case, workspace: Path) -> Built:
        # Not below this repository: agents read the files and the guidance of folders above theirs.
        with tempfile.TemporaryDirectory(prefix="project-", ignore_cleanup_errors=True) as place:
            project = Path(place).resolve() / "project"
            project.mkdir()
            try:
                return _built(who, case, project)
            finally:
                shutil.copytree(project, workspace, symlinks=True, dirs_exist_ok=True)

    return build


def _built(who: Agent, case: Case, project: Path) -> Built:
    if case.asks.kind == "trigger":
        if not who.ours:
            return Built(loaded=None)
        return _each_sentence(who, case, project)
    for path, place in case.asks.given.items():
        source, target = case.folder / path, project / place
        copy = shutil.copytree if source.is_dir() else shutil.copyfile
        target.parent.mkdir(parents=True, exist_ok=True)
        copy(source, target)
    script = scripts.of(case, who.client, project, who.skills, who.ours)
    if who.literal:
        script = scripts.literal(case, who.client)
    attempt = hold(who, case.prompt, project, script, case.file.execution.timeout_seconds)
    return attempt.model_copy(update={"frameworks": case.asks.frameworks})


def _each_sentence(who: Agent, case: Case, workspace: Path) -> Built:
    """Run one session per sentence. Record the skill that the agent loaded in each session."""
    loaded: dict[str, str | None] = {}
    transcripts, seconds = [], 0.0
    for number, sentence in enumerate(case.sentences):
        place = workspace / f"{number:02}"
        place.mkdir()
        script = scripts.loading(sentence.skill, who.client)
        attempt = hold(who, sentence.says, place, script, case.file.execution.timeout_seconds)
        loaded[sentence.says] = (attempt.loaded or {}).get("")
        seconds += attempt.effort["seconds"]
        transcripts.append(f"# {sentence.says}\n{attempt.transcript}")
    effort = {"seconds": seconds, "model": attempt.effort["model"]}
    return Built(loaded=loaded, transcript="\n".join(transcripts), effort=effort)


def hold(
    who: Agent,
    prompt: str,
    workspace: Path,
    script: scripts.Plays,
    timeout: float,
) -> Built:
    """Run one session: install the skills, send the prompt, and keep the agent's report."""
    session = workspace.parent / f"{workspace.name}-session"
    home = session / "home"
    home.mkdir(parents=True)
    if who.skills:
        add_skills(who.skills, workspace)
    program = who.client.installed()
    key = os.environ.get(who.client.key_variable) if who.client.key_variable else None
    model = ScriptedModel(session / "requests.jsonl")
    mark = f"{session.name}-{time.monotonic_ns()}"
    desk = Desk(home, workspace, model.url, mark, ours=who.ours, key=key)
    began, lines = time.monotonic(), list[tuple[float, str]]()
    with model.play(script(desk, model)):
        done = supervise.run(
            [program, *who.client.command(prompt, desk)],
            cwd=workspace,
            env={**desk.environment(), **who.client.configure(desk)},
            timeout=timeout,
            log=session / "stdout.log",
            on_line=lambda line: lines.append((time.monotonic() - began, line)),
        )
    if model.problem and not key:
        raise RuntimeError(f"the scripted model could not go on: {model.problem!r}")
    effort = {"model": "real" if key else "scripted", "seconds": round(done.seconds, 1)}
    if done.timed_out:
        effort["timed_out"] = True
    log = session_log.read(lines)
    for left in CLIENTS_OWN:
        shutil.rmtree(workspace / left, ignore_errors=True)
    return Built(
        said=log.said,
        loaded={"": log.skill},
        effort={**log.effort, **effort},
        transcript=log.transcript,
    )


def add_skills(skills: Path, project: Path) -> None:
    """Put skills into the folders of a project where agents look for them, as ``npx skills add`` does."""
    shared, linked = project / ".agents" / "skills", project / ".claude" / "skills"
    linked.mkdir(parents=True)
    for skill in sorted(path.parent for path in skills.glob("*/SKILL.md")):
        shutil.copytree(skill, shared / skill.name)
        (linked / skill.name).symlink_to(Path("../../.agents/skills") / skill.name)
