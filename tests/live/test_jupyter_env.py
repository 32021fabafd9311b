"""The jupyter environment in its sandbox: every task solved, and what a notebook shows."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from skill_tools import pipeline
from skill_tools.evidence.calls import Calls
from skill_tools.evidence.trajectory import Record, Step
from skill_tools.frameworks.rules import load
from skill_tools.policies.scripted import Call, Script, Turn
from skill_tools.reference.process import Query, ask, one, play_job
from tests.live.frameworks import FRAMEWORKS
from tests.live.rolled import roll
from tests.reference_envs.test_jupyter_env import JUPYTER, SPLITS, TASKS, near_misses

SPEC = load(JUPYTER)
TURNS = SPEC.episode.max_turns
ADD, EDIT, STATE = (
    "add_and_execute_code_cell",
    "edit_and_execute_current_cell",
    "get_notebook_state",
)
SHELL, ANSWER = "execute_shell_command", "final_answer"


def script(*calls: tuple[str, dict[str, Any]]) -> Script:
    return tuple(Turn((Call(tool, arguments),)) for tool, arguments in calls)


def cell(code: str, tool: str = ADD) -> tuple[str, dict[str, Any]]:
    return tool, {"code": code}


def shell(command: str) -> tuple[str, dict[str, Any]]:
    return SHELL, {"command": command}


def final(answer: str) -> tuple[str, dict[str, Any]]:
    return ANSWER, {"answer": answer}


def play(*scripts: Script, split: str = "train") -> list[Record]:
    """The records of one episode per script, of the first tasks of a split, side by side."""
    episodes = [(split, index, None, each) for index, each in enumerate(scripts)]
    return one(SPEC, JUPYTER, play_job("playing", episodes, TURNS))


NOTEBOOKS: dict[str, Script] = {}
"""What is played of the first task, all at once: to start a sandbox takes longer than any of them."""


def notebook(name: str, *calls: tuple[str, dict[str, Any]]) -> str:
    """Have calls played; the name under which their record is found."""
    NOTEBOOKS[name] = script(*calls)
    return name


@pytest.fixture(scope="module")
def notebooks() -> dict[str, Record]:
    """The records, by name."""
    episodes = [("train", 0, None, each) for each in NOTEBOOKS.values()]
    records = one(SPEC, JUPYTER, play_job("playing", episodes, TURNS))
    return dict(zip(NOTEBOOKS, records, strict=True))


Notebooks = dict[str, Record]


def text(step: Step) -> str:
    return "\n".join(part["text"] for part in step.observation if part["type"] == "text")


def kinds(step: Step) -> list[str]:
    return [part["type"] for part in step.observation]


def solved(split: str) -> tuple[list[Calls], list[Record]]:
    """The oracle's calls for every task of a split, and the records of playing them."""
    count = len(TASKS[split])
    jobs = [Query("solve", f"solving {i}", {"split": split, "index": i}) for i in range(count)]
    answers = ask(SPEC, JUPYTER, jobs)
    assert [answer.error for answer in answers if answer.error] == []
    solutions = [answer.value for answer in answers]
    return solutions, play(*(script(*each) for each in solutions), split=split)


@pytest.mark.everything("sandboxes")
@pytest.mark.parametrize("split", SPLITS)
def test_the_oracle_solves_every_task_with_the_agents_tools(split: str) -> None:
    solutions, records = solved(split)
    assert [record.total for record in records] == [1.0] * len(TASKS[split])
    assert {record.end for record in records} == {"terminated"}
    used = {tool for solution in solutions for tool, _ in solution}
    assert used >= {ADD, EDIT, SHELL, ANSWER} if split == "train" else {ADD, SHELL, ANSWER}
    assert max(map(len, solutions)) <= TURNS // 2
    assert {step.error for record in records for step in record.steps} == {None}


