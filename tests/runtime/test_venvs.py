"""Venvs: real ones of one small package; uv itself is only counted or cut off, never imitated."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from skill_tools.errors import InstallError
from skill_tools.runtime import venvs
from skill_tools.runtime.environment import child_environment

PYTHON = Path(sys.executable)
UNREACHABLE = "http://user:hunter2hunter2@127.0.0.1:9/simple"
LOOK = """
import importlib.metadata, json, sys
import iniconfig, the_domain.rules
print(json.dumps([sys.executable, iniconfig.__file__, the_domain.rules.ANSWER,
                  importlib.metadata.version("iniconfig"), sys.prefix]))
"""


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("SKILL_TOOLS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture(scope="module")
def iniconfig(tmp_path_factory):
    """A base with iniconfig, for tests that do not create one themselves."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SKILL_TOOLS_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield venvs.base(["iniconfig", "six"], PYTHON, ["six"])


@pytest.fixture
def domain(tmp_path):
    folder = tmp_path / "author's folder"
    folder.mkdir()
    (folder / "rules.py").write_text("ANSWER = 42\n")
    return folder


@pytest.fixture
def uv_calls(monkeypatch):
    calls: list[str] = []
    real = venvs.run_uv
    monkeypatch.setattr(venvs, "run_uv", lambda words: calls.append(words[1]) or real(words))
    return calls


