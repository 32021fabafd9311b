"""Writing a plan: edited files are never lost, left-over files go only if they are ours."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path

import pytest

from skill_tools.errors import RenderError
from skill_tools.frameworks.rules import load
from skill_tools.pipeline import render
from skill_tools.render.plan import plan
from skill_tools.render.writer import states, write
from tests.conftest import snapshot, write_counter


def state_of(folder: Path, path: str) -> str:
    return {s.path: s.state for s in states(folder, plan(load(folder)))}[path]


def test_rendering_twice_changes_nothing(counter: Path) -> None:
    render(counter)
    before = snapshot(counter)
    found = render(counter).files
    assert {state.state for state in found} == {"clean"}
    assert snapshot(counter) == before


def test_an_edited_file_is_refused_and_nothing_is_written(counter: Path) -> None:
    render(counter)
    target = counter / "ors" / "server.py"
    target.write_text(target.read_text() + "# mine\n")
    spec = counter / "env.yaml"
    spec.write_text(spec.read_text().replace("max_turns: 6", "max_turns: 7"))
    before = snapshot(counter)
    with pytest.raises(RenderError, match=r"ors/server\.py"):
        render(counter)
    assert snapshot(counter) == before
    assert state_of(counter, "ors/server.py") == "edited"
    assert state_of(counter, "_shared/env_spec.py") == "stale"


def test_force_overwrites_an_edited_file_and_keeps_a_backup_each_time(counter: Path) -> None:
    render(counter)
    target = counter / "ors" / "server.py"
    ours = target.read_text()
    for number, mine in enumerate(("# one\n", "# two\n"), 1):
        target.write_text(mine)
        render(counter, force=True)
        assert target.read_text() == ours
        backup = "server.py.orig" if number == 1 else f"server.py.orig{number}"
        assert (target.parent / backup).read_text() == mine


def test_a_file_that_was_there_first_is_not_overwritten(counter: Path) -> None:
    (counter / "README.md").write_text("mine\n")
    with pytest.raises(RenderError, match=r"README\.md"):
        render(counter)
    assert not (counter / "openenv").exists()


def test_files_of_a_dropped_framework_go_only_if_they_are_clean(counter: Path) -> None:
    render(counter)
    edited = counter / "ors" / "README.md"
    edited.write_text("mine\n")
    spec = counter / "env.yaml"
    spec.write_text(spec.read_text() + "frameworks: [openenv, verifiers, nemo_gym]\n")
    render(counter)
    assert [path.name for path in (counter / "ors").iterdir()] == ["README.md"]
    assert edited.read_text() == "mine\n"
    assert state_of(counter, "ors/README.md") == "kept"


def test_a_deleted_file_is_written_again(counter: Path) -> None:
    render(counter)
    (counter / "_shared/episode.py").unlink()
    assert state_of(counter, "_shared/episode.py") == "missing"
    render(counter)
    assert state_of(counter, "_shared/episode.py") == "clean"


def test_a_broken_lock_file_is_an_error_with_a_remedy(counter: Path) -> None:
    render(counter)
    (counter / "env.lock.json").write_text("{")
    with pytest.raises(RenderError, match="not a lock file from a rendering"):
        render(counter)


def test_a_lock_file_cannot_make_us_delete_outside_the_folder(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "env")
    victim = tmp_path / "victim.txt"
    victim.write_text("precious")
    render(folder)
    lock = folder / "env.lock.json"
    data = json.loads(lock.read_text())
    data["files"]["../victim.txt"] = "0" * 64
    lock.write_text(json.dumps(data))
    with pytest.raises(RenderError, match="is outside"):
        render(folder)
    assert victim.read_text() == "precious"


def test_a_lock_file_cannot_make_us_delete_what_the_author_wrote(counter: Path) -> None:
    render(counter)
    lock = counter / "env.lock.json"
    data = json.loads(lock.read_text())
    for name in ("game.py", "oracle.py"):
        data["files"][name] = hashlib.sha256((counter / name).read_bytes()).hexdigest()
    lock.write_text(json.dumps(data))
    render(counter)
    assert (counter / "game.py").is_file()
    assert (counter / "oracle.py").is_file()


def test_a_folder_in_the_way_is_an_error_before_anything_is_written(counter: Path) -> None:
    (counter / "_shared/episode.py").mkdir(parents=True)
    with pytest.raises(RenderError, match="but skill-tools must"):
        write(counter, load(counter), plan(load(counter)))
    assert not (counter / "openenv").exists()


@pytest.mark.everything("costly")
def test_rendering_one_framework_leaves_the_others_alone(counter: Path) -> None:
    render(counter)
    spec = counter / "env.yaml"
    spec.write_text(spec.read_text().replace("max_turns: 6", "max_turns: 7"))
    before = snapshot(counter / "ors")
    (counter / "openenv" / "rollout.py").unlink()
    render(counter, ["openenv"])
    assert (counter / "openenv" / "rollout.py").is_file()
    assert snapshot(counter / "ors") == before
    assert state_of(counter, "openenv/rollout.py") == "clean"
    assert state_of(counter, "_shared/episode.py") == "clean"
    assert "edited" not in {s.state for s in states(counter, plan(load(counter)))}


def test_a_file_in_a_folders_way_is_an_error_before_anything_is_written(counter: Path) -> None:
    (counter / "verifiers").write_text("mine")
    before = snapshot(counter)
    with pytest.raises(RenderError, match="but skill-tools must"):
        render(counter)
    assert snapshot(counter) == before


def test_other_line_ends_alone_are_no_edit(counter: Path) -> None:
    render(counter)
    texts = [path for path in plan(load(counter)) if not path.endswith(".whl")]
    for path in (*texts, "env.lock.json", "game.py", "tasks.py", "env.yaml"):
        file = counter / path
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    before = snapshot(counter)
    assert not render(counter).changes
    assert snapshot(counter) == before
    server = counter / "ors" / "server.py"
    server.write_bytes(server.read_bytes() + b"# mine\r\n")
    assert state_of(counter, "ors/server.py") == "edited"
    spec = counter / "env.yaml"
    spec.write_bytes(spec.read_bytes().replace(b"max_turns: 6", b"max_turns: 7"))
    assert state_of(counter, "_shared/env_spec.py") == "stale"


def test_git_checks_out_what_is_rendered_with_the_line_ends_that_it_was_written_with(
    counter: Path, tmp_path: Path
) -> None:
    render(counter)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "core.autocrlf=true"]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "one"]):
        subprocess.run([*git, *command], cwd=counter, check=True, capture_output=True)
    clone = tmp_path / "clone"
    subprocess.run([*git, "clone", "-q", counter, clone], check=True, capture_output=True)
    assert b"\r\n" in (clone / "game.py").read_bytes()
    rendered = [*plan(load(counter)), "env.lock.json"]
    assert {path: (clone / path).read_bytes() for path in rendered} == {
        path: (counter / path).read_bytes() for path in rendered
    }


def test_attributes_of_the_authors_own_stay_as_they_are(counter: Path) -> None:
    own = counter / ".gitattributes"
    for text in ("*.png binary\n", "*.jpg binary\n"):
        own.write_text(text)
        render(counter)
        assert own.read_text() == text
        assert ".gitattributes" not in (counter / "env.lock.json").read_text()
    own.unlink()
    render(counter)
    assert "linguist-generated" in own.read_text()
    own.write_text(f"{own.read_text()}*.png binary\n")
    assert not render(counter).changes
    assert own.read_text().endswith("*.png binary\n")