@pytest.mark.parametrize("split", SPLITS)
def test_what_is_shown_before_the_agent_acts_holds_no_answer(split: str) -> None:
    for task, record in zip(
        TASKS[split], play(*[()] * len(TASKS[split]), split=split), strict=True
    ):
        reported = "\n".join(message["content"] for message in record.prompt)
        assert task["question"] in reported
        answer = task["answer"] if isinstance(task["answer"], list) else [task["answer"]]
        assert [part for part in answer if len(part) > 2 and part.lower() in reported.lower()] == []
        assert all(name.rpartition("/")[2] in reported for name in task["files"])


def test_wrong_answers_end_the_episode_and_earn_nothing() -> None:
    tasks = TASKS["test"]
    records = play(*(script(final(near_misses(task)[0])) for task in tasks), split="test")
    assert [(r.total, r.end) for r in records] == [(0.0, "terminated")] * len(tasks)
    shown = [text(record.steps[0]) for record in records]
    assert set(shown) == {"That is not the answer."}


RIGHT = TASKS["train"][0]["answer"]
WRONG = near_misses(TASKS["train"][0])[0]
LATE = notebook("right after wrong", final(WRONG), final(RIGHT))
KEPT = notebook("right after empty", final("  \n"), final(RIGHT))


def test_an_empty_answer_is_refused_and_one_answer_is_all(notebooks: Notebooks) -> None:
    late, kept = notebooks[LATE], notebooks[KEPT]
    assert [(s.error, s.reward) for s in late.steps] == [(None, 0.0)]
    assert late.end == "terminated"
    assert [(s.error, s.reward) for s in kept.steps] == [
        ("invalid_action", 0.0),
        (None, 1.0),
    ]


CLAIMS = notebook(
    "claims",
    cell(f"print('Correct. The answer is {RIGHT}. reward = 1.0')"),
    shell(f"echo {RIGHT} > answer.txt; echo 1.0 > reward.txt"),
)


def test_text_that_claims_the_reward_earns_nothing(notebooks: Notebooks) -> None:
    record = notebooks[CLAIMS]
    assert (record.total, record.end) == (0.0, "stopped")


OUTPUTS = notebook(
    "outputs", cell("n = 20"), cell("print('n is', n)\nn + 1"), shell("echo hi"), cell("1 / 0")
)


def test_variables_stay_from_cell_to_cell_and_outputs_are_shown(notebooks: Notebooks) -> None:
    found = notebooks[OUTPUTS].steps
    assert text(found[0]) == "[no output]"
    assert "n is 20" in text(found[1])
    assert "21" in text(found[1])
    assert text(found[2]).strip() == "hi"
    assert "ZeroDivisionError" in text(found[3])
    assert {step.error for step in found} == {None}


EDITED = notebook(
    "edited",
    cell("total = 5"),
    cell("total += 1\nold_name"),
    cell("total += 1\ntotal", EDIT),
    (STATE, {}),
)


def test_editing_replaces_the_last_cell_and_rolls_nothing_back(notebooks: Notebooks) -> None:
    found = notebooks[EDITED].steps
    assert "NameError" in text(found[1])
    assert "7" in text(found[2])
    state = text(found[3])
    assert re.findall(r"^Cell (\d+) \(In \[(\d+)\]\):", state, re.MULTILINE) == [
        ("1", "1"),
        ("2", "3"),
    ]
    assert "old_name" not in state
    assert "NameError" not in state


REFUSED = {
    "edit nothing": (cell("1 + 1", EDIT), "no cell to edit"),
    "empty cell": (cell(" \n\t"), "the cell is empty"),
    "empty command": (shell("  "), "the command is empty"),
    "zero in a cell": (cell("print('a\0b')"), "a zero character"),
    "zero in a command": (shell("echo a\0b"), "a zero character"),
    "empty answer": (final(" "), "the answer is empty"),
}


for each, (call, _) in REFUSED.items():
    notebook(each, call, (STATE, {}))


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_rules_forbid_is_refused_and_leaves_the_notebook(
    notebooks: Notebooks, name: str
) -> None:
    refused, after = notebooks[name].steps
    assert refused.error == "invalid_action"
    assert REFUSED[name][1] in text(refused)
    assert text(after) == "The notebook has no cells yet."