def ask(python: Path, program: str) -> str:
    environment = child_environment({})
    command = [str(python), "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def age(cache: Path, days: float) -> None:
    old = time.time() - days * 86400
    for path in [*cache.glob("resolutions/*"), *cache.glob("*/*/used")]:
        os.utime(path, (old, old))


def test_a_base_is_made_once_and_found_without_uv(cache, uv_calls):
    said: list[str] = []
    first = venvs.base(["iniconfig"], PYTHON, progress=said.append)
    assert ask(first.python, "import iniconfig; print(iniconfig.__name__)") == "iniconfig\n"
    assert [line.split()[0] for line in said] == ["resolving", "installing"]
    assert first.resolved[0].startswith("iniconfig==")
    assert len(uv_calls) == 3
    assert venvs.base(["iniconfig"], PYTHON) == first
    assert len(uv_calls) == 3


def test_warm_imports_and_small_packages_are_compiled(iniconfig):
    folder = iniconfig.site_packages
    assert list(folder.glob("__pycache__/six.*.pyc"))
    assert list(folder.glob("iniconfig/__pycache__/exceptions.*.pyc"))


@pytest.mark.everything("costly")
def test_what_is_left_out_is_not_installed_and_makes_another_venv(cache):
    whole = venvs.base(["referencing"], PYTHON)
    lean = venvs.base(["referencing"], PYTHON, without=["rpds-py"])
    left_out = set(whole.resolved) - set(lean.resolved)
    assert [requirement.partition("==")[0] for requirement in left_out] == ["rpds-py"]
    assert whole.folder != lean.folder
    assert not list(lean.site_packages.glob("rpds*"))


def test_an_interrupted_creation_is_redone(cache):
    made = venvs.base(["iniconfig"], PYTHON)
    (made.folder / "complete").unlink()
    shutil.rmtree(made.site_packages / "iniconfig")
    assert venvs.base(["iniconfig"], PYTHON) == made
    assert (made.site_packages / "iniconfig").is_dir()


@pytest.mark.everything("costly")
def test_several_at_once_make_one(cache):
    program = (
        "import sys; from pathlib import Path; from skill_tools.runtime import venvs;"
        "print(venvs.base(['iniconfig'], Path(sys.executable), progress=print).folder)"
    )
    asking = [
        subprocess.Popen([PYTHON, "-c", program], stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    outputs = [process.communicate(timeout=60)[0] for process in asking]
    assert len({output.splitlines()[-1] for output in outputs}) == 1
    assert sum("installing 1 packages" in output for output in outputs) == 1


def test_versions_are_resolved_again_after_a_day(cache, uv_calls):
    venvs.base(["iniconfig"], PYTHON)
    age(cache, 1.1)
    uv_calls.clear()
    venvs.base(["iniconfig"], PYTHON)
    venvs.base(["iniconfig"], PYTHON)
    assert uv_calls == ["compile"]


def test_without_network_the_versions_of_last_time_are_used(cache, monkeypatch):
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")
    made = venvs.base(["iniconfig"], PYTHON)
    age(cache, 1.1)
    monkeypatch.setenv("UV_CACHE_DIR", str(cache / "empty"))
    monkeypatch.setenv("UV_OFFLINE", "1")
    said: list[str] = []
    assert venvs.base(["iniconfig"], PYTHON, progress=said.append) == made
    assert "cannot be reached" in said[-1]
    said.clear()
    assert venvs.base(["iniconfig"], PYTHON, progress=said.append) == made
    assert said == []  # and it is not tried again at every call


def test_without_network_or_memory_the_error_says_so_and_hides_passwords(cache, monkeypatch):
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")
    monkeypatch.setenv("UV_INDEX_URL", UNREACHABLE)
    monkeypatch.setenv("UV_CACHE_DIR", str(cache / "empty"))
    with pytest.raises(InstallError) as caught:
        venvs.base(["iniconfig"], PYTHON)
    message = str(caught.value)
    for part in ("iniconfig", "no network", "UV_INDEX_URL", "127.0.0.1:9"):
        assert part in message
    assert "hunter2hunter2" not in message


def test_settings_of_uv_that_an_install_obeys_are_named_when_it_fails(cache, monkeypatch):
    monkeypatch.setenv("UV_REQUIRE_HASHES", "1")
    with pytest.raises(InstallError) as caught:
        venvs.base(["iniconfig"], PYTHON)
    assert "set in your environment, and used by uv: UV_REQUIRE_HASHES" in str(caught.value)


@pytest.mark.parametrize(
    ("requirement", "message"),
    [
        ("iniconfig==99", "there is no version of iniconfig==99"),
        ("--index-url=http://example.org", "not a requirement"),
        ("iniconfig\n-r /etc/passwd", "not a requirement"),
    ],
)
def test_impossible_requirements(cache, requirement, message):
    with pytest.raises(InstallError, match=message):
        venvs.base([requirement], PYTHON)


def test_an_overlay_sees_its_links_and_its_base(cache, iniconfig, domain):
    over = venvs.overlay(iniconfig, "demo", {"the_domain": domain})
    executable, file, answer, version, prefix = json.loads(ask(over.python, LOOK))
    assert (executable, prefix) == (str(over.python), str(over.folder))
    assert Path(file).is_relative_to(iniconfig.site_packages)
    assert (answer, f"iniconfig=={version}" in iniconfig.resolved) == (42, True)
    nested = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {LOOK!r}], check=True)"
    assert json.loads(ask(over.python, nested))[2] == 42


def test_an_overlay_follows_the_author_s_edits(cache, iniconfig, domain):
    over = venvs.overlay(iniconfig, "demo", {"the_domain": domain})
    (domain / "rules.py").write_text("ANSWER = 43\n")
    assert json.loads(ask(over.python, LOOK))[2] == 43
    assert not (domain / "__pycache__").exists()


def test_overlays_are_reused_told_apart_and_repaired(cache, iniconfig, domain):
    over = venvs.overlay(iniconfig, "demo", {"the_domain": domain})
    inode = over.folder.stat().st_ino
    assert venvs.overlay(iniconfig, "demo", {"the_domain": domain}) == over
    assert over.folder.stat().st_ino == inode
    assert venvs.overlay(iniconfig, "demo", {"another": domain}).folder != over.folder
    link = next(over.folder.glob("lib/*/site-packages/the_domain"))
    link.unlink()
    venvs.overlay(iniconfig, "demo", {"the_domain": domain})
    assert json.loads(ask(over.python, LOOK))[2] == 42
    assert not [*cache.glob("overlays/new-*"), *cache.glob("overlays/old-*")]


def test_many_threads_make_one_overlay_quickly(cache, iniconfig, domain):
    made: list[venvs.Overlay] = []
    links = {"the_domain": domain}
    started = time.perf_counter()
    threads = [
        threading.Thread(target=lambda: made.append(venvs.overlay(iniconfig, "demo", links)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert time.perf_counter() - started < 2
    assert len(made) == 8
    assert len(set(made)) == 1


def test_scripts_run_with_the_overlay(cache, iniconfig, domain):
    script = iniconfig.folder / "bin" / "look"
    script.write_text(f"#!{iniconfig.python}\n{LOOK}")
    script.chmod(0o755)
    over = venvs.overlay(iniconfig, "with-script", {"the_domain": domain})
    done = subprocess.run(over.script("look"), capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)[2] == 42
    with pytest.raises(InstallError, match="no-such"):
        over.script("no-such")


def test_child_environment_has_no_secrets_and_no_venv(monkeypatch):
    for name in ("OPENAI_API_KEY", "HF_TOKEN", "AWS_SECRET_ACCESS_KEY", "UV_INDEX_X_PASSWORD"):
        monkeypatch.setenv(name, "hunter2")
    monkeypatch.setenv("VIRTUAL_ENV", "/x")
    monkeypatch.setenv("PYTHONPATH", "/x")
    child = child_environment({"E2B_API_KEY": "given"}, keep=["HF_TOKEN"])
    assert [name for name, value in child.items() if value == "hunter2"] == ["HF_TOKEN"]
    assert not {"VIRTUAL_ENV", "PYTHONPATH"} & set(child)
    assert child["E2B_API_KEY"] == "given"
    assert (child["PYTHONUNBUFFERED"], child["PYTHONDONTWRITEBYTECODE"]) == ("1", "1")
    assert child["PATH"] == os.environ["PATH"]


def test_prune_removes_what_nobody_used(cache, domain):
    made = venvs.base(["iniconfig"], PYTHON)
    over = venvs.overlay(made, "demo", {"the_domain": domain})
    assert venvs.prune() == []
    age(cache, 31)
    assert set(venvs.prune()) == {made.folder, over.folder}
    assert not made.folder.exists()
    assert (domain / "rules.py").exists()
    assert venvs.base(["iniconfig"], PYTHON) == made


def test_prune_leaves_alone_what_is_in_the_making(cache):
    made = venvs.base(["iniconfig"], PYTHON)
    age(cache, 31)
    with venvs._locked(made.folder.name):
        assert venvs.prune() == []
    assert made.folder.exists()
