"""Messages as actions: one question and one answer, or a conversation with tools."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from skill_tools import archetypes, pipeline
from skill_tools.audit.options import AuditOptions
from skill_tools.errors import SpecError
from skill_tools.files import write_files
from skill_tools.frameworks.rules import load
from skill_tools.pipeline.audits import audit
from skill_tools.policies import scripted
from skill_tools.reference.playbook import write_scripts
from skill_tools.render import text_actions
from skill_tools.render.plan import plan, texts
from skill_tools.report.outcome import Outcome
from skill_tools.spec.model import EnvSpec
from tests.over import over

SINGLE, TALK = "single-turn", "conversation"


@contextmanager
def imported(kind: str, tmp_path: Path) -> Iterator[tuple[EnvSpec, Any]]:
    """A starter, rendered for text, and a function that imports one of its modules."""
    name = f"messages_{kind.replace('-', '_')}"
    folder = tmp_path / name
    write_files(folder, archetypes.start(kind, name))
    spec = load(folder)
    write_files(folder, texts(plan(spec, ["gem"])))
    link = tmp_path / "linked"
    link.mkdir()
    (link / spec.package).symlink_to(folder)
    sys.path.insert(0, str(link))

    def module(path: str) -> ModuleType:
        return importlib.import_module(f"{spec.package}.{path}")

    try:
        yield spec, module
    finally:
        sys.path.remove(str(link))
        for each in [key for key in sys.modules if key.split(".")[0] == spec.package]:
            del sys.modules[each]


def test_a_message_is_graded_without_its_reasoning(tmp_path: Path) -> None:
    with imported(SINGLE, tmp_path) as (_, module):
        task = module("tasks").TASKS["train"][0]
        for text, earned in {
            f"Answer: {task['answer']}": 1.0,
            f"<think>Answer: 7</think>\nAnswer: {task['answer']}": 1.0,
            f"<think>Answer: {task['answer']}</think>": 0.0,
            f"<think>Answer: {task['answer']}": 0.0,
            "": 0.0,
        }.items():
            episode = module("_shared.episode").Episode(task)
            step = episode.message(text)
            assert (step.reward, step.done, step.error) == (earned, True, None), text
            assert "<think>" not in json.dumps(episode.record())
            assert episode.end() == 0.0


def test_text_variants_take_a_message_without_tags_and_without_instructions(tmp_path: Path) -> None:
    with imported(SINGLE, tmp_path) as (spec, module):
        task = module("tasks").TASKS["train"][0]
        actions = module("_shared.rollouts.text_actions")
        for text in (f"Answer: {task['answer']}", "<end_episode/>", "<think>hm</think>", ""):
            episode, plain = (module("_shared.episode").Episode(task) for _ in range(2))
            assert actions.opening(episode.prompt) == episode.prompt
            answer = actions.play(episode, text)
            plain.message(text)
            assert episode.record() == plain.record()
            assert answer.reward == plain.total
        assert text_actions.instructions(spec) == ""
        assert text_actions.forms(spec) == {}


def test_tags_are_calls_and_other_text_is_a_message(tmp_path: Path) -> None:
    with imported(TALK, tmp_path) as (spec, module):
        actions = module("_shared.rollouts.text_actions")
        episode = module("_shared.episode").Episode(module("tasks").TASKS["train"][0])
        assert "end_episode" not in text_actions.instructions(spec)
        assert "street" in actions.play(episode, "Which street?").text.lower()
        answer = actions.play(episode, 'I look it up: <find_parcels street="Ash Street"/>')
        assert [step["tool"] for step in answer.steps] == ["find_parcels"]
        assert actions.play(episode, "<find_parcels street=").steps[0]["error"] == "unreadable"
        assert [step["tool"] for step in episode.steps] == ["message", "find_parcels", ""]
        assert episode.turns == 3


def test_a_longer_message_than_allowed_is_refused(tmp_path: Path) -> None:
    with imported(SINGLE, tmp_path) as (_, module):
        episode = module("_shared.episode").Episode(module("tasks").TASKS["train"][0])
        step = episode.message("x" * 20_001)
        assert step.error == "invalid_arguments"
        assert "at most 20000 characters" in step.text


def test_an_unknown_tool_is_answered_by_asking_for_a_message(tmp_path: Path) -> None:
    with imported(SINGLE, tmp_path) as (_, module):
        episode = module("_shared.episode").Episode(module("tasks").TASKS["train"][0])
        step = episode.call("calculate", {})
        assert step.error == "unknown_tool"
        assert step.text == 'There is no tool "calculate". Answer with a message.'


def test_a_model_that_stops_is_silent_until_the_turns_are_over(tmp_path: Path) -> None:
    with imported(TALK, tmp_path) as (spec, _):
        book = write_scripts(spec, tmp_path / spec.name, "train", 2)
        silent = next(iter(book.scripts["noop"].values()))
        assert silent == (scripted.message(""),) * spec.episode.max_turns
        oracle = scripted.spoken(next(iter(book.scripts["oracle"].values())))
        assert oracle[0].text == "Which street does your parcel go to?"
        assert oracle[2].calls[0].tool == "find_parcels"


def test_random_messages_are_samples_answers_of_other_tasks_or_letters(tmp_path: Path) -> None:
    with imported(SINGLE, tmp_path) as (spec, module):
        book = write_scripts(spec, tmp_path / spec.name, "train", 10)
        tasks = module("tasks").TASKS["train"]
        said = {
            label: str(script[0].calls[0].arguments["text"])  # type: ignore[index]
            for label, script in book.scripts["random"].items()
        }
        assert len(set(said.values())) > 3
        assert max(map(len, said.values())) < 100
        for label, text in said.items():
            assert f"Answer: {tasks[int(label.split('/')[2])]['answer']}" not in text


def test_scores_for_trainers_are_the_returns_of_episodes(tmp_path: Path) -> None:
    with imported(SINGLE, tmp_path) as (spec, module):
        scoring = module("_shared.rollouts.scoring")
        rows = scoring.rows("train", [0, 1])
        assert rows[0]["prompt"][-1]["content"] == module("tasks").TASKS["train"][0]["question"]
        assert "answer" not in rows[0]
        right = [f"Answer: {module('tasks').TASKS['train'][index]['answer']}" for index in (0, 1)]
        columns = {key: [row[key] for row in rows] for key in ("split", "index", "seed")}
        chat = [[{"role": "assistant", "content": text}] for text in right]
        assert scoring.reward(chat, prompts=["", ""], **columns) == [1.0, 1.0]
        assert scoring.reward(right[::-1], **columns) == [0.0, 0.0]
        place = {"split": "train", "index": 0}
        assert scoring.compute_score(spec.name, right[0], "", place) == 1.0
        with pytest.raises(LookupError):
            scoring.score({"split": "train", "index": 10_000}, right[0])


WRONG = {
    "no action at all": ("message:", "notes:", "no field|notes"),
    "a tool of that name": (
        "tools:\n",
        "tools:\n  message: {description: Talk.}\n",
        "'message' is reserved",
    ),
}


@over(("old", "new", "said"), WRONG.values(), ids=WRONG)
def test_a_spec_without_an_action_or_with_two_of_a_name_is_refused(
    old: str, new: str, said: str, tmp_path: Path
) -> None:
    files = archetypes.start(TALK, "parcel_talk")
    write_files(tmp_path, files | {"env.yaml": files["env.yaml"].replace(old, new, 1)})
    with pytest.raises(SpecError, match=said):
        load(tmp_path)


def test_a_spec_needs_a_tool_or_a_message(tmp_path: Path) -> None:
    files = archetypes.start(SINGLE, "first_sums")
    text = files["env.yaml"]
    start, end = text.index("message:\n"), text.index("reward:")
    write_files(
        tmp_path, files | {"env.yaml": text[:start] + text[end:], "examples.yaml": "examples: []\n"}
    )
    with pytest.raises(SpecError, match="the model has no action"):
        load(tmp_path)


GRADERS = {
    "sound": ("", "", ""),
    "a sign that is lost": (
        "[*_ ]*(-?[0-9]{1,9}",
        "[*_ -]*(-?[0-9]{1,9}",
        "return int(found[1].replace(",
    ),
    "a number anywhere": (
        "given == self._answer",
        "str(self._answer) in text",
        "self.reward = 1.0 if str(self._answer) in text else 0.0",
    ),
}
REWARD = """
from world import Sums

