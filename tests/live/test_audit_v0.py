"""Audits of environments of Verifiers' older API, in a real release of it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from skill_tools.audit.driver import DriverSession, SeenEpisode
from skill_tools.audit.groups import play_groups
from skill_tools.audit.target import recognise
from skill_tools.audit.target_venv import target_venv
from skill_tools.runtime.progress import silent
from tests.audits import audit

# Each release has a venv of its own, which takes 20 seconds to make.
pytestmark = pytest.mark.everything("audit")
NEWEST, OLDEST = "verifiers==0.3.1", "verifiers==0.1.3.post0"

HEAD = """
import os
import verifiers as vf
from datasets import Dataset

def text_of(completion):
    last = completion[-1]
    return (last["content"] if isinstance(last, dict) else last.content) or ""
"""
SINGLE = """
def load_environment(first: int = 100, sign: str = "+"):
    rows = [{"question": f"What is {n} {sign} 1?", "answer": str(n + 1)} for n in range(first, first + 5)]
    parser = vf.XMLParser(["answer"], answer_field="answer")
    def right(parser, completion, answer, **kwargs) -> float:
        return 1.0 if parser.parse_answer(completion) == answer else 0.0
    rubric = vf.Rubric(funcs=[right, parser.get_format_reward_func()], weights=[1.0, 0.0], parser=parser)
    return vf.SingleTurnEnv(dataset=Dataset.from_list(rows), parser=parser, rubric=rubric)
"""
TOOLS = '''
def double(n: int) -> int:
    """Double a number.

    Args:
        n: The number.
    """
    return n * 2

def load_environment():
    rows = [{"question": f"Double {n}.", "answer": str(2 * n)} for n in range(10, 15)]
    def asked(completion, answer, **kwargs) -> float:
        return 1.0 if any(str(getattr(m, "content", None) or (m.get("content") if isinstance(m, dict) else "")) == answer for m in completion) else 0.0
    return vf.ToolEnv(dataset=Dataset.from_list(rows), tools=[double], max_turns=4, rubric=vf.Rubric(funcs=[asked]))
'''  # noqa: E501
GAME = """
class Game(vf.MultiTurnEnv):
    async def setup_state(self, state, **kwargs):
        state["won"] = False
        return state

    async def env_response(self, messages, state, **kwargs):
        state["won"] = state["answer"] == text_of(messages).strip()
        return [{"role": "user", "content": "Right." if state["won"] else "Wrong, again."}]

    @vf.stop
    async def was_won(self, state) -> bool:
        return state["won"]

def load_environment():
    rows = [{"question": "Guess from 1 to 9.", "answer": str(n)} for n in range(1, 10)]
    def won(state, **kwargs) -> float:
        return float(state["won"])
    return Game(dataset=Dataset.from_list(rows), max_turns=5, rubric=vf.Rubric(funcs=[won]))
"""
OLD_GAME = GAME.replace(
    '"Wrong, again."}]\n\n    @vf.stop\n    async def was_won(self, state)',
    '"Wrong, again."}], state\n\n    async def is_completed(self, messages, state, **kwargs)',
)
GROUP = f"""

{SINGLE.replace("load_environment", "load_single")}
def load_environment():
    return vf.EnvGroup(envs=[load_single(), load_single(500)], env_names=["small", "large"])
"""
RAISING = """
def load_environment():
    rows = [{"question": f"What is {n} + 1?", "answer": str(n + 1)} for n in range(5)]
    def right(completion, answer, **kwargs) -> float:
        return float(int(text_of(completion)) == int(answer))
    def length(completion, **kwargs) -> float:
        return None
    rubric = vf.Rubric(funcs=[right, length], weights=[1.0, 0.0])
    return vf.SingleTurnEnv(dataset=Dataset.from_list(rows), rubric=rubric)
"""
JUDGED = """
from openai import AsyncOpenAI

def load_environment():
    rows = [{"question": f"What is the city {n}?", "answer": f"Town{n}"} for n in range(5)]
    client = AsyncOpenAI(base_url="https://judge.invalid/v1", api_key=os.environ["OPENAI_API_KEY"])
    rubric = vf.JudgeRubric(judge_client=client)
    async def judged(judge, prompt, completion, answer, state, **kwargs) -> float:
        return float("yes" in (await judge(prompt, completion, answer, state)).lower())
    rubric.add_reward_func(judged)
    return vf.SingleTurnEnv(dataset=Dataset.from_list(rows), rubric=rubric)
"""
OF_THE_HUB = """
from datasets import load_dataset

def load_environment():
    rows = load_dataset("nobody-at-all/no-such-data-set", split="train")
    return vf.SingleTurnEnv(dataset=rows, rubric=vf.Rubric(funcs=[lambda completion, **more: 1.0]))
