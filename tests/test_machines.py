"""What a machine may be like and must not decide what is done: proxies, folders, streams."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from rl_env_harness.servers import loopback

from skill_tools import pipeline
from skill_tools.errors import SkillToolsError
from skill_tools.runtime import consent, places, venvs
from skill_tools.runtime.environment import child_environment

from .conftest import snapshot

DEAD = "127.0.0.1:9"
PROXIES = [
    f"http://{DEAD}",
    DEAD,
    f"socks5://{DEAD}",
    f"socks4://{DEAD}",
    f"socks://{DEAD}",
    "http://[",
]


class Answer(BaseHTTPRequestHandler):
    """Answers what it was asked for: a path by a client, an address by one that took it for a proxy."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.path.encode())

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{http.server_port}"
        http.shutdown()


@pytest.fixture
def variables(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """The environment of the test, without proxies; what a test does to it is undone."""
    kept = {
        name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")
    }
    monkeypatch.setattr(os, "environ", os.environ.copy())
    for name in set(os.environ) - set(kept):
        monkeypatch.delenv(name)
    monkeypatch.setattr(loopback, "_left_out", {})
    return monkeypatch


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files; nothing is known yet of where to write."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    for known in ("_found", "_made"):
        monkeypatch.setattr(places, known, {})
    monkeypatch.setattr(places, "_reported", set())
    for name in (*places.CHOSEN.values(), "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    return folder


def run(
    *arguments: object, powerless: bool = False, **environment: str
) -> subprocess.CompletedProcess[str]:
    """The command line as a user starts it; ``powerless`` without root's right to write anywhere."""
    command = [sys.executable, "-m", "skill_tools.cli", *map(str, arguments)]
    if powerless and os.geteuid() == 0:
        if not shutil.which("setpriv"):
            pytest.skip("this is root, whom no permission stops, and setpriv is not here")
        command = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", *command]
    settings = {**os.environ, "COLUMNS": "200", **environment}
    return subprocess.run(
        command, capture_output=True, text=True, errors="replace", env=settings, check=False
    )


@pytest.mark.everything("costly")
@pytest.mark.parametrize("proxy", PROXIES)
@pytest.mark.parametrize("name", ["ALL_PROXY", "http_proxy"])
def test_a_server_on_this_machine_is_asked_directly(
    server: str, variables: pytest.MonkeyPatch, name: str, proxy: str
) -> None:
    variables.setenv(name, proxy)
    loopback.spare(os.environ)
    for host in (server, server.replace("127.0.0.1", "localhost")):
        assert httpx.get(f"http://{host}/here").text == "/here"


def test_a_server_elsewhere_is_asked_through_the_proxy(
    server: str, variables: pytest.MonkeyPatch
) -> None:
    variables.setenv("HTTP_PROXY", f"http://{server}")
    variables.setenv("NO_PROXY", "intranet.example")
    loopback.spare(os.environ)
    assert httpx.get("http://model.example/v1").text == "http://model.example/v1"
    assert os.environ["no_proxy"].split(",")[0] == "intranet.example"
    assert loopback.unreachable("http://model.example/v1") == ""


def test_a_proxy_that_no_client_speaks_is_named_for_a_model_elsewhere_only(
    variables: pytest.MonkeyPatch,
) -> None:
    variables.setenv("ALL_PROXY", "socks4://me:secret@127.0.0.1:9")
    loopback.spare(os.environ)
    assert "ALL_PROXY is a socks4 proxy" in loopback.unreachable("https://model.example/v1")
    assert "secret" not in loopback.unreachable("https://model.example/v1")
    assert loopback.unreachable("http://127.0.0.1:8000/v1") == ""


def test_where_there_is_no_proxy_nothing_is_changed(variables: pytest.MonkeyPatch) -> None:
    before = dict(os.environ)
    loopback.spare(os.environ)
    assert dict(os.environ) == before


def test_a_child_gets_none_of_pythons_variables_and_all_of_others(
    variables: pytest.MonkeyPatch,
) -> None:
    for name in (
        "PYTHONSAFEPATH",
        "PYTHONINSPECT",
        "PYTHONOPTIMIZE",
        "PYTHON_GIL",
        "PYTHONWARNINGS",
    ):
        variables.setenv(name, "1")
    variables.setenv("PYTHONIOENCODING", "latin-1")
    variables.setenv("PYTHON_KEYRING_BACKEND", "mine")
    variables.setenv("HTTPS_PROXY", f"http://{DEAD}")
    found = child_environment({"PYTHONPATH": "/given"})
    asked = (
        'import sys; print("\\u2192 \\ud83d", flush=True); assert sys.flags.optimize == 0; assert 1'
    )
    reported = subprocess.run(
        [sys.executable, "-c", asked], env=found, capture_output=True, check=True, timeout=60
    )
    assert reported.stdout == "→ \\ud83d\n".encode()
    assert not {"PYTHONSAFEPATH", "PYTHONINSPECT", "PYTHON_GIL", "PYTHONWARNINGS"} & set(found)
    assert (found["PYTHON_KEYRING_BACKEND"], found["PYTHONPATH"]) == ("mine", "/given")
    assert found["HTTPS_PROXY"] == f"http://{DEAD}"
    assert "127.0.0.1" in found["no_proxy"].split(",")


def test_without_a_home_that_can_be_written_a_private_folder_is_used_and_said_once(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("HOME", "/dev/null/home")
    private = elsewhere / f"skill-tools-{os.getuid()}"
    assert venvs.cache_folder() == private / "cache"
    assert consent.data_folder() == private / "data"
    assert places.for_uv("uv") == {"UV_CACHE_DIR": str(private / "uv")}
    assert child_environment({})["HOME"] == str(private / "home")
    assert private.stat().st_mode & 0o777 == 0o700
    assert [str(private) in record.message for record in caplog.records] == [True]


def test_a_home_that_is_not_there_is_not_made(
    elsewhere: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "nonexistent"))
    assert places.place("cache").is_relative_to(elsewhere)
    assert not (tmp_path / "nonexistent").exists()


@pytest.mark.parametrize("of", ["a link", "open to all", "another user"])
def test_a_folder_that_is_not_ours_alone_is_not_used(
    elsewhere: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, of: str
) -> None:
    monkeypatch.setenv("HOME", "/dev/null/home")
    trap = elsewhere / f"skill-tools-{os.getuid()}"
    if of == "a link":
        trap.symlink_to(tmp_path, target_is_directory=True)
    else:
        trap.mkdir(mode=0o700)
    if of == "open to all":
        trap.chmod(0o777)
    if of == "another user":
        if os.geteuid() != 0:
            pytest.skip("only root can give a folder away")
        os.chown(trap, 12345, 12345)
    found = places.place("cache")
    assert not found.is_relative_to(trap)
    assert found.parent.parent == elsewhere
    assert not list(trap.glob("cache"))


def test_a_folder_that_a_variable_names_is_used_or_refused(
    elsewhere: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("SKILL_TOOLS_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(SkillToolsError, match=r"SKILL_TOOLS_CACHE is .*: Not a directory"):
        venvs.cache_folder()


@pytest.mark.everything("frameworks")
def test_a_read_only_environment_is_checked_and_not_half_rendered(
    counter: Path, tmp_path: Path
) -> None:
    data = {"SKILL_TOOLS_DATA": str(tmp_path / "data"), "powerless": True}
    counter.chmod(0o555)
    before = snapshot(counter)
    assert run("check", "--play", counter, "--num-tasks", "1", **data).returncode == 0
    for command in ("build", "render"):
        refused = run(command, counter, **data)
        assert refused.returncode == 2
        assert f"{counter} cannot be written" in refused.stderr
        assert "Traceback" not in refused.stderr
    assert snapshot(counter) == before


@pytest.mark.everything("costly")
def test_what_is_rendered_already_needs_no_writing(counter: Path) -> None:
    pipeline.render(counter)
    counter.chmod(0o555)
    assert run("render", counter, powerless=True).returncode == 0


@pytest.mark.everything("frameworks")
def test_the_episode_of_a_finding_is_kept_where_the_environment_cannot_be_written(
    counter: Path, tmp_path: Path
) -> None:
    game = counter / "game.py"
    game.write_text(game.read_text().replace("self.reward = 1.0", "self.reward = 1.4"))
    data = {"SKILL_TOOLS_DATA": str(tmp_path / "data"), "powerless": True}
    counter.chmod(0o555)
    found = run("check", "--play", counter, "--num-tasks", "1", **data)
    assert (found.returncode, "Traceback" in found.stderr) == (1, False)
    assert f"its runs are kept in {tmp_path / 'data' / 'runs'}" in found.stderr
    check = next(
        line.split()[-1] for line in found.stdout.splitlines() if "see: skill-tools replay" in line
    )
    assert run("replay", counter, check, **data).returncode == 0


@pytest.mark.everything("frameworks")
@pytest.mark.parametrize("works", [True, False])
def test_a_reader_that_leaves_changes_neither_the_work_nor_the_exit_code(
    counter: Path, works: bool
) -> None:
    if not works:
        game = counter / "game.py"
        game.write_text(game.read_text().replace("self.reward = 1.0", "self.reward = 1.4"))
    command = [
        sys.executable,
        "-m",
        "skill_tools.cli",
        "check",
        "--play",
        str(counter),
        "--num-tasks",
        "1",
    ]
    reader, writer = os.pipe()
    os.close(reader)  # as `| head` does once it has its lines
    ended = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (0 if works else 1, "")


@pytest.mark.everything("costly")
def test_both_streams_may_be_closed(counter: Path) -> None:
    command = [sys.executable, "-m", "skill_tools.cli", "check", str(counter)]
    shell = ["sh", "-c", 'exec "$@" >&- 2>&-', "sh", *command]
    assert subprocess.run(shell, check=False).returncode == 0


@pytest.mark.everything("frameworks")
def test_what_cannot_be_encoded_is_printed_as_its_code(counter: Path) -> None:
    spec = counter / "env.yaml"
    spec.write_text(spec.read_text().replace("title: Counter", "title: Zähler → 数"), "utf-8")
    for encoding in ("latin-1", "ascii", "utf-16"):
        ended = run("check", counter, PYTHONIOENCODING=encoding, PYTHONUTF8="0")
        assert ended.returncode == 0, ended.stderr
    assert r"\u2192" in run("check", counter, PYTHONIOENCODING="ascii").stdout


@pytest.mark.everything("costly")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_an_output_that_is_cut_because_the_disk_is_full_is_an_error() -> None:
    command = [sys.executable, "-m", "skill_tools.cli", "archetypes", "--json"]
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == 2
    assert "the output is not complete: No space left" in ended.stderr
