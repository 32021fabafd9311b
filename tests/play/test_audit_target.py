"""What is audited, by an address, a folder or a name."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from packaging.specifiers import SpecifierSet

from skill_tools.audit.solutions import match_solutions, read_solutions
from skill_tools.audit.target import recognise
from skill_tools.errors import DomainError, SkillToolsError
from skill_tools.pipeline.audits import read_arguments
from tests.over import over


def written(folder: Path, **files: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        path = folder / name.replace("__", ".")
        path.write_text(text, "utf-8")
    return folder


def test_a_folder_says_by_its_files_which_framework_it_is_for(tmp_path: Path) -> None:
    openenv = written(tmp_path / "echo_env", openenv__yaml="name: echo\napp: server.app:app\n")
    found = recognise(str(openenv))
    assert (found.framework.name, found.app) == ("openenv", "server.app:app")
    assert found.links == {"echo_env": openenv}
    ors = written(tmp_path / "maths", server__py="from openreward.environments import Server\n")
    assert recognise(str(ors)).framework.name == "ors"
    nemo = written(tmp_path / "cards", app__py="from nemo_gym import x\n")
    assert recognise(str(nemo)).framework.name == "nemo_gym"
    other = written(tmp_path / "other", main__py="print()\n")
    with pytest.raises(SkillToolsError, match="--framework; there are: openenv, ors"):
        recognise(str(other))


def test_what_a_folder_requires_of_its_framework_is_told_and_not_installed(tmp_path: Path) -> None:
    project = (
        '[project]\nname = "their-env"\n'
        'dependencies = ["openenv-core[core]>=0.2.2", "numpy>=2", "requests; python_version < \'3\'"]\n'
    )
    folder = written(tmp_path / "env", pyproject__toml=project, openenv__yaml="name: x\n")
    written(folder, requirements__txt="-e ../..\nrich  # for tables\n")
    found = recognise(str(folder))
    assert found.asked == "openenv-core[core]>=0.2.2"
    assert [line.split(";")[0].split(">")[0] for line in found.requirements] == [
        "numpy", "requests", "rich",
    ]  # fmt: skip


def test_what_no_index_has_is_left_out_and_told_unless_it_is_the_repository_itself(
    tmp_path: Path,
) -> None:
    (tmp_path / "resources_servers").mkdir()
    listed = "-e nemo-gym[dev] @ ../../\nrich\ngit+https://example.org/rules.git\n-e ../other\n"
    folder = written(tmp_path / "resources_servers/mine", app__py="import nemo_gym\n")
    written(folder, requirements__txt=listed)
    found = recognise(str(folder))
    assert found.left_out == ("git+https://example.org/rules.git", "-e ../other")
    assert (found.root, found.requirements) == (tmp_path, ("rich",))


def test_a_package_within_a_folder_is_what_is_imported(tmp_path: Path) -> None:
    folder = written(tmp_path / "words", pyproject__toml='[project]\nname = "their-words"\n')
    inner = written(folder / "their_words")
    (inner / "__init__.py").write_text("")
    found = recognise(str(folder), "verifiers")
    assert (found.id, found.links) == ("their_words", {"their_words": inner})


OLDER = "import verifiers as vf\n\ndef load_environment(size: int = 3, **kwargs):\n    ...\n"
TASKSET = "import verifiers.v1 as vf\n\nclass Words(vf.Taskset): ...\n"


def requires(name: str, *lines: str) -> str:
    return f'[project]\nname = "{name}"\ndependencies = {json.dumps(lines)}\n'


def test_who_defines_load_environment_is_of_the_older_api_and_a_taskset_is_not(
    tmp_path: Path,
) -> None:
    named = requires("their-words", "verifiers>=0.1.9", "nltk")
    file = written(tmp_path / "file", pyproject__toml=named, their_words__py=OLDER)
    found = recognise(str(file), arguments={"size": 5})
    assert (found.framework.name, found.id, found.links) == ("verifiers_v0", "their_words", {})
    assert found.arguments == {"size": 5}
    package = written(tmp_path / "package", pyproject__toml=named)
    inner = written(package / "their_words", words__py=OLDER)
    (inner / "__init__.py").write_text("from .words import load_environment\n")
    found = recognise(str(package))
    assert (found.framework.name, found.id) == ("verifiers_v0", "their_words")
    assert found.links == {"their_words": inner}
    v1 = written(tmp_path / "v1", pyproject__toml=requires("their-words", "verifiers>=0.4"))
    inner = written(v1 / "their_words")
    (inner / "__init__.py").write_text(f"{TASKSET}\n{OLDER}")
    assert recognise(str(v1)).framework.name == "verifiers"
    assert recognise(str(v1), "verifiers_v0").framework.name == "verifiers_v0"
    # A version for v1 that lies beside it is another module.
    written(file, their_words_v1__py=TASKSET)
    assert recognise(str(file)).framework.name == "verifiers_v0"
    assert recognise("their-words", "verifiers_v0").id == "their-words"


@over(
    ("asked", "source", "wanted"),
    [
        ("verifiers", "", []),
        ("verifiers>=0.1.9", "", ["verifiers>=0.1.9"]),
        ("verifiers==0.1.5.post0", "", ["verifiers==0.1.5.post0"]),
        ("verifiers[rl,ta]>=0.1.11.dev0", "", ["verifiers[ta]>=0.1.11.dev0"]),
        # What is asked for has no older API, or is no release: it is told, and decides nothing.
        ("verifiers>=0.4", "", []),
        ("verifiers @ git+https://github.com/PrimeIntellect-ai/verifiers@main", "", []),
        # What the source calls is no longer there in the newest of those that are asked for.
        ("verifiers>=0.1.4", "    def is_completed(self, messages, state):", ["<0.1.8", ">=0.1.4"]),
        ("verifiers>=0.1.8", "env.oai_tools", ["<0.1.11", ">=0.1.8"]),
        ("verifiers>=0.1.12", "env.oai_tools", ["verifiers>=0.1.12"]),
    ],
)
def test_the_older_apis_release_is_that_of_the_environment(
    asked: str, source: str, wanted: list[str], tmp_path: Path
) -> None:
    folder = written(
        tmp_path / "words", pyproject__toml=requires("words", asked), words__py=OLDER + source
    )
    found = recognise(str(folder))
    assert found.asked == asked
    assert [line for line in found.requirements if all(part in line for part in wanted)] == list(
        found.requirements
    )
    assert len(found.requirements) == bool(wanted)


def test_a_project_says_which_python_plays_it_where_the_framework_takes_that(
    tmp_path: Path,
) -> None:
    for asked, taken, refused in (
        (">=3.12", "3.12.4", "3.11.7"),
        (">=3.9", "3.11.7", "3.10.1"),
        (">=3.99", "3.11.7", "3.10.1"),  # none that the framework takes: it decides alone
        ("three", "3.11.7", "3.10.1"),
    ):
        folder = written(tmp_path / "words", words__py=OLDER)
        project = f'[project]\nname = "words"\nrequires-python = "{asked}"\n'
        written(folder, pyproject__toml=project)
        python = SpecifierSet(recognise(str(folder)).framework.python)
        assert python.contains(taken), asked
        assert not python.contains(refused), asked


def test_only_verifiers_environments_take_arguments(tmp_path: Path) -> None:
    openenv = written(tmp_path / "echo_env", openenv__yaml="name: echo\napp: server.app:app\n")
    with pytest.raises(SkillToolsError, match="OpenEnv environments accept no arguments"):
        recognise(str(openenv), arguments={"size": 1})
    assert read_arguments(["size=3", "name=a=b", 'of=["x"]']) == {
        "size": 3, "name": "a=b", "of": ["x"],
    }  # fmt: skip
    with pytest.raises(SkillToolsError, match="--arg key=value"):
        read_arguments(["size"])


def test_an_address_needs_its_framework_and_one_that_is_served() -> None:
    assert recognise("http://127.0.0.1:8000/", "openenv").url == "http://127.0.0.1:8000"
    with pytest.raises(SkillToolsError, match="cannot be detected from its name"):
        recognise("http://127.0.0.1:8000")
    with pytest.raises(SkillToolsError, match="GEM environments have no server address"):
        recognise("http://127.0.0.1:8000", "gem")


def test_an_id_is_one_of_a_registry() -> None:
    assert recognise("game:Wordle-v0-easy", "gem").id == "game:Wordle-v0-easy"
    with pytest.raises(DomainError, match="neither a folder nor an address"):
        recognise("echo", "openenv")
    with pytest.raises(SkillToolsError, match="there is no framework 'gim'; did you mean 'gem'"):
        recognise("x", "gim")


def test_a_class_is_named_by_its_file(tmp_path: Path) -> None:
    written(tmp_path / "theirs", shop__py="class Shop: ...\n")
    found = recognise(f"{tmp_path}/theirs/shop.py:Shop", "gymnasium", arguments={"goods": 3})
    assert (found.id, found.folder) == ("shop:Shop", tmp_path / "theirs")


def test_a_server_of_tools_is_a_command_that_finds_its_files_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = written(tmp_path / "a desk", server__py="")
    monkeypatch.chdir(folder)
    (folder / "python").symlink_to(sys.executable)
    found = recognise("./python server.py --port 1 'two words' -c x/y", "mcp")
    assert (found.folder, found.url) == (None, None)
    kept = ["--port", "1", "two words", "-c", "x/y"]
    assert shlex.split(found.id) == [str(folder / "python"), str(folder / "server.py"), *kept]
    inside = recognise(str(folder), "mcp", identity="python3 server.py")
    assert (inside.folder, inside.id) == (folder, "python3 server.py")
    assert recognise("http://127.0.0.1:8000/mcp", "mcp").url == "http://127.0.0.1:8000/mcp"


@over(
    ("target", "says"),
    [
        (".", "name the command with --id"),
        ("''", "starts no program"),
        ("no-such-program serve", "starts no program"),
        ("echo 'half", "is not a command: No closing quotation"),
    ],
)
def test_a_command_that_starts_nothing_is_refused(target: str, says: str) -> None:
    with pytest.raises(SkillToolsError, match=says):
        recognise(target, "mcp")


def test_a_registered_environment_in_a_folder_needs_its_id(tmp_path: Path) -> None:
    folder = written(tmp_path / "theirs")
    (folder / "__init__.py").write_text("import gem\n")
    with pytest.raises(SkillToolsError, match="--id"):
        recognise(str(folder), "gem")
    found = recognise(str(folder), "gem", identity="their:Game-v0")
    assert (found.imports, found.links) == (("theirs",), {"theirs": folder})


def test_solutions_are_calls_texts_or_recorded_trajectories(tmp_path: Path) -> None:
    file = tmp_path / "solved.json"
    calls = [{"tool": "guess", "arguments": {"word": "crane"}}]
    file.write_text(json.dumps([{"seed": 3, "calls": calls}, {"calls": [{"text": "#### 7"}]}]))
    said = [{"tool": "say", "arguments": {"text": "#### 7"}}]
    assert read_solutions(file) == {(None, None, 3): calls, (None, None, None): said}
    file.write_text(json.dumps([{"calls": [{"message": "#### 7"}]}]))
    assert read_solutions(file) == {(None, None, None): said}
    line = {
        "model": "gpt", "label": "x", "split": "train", "index": 1, "end": "terminated",
        "return": 1.0,
        "steps": [{**calls[0], "observation": [], "reward": 1.0, "done": True}],
    }  # fmt: skip
    recorded = tmp_path / "recorded.jsonl"
    recorded.write_text(json.dumps(line) + "\n")
    assert read_solutions(recorded) == {("train", 1, 0): calls}
    file.write_text('{"calls": 1}')
    with pytest.raises(SkillToolsError, match="has no solutions"):
        read_solutions(file)


SAID = [{"tool": "say", "arguments": {"text": "7"}}]
TASKS = [{"split": "tasks", "index": n, "seed": 7 * n} for n in range(2)]
IN_TASKS = {"tools": [{"name": "look"}], "places": TASKS, "splits": {"tasks": 5}}
IN_SEEDS = {**IN_TASKS, "places": [{"split": None, "index": None, "seed": n} for n in range(2)]}
IN_SEEDS["splits"] = {}


@over(
    ("found", "given", "place"),
    [
        (IN_TASKS, ("tasks", 1, 7), ("tasks", 1, 7)),
        (IN_TASKS, ("tasks", 1, None), ("tasks", 1, 7)),
        (IN_TASKS, (None, 1, None), ("tasks", 1, 7)),  # there is only one split
        (IN_SEEDS, (None, None, 1), (None, None, 1)),
        (IN_SEEDS, (None, None, None), (None, None, 0)),
    ],
)
def test_a_solution_is_matched_with_its_task(found: Any, given: Any, place: Any) -> None:
    assert match_solutions({given: SAID}, found) == {place: SAID}


@over(
    ("found", "given", "said"),
    [
        (
            {**IN_TASKS, "splits": {"tasks": 5, "test": 5}},
            (None, 1, None),
            "names no split.*'tasks', 'test'",
        ),
        (IN_TASKS, ("task", 1, None), "did you mean 'tasks'"),
        (IN_TASKS, ("tasks", 5, None), "names the index 5 in the split 'tasks' of 5 tasks"),
        (IN_TASKS, ("tasks", None, None), "names no index"),
        (IN_SEEDS, ("tasks", 1, None), "the tasks are seeds"),
        (IN_TASKS, ("tasks", 4, None), "none of the 1 solutions.*--num-tasks"),
        ({**IN_TASKS, "texts": False}, ("tasks", 1, None), "takes only calls.*look"),
    ],
)
def test_a_solution_that_cannot_be_played_is_refused(found: Any, given: Any, said: str) -> None:
    with pytest.raises(SkillToolsError, match=f"(?s){said}"):
        match_solutions({given: SAID}, found)


def test_a_folder_that_is_given_as_a_package_is_linked_with_what_it_requires(
    tmp_path: Path,
) -> None:
    project = '[project]\nname = "their-grading"\ndependencies = ["rich"]\n'
    folder = written(tmp_path / "grading", pyproject__toml=project)
    (folder / "src" / "their_grading").mkdir(parents=True)
    package = folder / "src" / "their_grading"
    (package / "__init__.py").write_text("")
    rows = written(tmp_path / "mine", rows__jsonl="{}\n", reward__py="def reward(x): ...\n")
    aimed = f"{rows}/reward.py:reward"
    found = recognise(aimed, tasks=rows / "rows.jsonl", requirements=[str(folder), "numpy>=2"])
    assert found.links == {"their_grading": package}
    assert set(found.requirements) == {"rich", "numpy>=2"}


@pytest.mark.parametrize(
    ("given", "said"),
    [("no/such/folder", "neither a folder nor a requirement"), ("empty", "has no package")],
)
def test_a_package_that_cannot_be_installed_is_named_before_anything_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str, said: str
) -> None:
    monkeypatch.chdir(
        written(tmp_path / "here", rows__jsonl="{}\n", reward__py="def reward(x): ...\n")
    )
    Path("empty").mkdir()
    with pytest.raises(SkillToolsError, match=f"--requirement {given}.*{said}"):
        recognise("reward.py:reward", tasks=Path("rows.jsonl"), requirements=[given])