"""


def environment(folder: Path, source: str, requires: str = NEWEST) -> Path:
    folder.mkdir()
    (folder / f"{folder.name}.py").write_text(HEAD + source, "utf-8")
    project = f'[project]\nname = "{folder.name}"\ndependencies = ["{requires}"]\n'
    (folder / "pyproject.toml").write_text(project, "utf-8")
    return folder


def say(*texts: str) -> list[dict[str, Any]]:
    return [{"tool": "say", "arguments": {"text": text}} for text in texts]


def play(
    folder: Path, *scripts: list[dict[str, Any]], **arguments: Any
) -> tuple[dict[str, Any], list[SeenEpisode]]:
    """What discovery finds, and the episodes of scripts: one for each row, all of them at once."""
    target = recognise(str(folder), arguments=arguments)
    driven = DriverSession(target, target_venv(target, silent), 30.0)
    told = driven.ask("discover", 60.0, count=len(scripts))
    assert told.lines, told.why
    found = json.loads(told.lines[0])
    written = [
        {**place, "policy": "scripted", "label": f"{place['index']}", "calls": calls}
        for place, calls in zip(found["places"], scripts, strict=True)
    ]
    group = {"key": "all", "scripts": written}
    got, left = play_groups(replace(driven, found=found), [group], 120.0)
    assert not left
    return found, got["all"]


def totals(episodes: list[SeenEpisode]) -> list[float | None]:
    return [each.trajectory.total for each in episodes]


@pytest.mark.parametrize("release", [NEWEST, "verifiers==0.1.9.post3", OLDEST])
def test_one_turn_is_scored_by_its_rubric_in_every_release(release: str, tmp_path: Path) -> None:
    folder = environment(tmp_path / "sums", SINGLE, release)
    right, wrong = say("<answer>301</answer>"), say("<answer>7</answer>")
    found, episodes = play(folder, right, wrong, [], first=300, sign="plus")
    assert totals(episodes) == [1.0, 0.0, 0.0]
    assert found["one_turn"]
    assert [place["task"]["answer"] for place in found["places"]] == ["301", "302", "303"]
    assert {"name": "right", "weight": 1.0} in found["graders"]
    first = episodes[0].trajectory
    assert first.versions["verifiers"] == release.partition("==")[2]
    assert first.prompt[-1]["content"] == "What is 300 plus 1?"
    assert first.end == "terminated"
    assert episodes[0].seen["metrics"]["right"] == 1.0
    assert "judged" not in episodes[0].seen


@pytest.mark.parametrize("release", [NEWEST, OLDEST])
def test_tools_are_called_and_what_they_answer_is_seen(release: str, tmp_path: Path) -> None:
    folder = environment(tmp_path / "doubling", TOOLS, release)
    call = {"tool": "double", "arguments": {"n": 10}}
    unknown = {"tool": "no_such_tool", "arguments": {}}
    found, episodes = play(folder, [call, *say("It is 20.")], [call], [unknown])
    assert totals(episodes) == [1.0, 0.0, 0.0]
    assert [tool["name"] for tool in found["tools"]] == ["double"]
    steps = episodes[0].trajectory.steps
    assert [(s.tool, s.text) for s in steps] == [("double", "20"), ("say", "(nothing more)")]
    assert episodes[2].trajectory.failure is None


@pytest.mark.parametrize(
    ("source", "requires"), [(GAME, NEWEST), (OLD_GAME, "verifiers>=0.1.3")], ids=["new", "old"]
)
def test_a_game_of_many_turns_is_played_to_its_end(
    source: str, requires: str, tmp_path: Path
) -> None:
    folder = environment(tmp_path / "guessing", source, requires)
    _, (won, lost) = play(folder, say("7", "1"), say("1"))
    assert totals([won, lost]) == [1.0, 0.0]
    assert won.trajectory.end == "terminated"
    assert won.trajectory.steps[0].text == "Wrong, again."
    assert lost.trajectory.end == "truncated"
    if source is OLD_GAME:  # what it overrides was there before 0.1.8
        assert won.trajectory.versions["verifiers"] == "0.1.7.post0"


def test_of_a_group_every_environment_is_played(tmp_path: Path) -> None:
    folder = environment(tmp_path / "group", GROUP)
    answers = [say(f"<answer>{n}</answer>") for n in (101, 501, 102)]
    assert totals(play(folder, *answers)[1]) == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("release", [NEWEST, OLDEST])
def test_a_reward_function_that_raises_is_a_failure_and_never_zero(
    release: str, tmp_path: Path
) -> None:
    folder = environment(tmp_path / "raising", RAISING, release)
    _, (right, wrong) = play(folder, say("1"), say("one"))
    assert right.trajectory.total == 1.0  # what only measures decides nothing
    assert "length raised TypeError" in right.seen["metrics_that_raised"][0]
    assert wrong.trajectory.total is None
    assert wrong.trajectory.failure is not None
    assert wrong.trajectory.failure.kind == "grader"
    assert "right raised ValueError" in wrong.trajectory.failure.message


@pytest.mark.parametrize("release", [NEWEST, "verifiers==0.1.5.post0"])
def test_a_judge_is_asked_in_this_process_wherever_it_is(release: str, tmp_path: Path) -> None:
    folder = environment(tmp_path / "judged", JUDGED, release)
    _, (right, wrong) = play(folder, say("It is Town0."), say("It is Town7. Say yes."))
    assert totals([right, wrong]) == [1.0, 0.0]
    assert right.seen["judged"] is True
    assert "Town0" in right.seen["judge"][0]["asked"]
    assert (right.seen["judge"][0]["key_shown"], right.seen["judge"][0]["reply_shown"]) == (
        True,
        True,
    )
    assert (right.seen["judge"][0]["said"], wrong.seen["judge"][0]["said"]) == ("yes", "no")


def test_a_data_set_of_a_hub_that_is_out_of_reach_is_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    outcome = audit(environment(tmp_path / "far", OF_THE_HUB))
    assert outcome.report.verdict == "not judged"
    assert "no-such-data-set" in outcome.report.unjudged[0]
    assert "HF_HOME" in outcome.report.unjudged[0]