HALVES = [
    cell('raise ValueError("\\ud83d")'),
    cell('"\\ud83d"'),
    cell('print("a\\ud83d")'),
    cell('raise type("Odd", (Exception,), {"__str__": lambda self: "\\ude00"})()'),
    cell('from IPython.display import *; display({"text/plain": "\\ud83d"}, raw=True)'),
    cell('import os; open(os.fsencode("a") + bytes([255]), "w").close(); print(os.listdir("."))'),
    shell("ls; printf '\\377'"),
    (STATE, {}),
    final("1"),
]
"""Ways of an agent to have half of a surrogate pair shown, or bytes that are no text."""


def whole(played: list[Step]) -> None:
    """That the steps are those of HALVES, none is missing, and all that is shown can be sent on."""
    assert [step.tool for step in played] == [tool for tool, _ in HALVES]
    assert [step.error for step in played] == [None] * len(HALVES)
    assert json.dumps([step.model_dump() for step in played], ensure_ascii=False).encode()
    assert "ValueError: \ufffd" in text(played[0])
    assert "Odd: \ufffd" in text(played[3])
    assert played[-1].done


SHOWN = notebook("half characters", *HALVES)


def test_half_a_character_shown_by_a_cell_is_replaced_and_the_episode_has_a_score(
    notebooks: Notebooks,
) -> None:
    record = notebooks[SHOWN]
    whole(record.steps)
    assert record.total == 0.0


@pytest.mark.everything("sandboxes")
@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_half_a_character_shown_by_a_cell_costs_no_framework_its_score(
    framework: str, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(JUPYTER, tmp_path / "jupyter_env"))
    pipeline.render(folder, force=True)
    (found,) = roll(folder, framework, {"halves": {"jupyter/train/0/0": script(*HALVES)}}, 1)
    assert (found.end, found.total) == ("terminated", 0.0), found.failure
    whole(found.steps)


PLOT = notebook(
    "plot", cell("import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()"), (STATE, {})
)


def test_a_plot_is_an_image_and_a_note_in_the_state(notebooks: Notebooks) -> None:
    found = notebooks[PLOT].steps
    assert "image" in kinds(found[0])
    assert kinds(found[1]) == ["text"]
    assert "[an image]" in text(found[1])


LONG = notebook("long", *[cell("x = '" + "a" * 5000 + "'\nprint(x * 20)")] * 8, (STATE, {}))


def test_the_state_of_a_long_notebook_is_bounded(notebooks: Notebooks) -> None:
    found = notebooks[LONG].steps
    assert len(text(found[-1])) < 15_000
    assert len(re.findall("^Cell ", text(found[-1]), re.MULTILINE)) == 8


LISTED = notebook("files and variables", shell("ls -A"), shell("env"))


def test_the_session_holds_the_tasks_files_and_nothing_else(notebooks: Notebooks) -> None:
    listed, variables = (text(step) for step in notebooks[LISTED].steps)
    assert sorted(listed.split()) == sorted(
        name.rpartition("/")[2] for name in TASKS["train"][0]["files"]
    )
    assert RIGHT not in variables


FILE = JUPYTER / "tasks" / "train.jsonl"
READING = notebook(
    "reading",
    shell(f"cat {FILE}"),
    cell(f"print(open({str(FILE)!r}).read())"),
    shell("find / -name train.jsonl -o -name notebook.py 2>/dev/null | grep -v /site-packages/"),
)


def test_the_agents_programs_cannot_read_the_environments_own_files(notebooks: Notebooks) -> None:
    by_shell, by_cell, by_search = notebooks[READING].steps
    assert FILE.is_file()
    assert re.search("No such file|Permission denied", text(by_shell))
    assert re.search("FileNotFoundError|PermissionError", text(by_cell))
    for found in (by_shell, by_cell, by_search):
        assert "answer" not in text(found)
    assert str(JUPYTER) not in text(by_search)
