"""Importing environments that exist already: each framework's, wrapped and equal to its original."""

from __future__ import annotations

import ast
import json
import re
import sys
from pathlib import Path

import pytest

import skill_tools
from skill_tools import CompareOptions, ImportOptions, SkillToolsError, SpecError
from skill_tools.audit.target import Target
from skill_tools.files import write_files
from skill_tools.frameworks import PLAYABLE, rules
from skill_tools.ports.exploration import Tour
from skill_tools.ports.original import Discovered
from skill_tools.ports.wrapped import task_table, wrap_files
from tests.live.frameworks import FRAMEWORK_NAMES
from tests.live.scaffolds import IDS, scaffold
from tests.over import over

ROWS = [
    {"prompt": f"What is {n} plus {n}? Write only the number.", "answer": str(2 * n)}
    for n in range(3, 19)
]
REWARD = '''
from words import plain

def reward(prompt, response, answer):
    """The score of one reply."""
    return float(plain(response) == answer)
'''
NOTE = '''
from mcp.server import MCPServer

note = MCPServer("note")

@note.tool()
def write(by: str | None = "Ann", to: str | None = None, at: str = "noon") -> str:
    """Write a note."""
    return repr((by, to, at))

note.run()
'''


def write_reward(folder: Path) -> Path:
    """A reward function that imports a module of its folder, and its rows."""
    (folder / "reward.py").write_text(REWARD, "utf-8")
    (folder / "words.py").write_text("def plain(text):\n    return text.strip()\n", "utf-8")
    (folder / "secrets.txt").write_text("not part of it", "utf-8")
    rows = folder / "rows.jsonl"
    rows.write_text("".join(f"{json.dumps(row)}\n" for row in ROWS), "utf-8")
    return rows