def reward(completions, answer, **columns):
    paid = []
    for completion, right in zip(completions, answer):
        world = Sums({"answer": right}, 0)
        world.message(completion if isinstance(completion, str) else completion[-1]["content"])
        paid.append(world.reward)
    return paid
"""


@pytest.mark.everything("graders")
@pytest.mark.parametrize(("old", "new", "line"), GRADERS.values(), ids=GRADERS)
def test_a_build_finds_in_a_grader_what_an_audit_of_the_bare_grader_finds(
    old: str, new: str, line: str, tmp_path: Path
) -> None:
    files = archetypes.start(SINGLE, "sums")
    world = files["world.py"].replace(old, new) if old else files["world.py"]
    write_files(tmp_path / "sums", files | {"world.py": world})
    built = pipeline.check(tmp_path / "sums", play=True)
    spec = load(tmp_path / "sums")
    rows = [
        {
            "prompt": [
                {"role": "system", "content": spec.prompt.system},
                {"role": "user", "content": task["question"]},
            ],
            "answer": task["answer"],
        }
        for task in tasks_of(tmp_path / "sums")[:10]
    ]
    bare = {"world.py": world, "reward.py": REWARD, "rows.jsonl": "\n".join(map(json.dumps, rows))}
    write_files(tmp_path / "bare", bare)
    asked = AuditOptions(dataset=tmp_path / "bare" / "rows.jsonl")
    audited = audit(f"{tmp_path / 'bare' / 'reward.py'}:reward", options=asked)
    assert graded(built) == graded(audited) == ({"GRA001": "fail"} if old else {})
    deciding = [each for found in (built, audited) for each in lines_of(found)]
    assert len(deciding) == (2 if old else 0)
    assert all(line in each for each in deciding)


def lines_of(outcome: Outcome) -> list[str]:
    """The deciding lines that are named."""
    named = (each.message.partition("the deciding line is ") for each in outcome.report.findings)
    return [line for _, _, line in named if line]


def graded(outcome: Outcome) -> dict[str, str]:
    """What the checks of graders found."""
    return {
        each.check: each.status
        for each in outcome.report.findings
        if each.check.startswith("GRA") and each.status in ("fail", "warn")
    }


def tasks_of(folder: Path) -> list[dict[str, Any]]:
    known: dict[str, Any] = {}
    exec(compile((folder / "tasks.py").read_text("utf-8"), "tasks.py", "exec"), known)  # noqa: S102
    tasks: list[dict[str, Any]] = known["TASKS"]["train"]
    return tasks
