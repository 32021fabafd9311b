"""Audits of servers at an address that want a token: it reaches them, and nothing that is kept."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from contextlib import AbstractContextManager
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from skill_tools.audit.driver import DriverSession
from skill_tools.audit.target import recognise
from skill_tools.audit.target_venv import target_venv
from skill_tools.errors import SkillToolsError
from skill_tools.runtime.progress import silent
from tests.audits import audit
from tests.conftest import WORDLE

from .scaffolds import scaffold
from .served import SERVERS, answering, serving

everything = pytest.mark.everything("audit")
TOKEN = "let-me-in-4711/+="
ROW = {"responses_create_params": {"input": []}, "split": "train", "index": 0}
PATHS = {"/reset": {"post": {}}, "/step": {"post": {}}}


def audit_at(url: str, framework: str, folder: Path, token: str | None) -> tuple[int, str]:
    """The exit code and all that a person sees of an audit on the command line."""
    (folder / "rows.jsonl").write_text(json.dumps(ROW) + "\n", "utf-8")
    environment = {name: value for name, value in os.environ.items() if "TOKEN" not in name}
    environment |= {"SKILL_TOOLS_TOKEN": token} if token else {}
    command = [sys.executable, "-m", "skill_tools.cli", "audit", url, "-f", framework]
    command += ["--num-tasks", "1", "--seconds", "60", "--verbose"]
    command += ["--dataset", str(folder / "rows.jsonl")] if framework == "nemo_gym" else []
    command += ["--output-dir", str(folder / "kept"), "--repro", str(folder / "repros")]
    ran = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    return ran.returncode, ran.stdout + ran.stderr


def kept_text(folder: Path) -> str:
    """All that an audit wrote."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} >= {".md", ".json", ".html", ".jsonl", ".gz"}
    texts = [
        gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        for path in files
    ]
    return b"\n".join(texts).decode()


def telling(status: int = 200) -> AbstractContextManager[str]:
    """A server of NeMo Gym's protocol that wants a token, pays for anything, and says back what it is sent."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.rfile.read(int(request.headers.get("Content-Length") or 0))
        if request.headers.get("Authorization") != f"Bearer {TOKEN}":
            say(request, 401, {"detail": "who are you?"})
        elif request.path == "/openapi.json":
            say(request, 200, {"paths": PATHS})
        else:
            told = {"observation": str(request.headers), "info": {"headers": str(request.headers)}}
            say(request, status, {**told, "reward": 1.0, "terminated": request.path == "/step"})

    return answering(answer)


def say(request: BaseHTTPRequestHandler, status: int, told: object) -> None:
    body = json.dumps(told).encode()
    request.send_response(status)
    request.send_header("Content-Type", "application/json")
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)


@everything
@pytest.mark.parametrize("framework", SERVERS)
def test_who_has_the_token_audits_and_who_has_not_is_told_what_to_set(
    framework: str, tmp_path: Path
) -> None:
    log = tmp_path / "server.log"
    with serving(WORDLE, framework, log, variables={"WORDLE_TOKEN": TOKEN}) as url:
        code, said = audit_at(url, framework, tmp_path, TOKEN)
        assert code in (0, 1), said
        report = json.loads((tmp_path / "kept" / "report.json").read_text())
        (ran,) = [each for each in report["findings"] if each["check"] == "PAR001"]
        assert ran["status"] == "pass", ran
        assert '"model":"noop"' in (tmp_path / "kept" / f"{framework}.jsonl").read_text()
        for token, why in ((None, "is not set"), (f"{TOKEN}2", "has another value")):
            code, refused = audit_at(url, framework, tmp_path, token)
            assert code == 2, refused
            assert f"requires a token (401), and SKILL_TOOLS_TOKEN {why}" in refused
            assert "fix: set SKILL_TOOLS_TOKEN to the server's token" in refused
            assert "Traceback" not in refused
            said += refused
    assert TOKEN not in said + kept_text(tmp_path) + log.read_text()


@everything
def test_a_server_that_says_back_what_it_is_sent_puts_the_token_nowhere(tmp_path: Path) -> None:
    with telling() as url:
        code, said = audit_at(url, "nemo_gym", tmp_path, TOKEN)
        assert (code, "AUD001" in said) == (1, True), said
        text = kept_text(tmp_path)
        assert "Authorization: Bearer [token]" in text
        assert TOKEN not in said + text
        script = next((tmp_path / "repros").glob("aud001*.py"))
        assert "Token: SKILL_TOOLS_TOKEN has it" in script.read_text()
        venv = target_venv(recognise(url, "nemo_gym"), silent)
        command = [str(venv.base.python), str(script)]
        for token, wanted in ((TOKEN, 1), ("", 2)):
            ran = subprocess.run(
                command, env={"SKILL_TOOLS_TOKEN": token}, capture_output=True, text=True,
                check=False, timeout=120,
            )  # fmt: skip
            assert ran.returncode == wanted, ran.stdout + ran.stderr
            assert TOKEN not in ran.stdout + ran.stderr


@everything
def test_what_a_server_breaks_with_is_told_without_the_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKILL_TOOLS_TOKEN", TOKEN)
    with telling(status=500) as url:
        outcome = audit(url, "ors", call_seconds=3.0, seconds=20)
    assert "Bearer [token]" in outcome.evidence.audit.audited.broken
    assert TOKEN not in outcome.report.model_dump_json()


@pytest.mark.parametrize("token", ["two words", 'quo"te', "back\\slash", "ünicode", "line\nbreak"])
def test_a_token_that_no_header_takes_is_refused_and_not_told(
    token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKILL_TOOLS_TOKEN", token)
    with pytest.raises(SkillToolsError, match="fix: set it to what the server expects") as refused:
        audit("http://127.0.0.1:9", "ors")
    assert token not in str(refused.value)


def test_the_code_of_a_folder_gets_no_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKILL_TOOLS_TOKEN", TOKEN)
    folder = scaffold(tmp_path / "their_game", "openenv", "right")
    for named, gets in ((str(folder), False), ("http://127.0.0.1:9", True)):
        target = recognise(named, "openenv")
        driven = DriverSession(target, target_venv(target, silent), 1.0, url="http://127.0.0.1:8")
        assert (TOKEN in driven.environment().values()) is gets
