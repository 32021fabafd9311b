"""What is audited, by an address, a folder or a name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skill_tools.errors import DomainError, SkillToolsError
from skill_tools.play.audits.audit import read_solutions
from skill_tools.play.audits.target import recognise


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


def test_a_package_within_a_folder_is_what_is_imported(tmp_path: Path) -> None:
    folder = written(tmp_path / "words", pyproject__toml='[project]\nname = "their-words"\n')
    inner = written(folder / "their_words")
    (inner / "__init__.py").write_text("")
    found = recognise(str(folder), "verifiers")
    assert (found.id, found.links) == ("their_words", {"their_words": inner})


def test_an_address_needs_its_framework_and_one_that_is_served() -> None:
    assert recognise("http://127.0.0.1:8000/", "openenv").url == "http://127.0.0.1:8000"
    with pytest.raises(SkillToolsError, match="cannot be told from its name"):
        recognise("http://127.0.0.1:8000")
    with pytest.raises(SkillToolsError, match="GEM is not served"):
        recognise("http://127.0.0.1:8000", "gem")


def test_an_id_is_one_of_a_registry() -> None:
    assert recognise("game:Wordle-v0-easy", "gem").id == "game:Wordle-v0-easy"
    with pytest.raises(DomainError, match="neither a folder nor an address"):
        recognise("echo", "openenv")
    with pytest.raises(SkillToolsError, match="there is no framework 'gim'; did you mean 'gem'"):
        recognise("x", "gim")


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
    assert read_solutions(file) == {(None, None, 3): calls, (None, None, 0): said}
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
