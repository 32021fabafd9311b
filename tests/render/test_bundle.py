"""Bundling: all that a variant needs, nothing that is to stay behind, or nothing at all."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from skill_tools.errors import DomainError, RenderError, SkillToolsError
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.pipeline import bundle, render
from skill_tools.render.wheel import EPISODE_MODULES, HARNESS
from skill_tools.rollouts.rollout import SHARED_REQUIREMENTS
from tests.conftest import snapshot, write_counter
from tests.over import over

WITH_PACKAGES = ("tasks: tasks:TASKS\n", "tasks: tasks:TASKS\npackages: [packaging>=24]\n")


def rendered(folder: Path, **changes: tuple[str, str] | list[tuple[str, str]]) -> Path:
    write_counter(folder, **changes)
    render(folder, list(FRAMEWORKS))
    return folder


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return rendered(tmp_path_factory.mktemp("once") / "counter")


@pytest.fixture
def env(once: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(once, tmp_path / "here" / "counter"))


def including(folder: Path, *names: str) -> Path:
    """The counter, whose spec includes ``names``; to be rendered when they are there."""
    return write_counter(folder, env=("tool", f"include: {json.dumps(names)}\ntool"))


def refused(env: Path, expected: str, framework: str = "ors", output: Path | None = None) -> None:
    """Bundling says what is wrong, and neither writes nor leaves anything anywhere near."""
    before = snapshot(env.parent), sorted(env.parent.rglob("*"))
    with pytest.raises((RenderError, DomainError), match=expected):
        bundle(env, framework, output)
    assert (snapshot(env.parent), sorted(env.parent.rglob("*"))) == before


@pytest.mark.everything("publishing")
@pytest.mark.parametrize("name", FRAMEWORKS)
def test_a_bundle_holds_the_variant_the_domain_and_nothing_else(name: str, env: Path) -> None:
    (env / "runs").mkdir()
    for kept in ("report.md", "evidence.json.gz"):
        (env / "runs" / kept).write_text("mine")
    (env / name / "rollout.py.orig").write_text("mine")
    (env / name / ".venv").mkdir()
    framework = FRAMEWORKS[name]
    made = bundle(env, name)
    assert made.folder == env.parent / f"counter_{name}"
    assert tuple(snapshot(made.folder)) == made.files
    variant = {path for path in snapshot(env / name) if not path.endswith(".orig")}
    domain = {f"counter_domain/{module}.py" for module in ("game", "tasks")}
    domain |= {f"counter_domain/_shared/{module}.py" for module in EPISODE_MODULES}
    hub = {
        path.relative_to(framework.bundled).as_posix().removesuffix(".jinja")
        for path in framework.bundled.rglob("*.jinja")
    }
    hub = {path.replace("{{ spec.name }}", "counter") for path in hub}
    assert set(made.files) == (variant - framework.not_bundled) | domain | hub | {
        *HARNESS.sources()
    }
    for path in (
        "game.py",
        "tasks.py",
        *(f"_shared/{module}.py" for module in EPISODE_MODULES - {"env_spec"}),
    ):
        assert (made.folder / "counter_domain" / path).read_bytes() == (env / path).read_bytes()


@pytest.mark.live
@pytest.mark.parametrize("name", FRAMEWORKS)
def test_a_bundle_requires_what_the_domain_does_and_nothing_outside(
    name: str, tmp_path: Path
) -> None:
    env = rendered(tmp_path / "counter", env=WITH_PACKAGES)
    files = {path: text.decode() for path, text in snapshot(bundle(env, name).folder).items()}
    wanted = {*FRAMEWORKS[name].requirements, *SHARED_REQUIREMENTS, "packaging>=24"}
    assert {"requirements.txt", "pyproject.toml"} & set(files)
    if "requirements.txt" in files:
        listed = [line for line in files["requirements.txt"].splitlines() if line[:1] != "#"]
        assert wanted <= set(listed)
        assert not [line for line in listed if "/" in line]
    if "pyproject.toml" in files:
        project = tomllib.loads(files["pyproject.toml"])
        assert set(project["project"]["dependencies"]) == wanted
        assert "sources" not in project.get("tool", {}).get("uv", {})
    for path, text in files.items():
        assert "skill-tools bundle .." not in text, path
        assert "../" not in text, path


@pytest.mark.everything("publishing")
@pytest.mark.parametrize("name", FRAMEWORKS)
def test_the_domain_of_a_bundle_is_importable_in_its_folder(name: str, env: Path) -> None:
    folder = bundle(env, name).folder
    shutil.rmtree(env)
    program = "from counter_domain._shared import task_table as t; print(t.__file__, t.splits())"
    (folder / "probe.py").write_text(program)
    for command in (["probe.py"], ["-m", "probe"]):
        run = subprocess.run(
            [sys.executable, *command], cwd=folder, capture_output=True, text=True, check=True
        )
        assert (
            run.stdout.strip() == f"{folder}/counter_domain/_shared/task_table.py ['train', 'test']"
        )


@pytest.mark.everything("costly")
def test_the_same_folder_gives_the_same_bytes(env: Path, tmp_path: Path) -> None:
    first = bundle(env, "openenv", tmp_path / "first").folder
    assert snapshot(first) == snapshot(bundle(env, "openenv", tmp_path / "second").folder)


@pytest.mark.everything("costly")
def test_task_files_and_whatever_is_included_come_along(tmp_path: Path) -> None:
    env = including(tmp_path / "counter", "words.txt", "data/deep/a.bin")
    spec = env / "env.yaml"
    spec.write_text(spec.read_text().replace("tasks:TASKS", "tasks/{split}.jsonl"))
    (env / "tasks.py").unlink()
    for path in ("data/deep/a.bin", "data/deep/b.bin", "words.txt", "other.py",
                 "tasks/test.jsonl", "tasks/train.jsonl", "tasks/train.jsonl.orig"):  # fmt: skip
        (env / path).parent.mkdir(parents=True, exist_ok=True)
        (env / path).write_text('{"id": "0", "target_word": "zebra"}\n')
    render(env)
    own = [p for p in bundle(env, "verifiers").files if p.startswith("counter_domain/")]
    expected = [f"_shared/{name}.py" for name in sorted(EPISODE_MODULES)]
    expected += ["data/deep/a.bin", "game.py", "tasks/test.jsonl", "tasks/train.jsonl", "words.txt"]
    assert own == [f"counter_domain/{path}" for path in expected]


def edit(path: Path) -> None:
    path.write_text(path.read_text() + "# mine\n")


@pytest.mark.everything("costly")
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda env: edit(env / "ors" / "server.py"), "edited: ors/server.py"),
        (lambda env: edit(env / "_shared/episode.py"), "edited: _shared/episode.py"),
        (lambda env: (env / "ors" / "rollout.py").unlink(), "missing: ors/rollout.py"),
        (lambda env: shutil.rmtree(env / "ors"), "missing: ors/server.py"),
        (
            lambda env: (env / "env.lock.json").unlink() or edit(env / "_shared/blocks.py"),
            "edited: _shared/blocks.py",
        ),
        (
            lambda env: (env / "env.yaml").write_text(
                (env / "env.yaml").read_text().replace("max_turns: 6", "max_turns: 7")
            ),
            r"stale: _shared/env_spec.py",
        ),
    ],
)
def test_what_is_not_as_rendered_is_refused_by_name(
    env: Path, change: Callable[[Path], object], expected: str
) -> None:
    change(env)
    refused(env, expected)


def test_what_was_never_rendered_is_refused(counter: Path) -> None:
    refused(counter, "new: ors/server.py")
    render(counter, ["openenv"])
    refused(counter, "new: ors/server.py")
    assert bundle(counter, "openenv").files


def test_a_framework_that_was_not_rendered_is_refused(tmp_path: Path) -> None:
    env = write_counter(tmp_path / "counter", env=("tools:", "frameworks: [openenv]\ntools:"))
    render(env)
    refused(env, r"ors is not rendered in .*(.|\n)*fix: `skill-tools build .* -f ors`")


@pytest.mark.everything("costly")
def test_a_framework_that_was_rendered_on_request_is_bundled(tmp_path: Path) -> None:
    env = write_counter(tmp_path / "counter", env=("tools:", "frameworks: [openenv]\ntools:"))
    render(env, ["gem"])
    assert "counter_gem.py" in bundle(env, "gem").files


def test_another_variants_edit_is_no_obstacle(env: Path) -> None:
    edit(env / "openenv" / "rollout.py")
    assert bundle(env, "ors").files
    refused(env, "edited: openenv/rollout.py", "openenv")


def test_a_folder_that_holds_something_is_never_touched(env: Path) -> None:
    taken = env.parent / "taken"
    taken.mkdir()
    assert bundle(env, "ors", taken).folder == taken
    refused(env, "is not empty", output=taken)
    refused(env, "is not empty", output=env)
    refused(env, "is not empty", output=env / "game.py")
    (env.parent / "file").touch()
    refused(env, "cannot write", output=env.parent / "file" / "below")


@pytest.mark.parametrize("place", ["ors/out", "openenv/deep/out", "runs/out", "tasks.py/x"])
def test_the_environments_own_folders_are_no_place_for_a_bundle(env: Path, place: str) -> None:
    refused(env, "inside the environment's folder", output=env / place)


def test_folders_above_the_output_are_made(env: Path) -> None:
    made = bundle(env, "ors", env.parent / "new" / "deep" / "out")
    assert (made.folder / "server.py").is_file()
    assert sorted(env.parent.iterdir()) == [env, env.parent / "new"]
    assert (made.folder.stat().st_mode & 0o777) == (made.folder.parent.stat().st_mode & 0o777)


@pytest.mark.everything("costly")
def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a.txt").write_text("private")
    env = including(tmp_path / "0" / "counter", "a.txt")
    (env / "a.txt").symlink_to(tmp_path / "outside" / "a.txt")
    render(env)
    refused(env, "a.txt is a link to a place outside")
    env = including(tmp_path / "1" / "counter", "data/a.txt")
    (env / "data").symlink_to(tmp_path / "outside")
    render(env)
    refused(env, "data/a.txt is a link to a place outside")
    env = write_counter(tmp_path / "2" / "counter", env=("tasks:TASKS", "tasks/{split}.jsonl"))
    (tmp_path / "outside" / "train.jsonl").write_text('{"target_word": "zebra"}')
    (env / "tasks").mkdir()
    (env / "tasks" / "train.jsonl").symlink_to(tmp_path / "outside" / "train.jsonl")
    render(env)
    refused(env, "train.jsonl is a link to a place outside")


def test_a_link_to_the_domain_module_out_of_the_folder_is_refused(env: Path) -> None:
    (env / "game.py").rename(env.parent / "elsewhere.py")
    (env / "game.py").symlink_to(env.parent / "elsewhere.py")
    refused(env, "game.py is a link to a place outside")


@pytest.mark.everything("costly")
def test_a_link_within_the_folder_is_copied_as_what_it_shows(tmp_path: Path) -> None:
    env = including(tmp_path / "counter", "words.txt")
    (env / "real.txt").write_text("words")
    (env / "words.txt").symlink_to("real.txt")
    render(env)
    copied = bundle(env, "ors").folder / "counter_domain" / "words.txt"
    assert (copied.is_symlink(), copied.read_text()) == (False, "words")


@pytest.mark.everything("costly")
def test_the_oracle_is_never_published(tmp_path: Path) -> None:
    by_name = including(tmp_path / "0" / "counter", "oracle.py")
    render(by_name)
    refused(by_name, "oracle.py is the oracle")
    by_link = including(tmp_path / "1" / "counter", "help.py")
    (by_link / "help.py").symlink_to("oracle.py")
    render(by_link)
    refused(by_link, "help.py is the oracle")


@pytest.mark.everything("costly")
@over(
    "named",
    [
        *("env.lock.json", "runs/report.md", "runs/evidence.json.gz", "ors/README.md"),
        *("game.py.orig", ".env", "link"),
    ],
    few=2,
    part="publishing",
)
def test_what_is_no_part_of_the_domain_is_never_published(tmp_path: Path, named: str) -> None:
    env = including(tmp_path / "here" / "counter", named)
    (env / "runs").mkdir()
    for path in ("runs/report.md", "runs/evidence.json.gz", "game.py.orig", ".env"):
        (env / path).write_text("mine")
    (env / "link").symlink_to("env.lock.json")
    spec = (env / "env.yaml").read_text()
    (env / "env.yaml").write_text(spec.replace(named, "game.py"))
    render(env)
    (env / "env.yaml").write_text(spec)
    render(env)
    refused(env, f"{named} is not part of the domain")


def test_task_files_must_be_there(tmp_path: Path) -> None:
    env = write_counter(tmp_path / "counter", env=("tasks:TASKS", "tasks/{split}.jsonl"))
    render(env)
    refused(env, "the file that tasks/{split}.jsonl names does not exist")


@pytest.mark.everything("publishing")
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("import random\n", "import random\nfrom . import rules\n"), "rules"),
        (("import random\n", "import random\nfrom .oracle import solve\n"), "oracle"),
        (
            (
                '        self.word = task["target_word"]',
                '        self.word = open(__file__.replace("game.py", "words.txt")).read()',
            ),
            "words.txt",
        ),
    ],
)
def test_a_domain_that_needs_what_stays_behind_is_refused(
    tmp_path: Path, change: tuple[str, str], expected: str
) -> None:
    env = write_counter(tmp_path / "here" / "counter", game=change, oracle=("from .game", "#"))
    (env / "rules.py").touch()
    (env / "words.txt").write_text("words")
    render(env)
    refused(env, f"(?s)does not work without files that are not published.*{expected}.*include")


def test_a_domain_that_does_not_work_anywhere_is_not_told_to_include_more(tmp_path: Path) -> None:
    broken = ("        self.value = 0", "        self.value = 1 // 0")
    env = rendered(tmp_path / "here" / "counter", game=broken)
    refused(env, r"^opening the first episodes failed: (.|\n)*ZeroDivisionError")


def test_an_unknown_framework_is_named(env: Path) -> None:
    with pytest.raises(
        SkillToolsError, match=r"no framework 'orss'; did you mean 'ors'\? there are: openenv, ors"
    ):
        bundle(env, "orss")


@pytest.mark.live
def test_the_command_says_where_the_bundle_is_and_what_comes_next(env: Path) -> None:
    command = [sys.executable, "-m", "skill_tools.cli", "bundle", str(env)]
    run = subprocess.run([*command, "openenv"], capture_output=True, text=True, check=True)
    assert f"files to {env.parent / 'counter_openenv'}" in run.stdout.replace("\n", "")
    assert "openenv push" in run.stdout
    again = subprocess.run([*command, "openenv"], capture_output=True, text=True, check=False)
    assert (again.returncode, "is not empty" in again.stderr) == (2, True)
    options = ["ors", "--json", "--output", str(env.parent / "out")]
    found = json.loads(
        subprocess.run([*command, *options], capture_output=True, text=True, check=True).stdout
    )
    assert found["folder"] == str(env.parent / "out")
    assert "counter_domain/game.py" in found["files"]