@pytest.fixture(scope="module")
def wrapped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wrapped reward function."""
    here = tmp_path_factory.mktemp("original")
    rows = write_reward(here)
    folder = here / "sums"
    options = ImportOptions(dataset=rows, num_tasks=10)
    made = skill_tools.import_environment(f"{here / 'reward.py'}:reward", folder, options=options)
    assert (made.tasks, made.solved, made.limits) == (10, 10, ())
    # The first episode starts the original, which must not stop a server from answering others.
    assert skill_tools.load(folder).waits
    return folder


def test_a_reward_function_is_wrapped_unchanged_with_what_it_imports(wrapped: Path) -> None:
    source = wrapped / "original" / "source"
    assert sorted(path.name for path in source.rglob("*.py")) == ["reward.py", "words.py"]
    assert (source.rglob("reward.py").__next__()).read_text("utf-8") == REWARD
    assert not list(source.rglob("secrets.txt"))
    found = skill_tools.check(wrapped, play=True, count=5)
    assert found.report.ok, [each.message for each in found.failures]
    assert "oracle" in (found.evidence.reference.episodes or {})


@pytest.mark.everything("costly")
def test_a_wrapped_environment_has_a_certificate(wrapped: Path) -> None:
    seen = skill_tools.compare(wrapped, options=CompareOptions(actions=40)).certificate
    assert (seen.verdict, seen.disagreements) == ("equal", [])


def test_what_cannot_be_imported_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    rows = write_reward(tmp_path)
    folder = tmp_path / "new"
    with pytest.raises(SkillToolsError, match="has no function 'rewards'; did you mean 'reward'"):
        skill_tools.import_environment(
            f"{tmp_path / 'reward.py'}:rewards", folder, options=ImportOptions(dataset=rows)
        )
    (tmp_path / "reward.py").write_text(
        "import no_such_module\ndef reward(response, answer): ...\n"
    )
    with pytest.raises(SkillToolsError, match="cannot be played: it needs the package with"):
        skill_tools.import_environment(
            f"{tmp_path / 'reward.py'}:reward", folder, options=ImportOptions(dataset=rows)
        )
    assert not folder.exists()
    folder.mkdir()
    (folder / "mine.txt").write_text("mine", "utf-8")
    with pytest.raises(SkillToolsError, match="is not empty"):
        skill_tools.import_environment(
            f"{tmp_path / 'reward.py'}:reward", folder, options=ImportOptions(dataset=rows)
        )
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]


@over(
    ("title", "tool", "argument", "refused"),
    [
        ('Game"""\nimport os\n"""', "go", "n", ""),
        ("Game\\", "go", "n", ""),
        ("Game", "go", "x=print(1), y", "y"),
        ("Game", "go now", "n", "go now"),
    ],
)
def test_what_an_original_says_never_becomes_code(
    tmp_path: Path, title: str, tool: str, argument: str, refused: str
) -> None:
    schema = {
        "type": "object",
        "properties": {argument: {"type": "integer"}},
        "required": [argument],
    }
    tools = {tool: {"name": tool, "description": title, "parameters": schema}}
    place = {"split": None, "index": None, "seed": 0}
    opening = [{"role": "user", "content": "Play."}]
    tour = Tour(openings=[opening], tools=tools, offered=[[tool]], best={0: ([], 0.0)})
    target = Target(title, PLAYABLE["openenv"])
    seen = Discovered(target, {"title": title, "places": [place]}, {}, (), "3.11", tmp_path)
    files = wrap_files("game", seen, tour, task_table(seen, tour), ImportOptions())
    write_files(tmp_path, files)
    (tmp_path / "original").mkdir()
    if refused:
        with pytest.raises(SpecError, match=re.escape(refused)):
            rules.load(tmp_path)
        return
    rules.load(tmp_path)
    body = ast.parse(files["world.py"]).body
    assert [type(node).__name__ for node in body if isinstance(node, ast.Import)] == []


@pytest.mark.everything("ports")
@pytest.mark.parametrize("framework", FRAMEWORK_NAMES)
def test_an_environment_of_any_framework_is_wrapped_and_equal(
    framework: str, tmp_path: Path
) -> None:
    theirs = scaffold(tmp_path / "their_game", framework, "right")
    rows = theirs / "rows.jsonl"
    options = ImportOptions(
        id=IDS.get(framework), dataset=rows if rows.exists() else None, num_tasks=4
    )
    made = skill_tools.import_environment(theirs, tmp_path / "ours", framework, options)
    assert made.framework == framework
    seen = skill_tools.compare(made.folder, options=CompareOptions(actions=40)).certificate
    assert seen.verdict == "equal", (seen.disagreements, seen.unstable, seen.not_compared)
    assert seen.actions >= 10


@pytest.mark.everything("ports")
def test_a_wrapped_environment_is_green_in_every_framework(wrapped: Path) -> None:
    built = skill_tools.build(wrapped, ["all"], count=3)
    assert built.report.ok, [each.message for each in built.failures]
    assert {*FRAMEWORK_NAMES} <= built.evidence.variants.rollouts.keys()


@pytest.mark.everything("ports")
def test_an_original_receives_null_but_not_what_the_model_left_out(tmp_path: Path) -> None:
    theirs = tmp_path / "note"
    theirs.mkdir()
    (theirs / "server.py").write_text(NOTE, "utf-8")
    options = ImportOptions(id=f"{sys.executable} server.py", num_tasks=2)
    made = skill_tools.import_environment(theirs, tmp_path / "ours", "mcp", options)
    played = skill_tools.try_calls(made.folder, [("write", {}), ("write", {"by": None})])
    shown = [step.observation[0]["text"] for step in played.steps]
    assert shown == ["('Ann', None, 'noon')", "(None, None, 'noon')"]


@pytest.mark.everything("ports")
def test_a_rewrite_keeps_the_original_to_compare_with(tmp_path: Path) -> None:
    rows = write_reward(tmp_path)
    folder = tmp_path / "sums"
    options = ImportOptions(dataset=rows, num_tasks=10, rewrite=True)
    skill_tools.import_environment(f"{tmp_path / 'reward.py'}:reward", folder, options=options)
    world = folder / "world.py"
    assert "include" not in (folder / "env.yaml").read_text("utf-8")
    text = world.read_text("utf-8")
    assert text.count("NotImplementedError") == 2
    seen = skill_tools.compare(folder, options=CompareOptions(actions=20)).certificate
    first = seen.disagreements[0]
    assert (seen.verdict, first.step, first.part) == ("different", 0, "opening")
    assert "observe is not written yet" in first.ours
    assert "What is" in first.theirs
    rewritten = f'''
import json
from pathlib import Path

ROWS = [json.loads(line) for line in {json.dumps(rows.read_text("utf-8"))}.splitlines()]

class InvalidAction(Exception):
    """Never raised."""

class Sums:
    """One question."""

    def __init__(self, task: dict, seed: int) -> None:
        self.row, self.reward, self.done = ROWS[task["index"]], 0.0, False

    def observe(self) -> str:
        return self.row["prompt"]

    def message(self, text: str) -> str:
        self.reward, self.done = float(text.strip() == self.row["answer"]), True
        return "(scored)"
'''
    world.write_text(rewritten, "utf-8")
    seen = skill_tools.compare(folder, options=CompareOptions(actions=60)).certificate
    assert (seen.verdict, seen.disagreements) == ("equal", [])
    world.write_text(rewritten.replace("text.strip() ==", "text.strip('.') =="), "utf-8")
    seen = skill_tools.compare(folder, options=CompareOptions(actions=600)).certificate
    assert seen.disagreements[0].part == "reward"
