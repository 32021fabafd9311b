"""What a served environment owes its operator: a token, limits, numbers, and a quiet end."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
import websockets
from websockets.sync.client import connect

from skill_tools.errors import RolloutError
from skill_tools.frameworks.rules import load
from skill_tools.reference.playbook import write_scripts
from skill_tools.rollouts.rollout import variant_venv
from tests.conftest import JUPYTER, WORDLE
from tests.live.frameworks import FRAMEWORKS

from .rolled import roll
from .served import SERVERS, environment, free_port, served, serving

pytestmark = pytest.mark.everything("frameworks")
TOKEN = "let-me-in-4711"
TOKENS = {"WORDLE_TOKEN": TOKEN}
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "wordle": ("guess", {"word": "crane"}),
    "jupyter": ("get_notebook_state", {}),
}
"""A call that each environment takes."""
EXPIRED = 'rl_env_episodes_total{environment="wordle",how="expired"}'


class OpenEnv:
    """A session of OpenEnv's protocol, as a client without our code speaks it."""

    def __init__(self, url: str, headers: dict[str, str], name: str) -> None:
        self.name, (self.tool, self.arguments) = name, CALLS[name]
        self.left = ExitStack()
        where = f"{url.replace('http', 'ws')}/ws"
        opened = connect(where, additional_headers=headers, proxy=None)
        self.socket = self.left.enter_context(opened)

    def open(self) -> None:
        self._ask("reset", {"split": "train", "index": 0})

    def step(self) -> str:
        """A legal move; what it came to, as text."""
        return self._ask(
            "step", {"type": "call_tool", "tool_name": self.tool, "arguments": self.arguments}
        )

    def _ask(self, kind: str, data: dict[str, Any]) -> str:
        self.socket.send(json.dumps({"type": kind, "data": data}))
        return str(self.socket.recv(timeout=20))

    def close(self) -> None:
        self.left.close()


class ORS:
    """A session of ORS."""

    def __init__(self, url: str, headers: dict[str, str], name: str) -> None:
        self.name, (self.tool, self.arguments) = name, CALLS[name]
        headers = {**headers, "X-Session-ID": str(uuid.uuid4())}
        self.http = httpx.Client(base_url=url, headers=headers, timeout=20, trust_env=False)

    def open(self) -> None:
        place = {"env_name": self.name, "split": "train", "index": 0}
        answered(self.http.post("/create", json=place))
        answered(self.http.get(f"/{self.name}/messages"))

    def step(self) -> str:
        return self.http.post(
            f"/{self.name}/call", json={"name": self.tool, "input": self.arguments}
        ).text

    def close(self) -> None:
        self.http.post("/delete")
        self.http.close()


class NeMoGym:
    """A session of NeMo Gym's Gymnasium protocol."""

    def __init__(self, url: str, headers: dict[str, str], name: str) -> None:
        self.name, (self.tool, self.arguments) = name, CALLS[name]
        self.http = httpx.Client(base_url=url, headers=headers, timeout=20, trust_env=False)

    def open(self) -> None:
        row = {"responses_create_params": {"input": []}, "split": "train", "index": 0}
        answered(self.http.post("/reset", json=row))

    def step(self) -> str:
        call = {"type": "function_call", "call_id": "call", "name": self.tool}
        return self._step([{**call, "arguments": json.dumps(self.arguments)}])

    def _step(self, output: list[dict[str, Any]]) -> str:
        response = {"id": "r", "model": "m", "object": "response", "tool_choice": "auto"}
        response |= {"created_at": 0, "parallel_tool_calls": False, "tools": [], "output": output}
        row = {"responses_create_params": {"input": []}, "response": response}
        return self.http.post("/step", json=row).text

    def close(self) -> None:
        self._step([])
        self.http.close()


CLIENTS = {"openenv": OpenEnv, "ors": ORS, "nemo_gym": NeMoGym}
ALL = pytest.mark.parametrize("framework", SERVERS)


class Refused(Exception):
    """A server that answers no; its status, and what it says."""


def answered(response: httpx.Response) -> None:
    if not response.is_success:
        raise Refused(response.status_code, response.text)


@contextmanager
def session(
    framework: str, url: str, headers: dict[str, str] | None = None, name: str = "wordle"
) -> Iterator[Any]:
    """An open episode."""
    made = CLIENTS[framework](url, headers or {}, name)
    try:
        made.open()
        yield made
    finally:
        made.close()


def status(framework: str, url: str, headers: dict[str, str] | None = None) -> tuple[int, str]:
    """What a server answers to who wants one more session: a status and why; 200 if it lets them in."""
    try:
        with session(framework, url, headers):
            return 200, ""
    except websockets.exceptions.InvalidStatus as refused:
        return refused.response.status_code, (refused.response.body or b"").decode()
    except Refused as refused:
        code, text = refused.args
        return code, text


def get(url: str, path: str, **headers: str) -> httpx.Response:
    return httpx.get(f"{url}{path}", headers=headers, timeout=20, trust_env=False)


def number(url: str, name: str) -> float:
    found = re.search(rf"^{re.escape(name)} (\S+)$", get(url, "/metrics").text, re.MULTILINE)
    return float(found[1]) if found else 0.0


def listening(url: str) -> int:
    """The process that serves a URL."""
    port = int(url.rpartition(":")[2])
    (found,) = {each.pid for each in psutil.net_connections("tcp")
                if each.status == "LISTEN" and each.laddr.port == port}  # fmt: skip
    assert found
    return found


def until(true: Any, seconds: float = 30) -> None:
    for _ in range(int(seconds / 0.02)):
        if true():
            return
        time.sleep(0.02)
    raise AssertionError("it did not come to be")


@ALL
def test_only_who_has_the_token_plays(framework: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    tasks, scripts = write_scripts(load(WORDLE), WORDLE, None, 2)
    play = {"framework": framework, "scripts": {"oracle": scripts["oracle"]}, "count": 2}
    with serving(WORDLE, framework, log, "--host", "0.0.0.0", variables=TOKENS) as url:
        play |= {"split": tasks.split, "url": url}
        found = roll(WORDLE, **play, environment=TOKENS)
        assert [each.total for each in found] == [1.0, 1.0]
        with pytest.raises(RolloutError, match=r"set WORDLE_TOKEN to its token; here is no token"):
            roll(WORDLE, **play)
        wrong = {"WORDLE_TOKEN": TOKEN + "2"}
        with pytest.raises(RolloutError, match="here is another token"):
            roll(WORDLE, **play, environment=wrong)
        assert status(framework, url)[0] == 401
        assert status(framework, url, {"Authorization": f"Bearer {TOKEN}"})[0] == 200
        assert get(url, "/health").status_code == get(url, "/ready").status_code == 200
    assert TOKEN not in log.read_text()


@ALL
def test_a_browser_is_let_in_by_a_form_and_a_cookie_that_only_its_own_page_can_use(
    framework: str, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    with serving(WORDLE, framework, log, variables=TOKENS) as url:
        asked = {"base_url": url, "headers": {"Accept": "text/html,*/*"}, "trust_env": False}
        with httpx.Client(**asked) as browser:
            form = browser.get("/docs")
            assert (form.status_code, "WORDLE_TOKEN" in form.text) == (401, True)
            wrong = browser.post("/docs", data={"token": "<b>4711"})
            assert (wrong.status_code, "another token" in wrong.text) == (401, True)
            long = browser.post("/docs", data={"token": TOKEN + " " * 5000})
            assert (long.status_code, len(browser.cookies)) == (401, 0)
            right = browser.post("/docs", data={"token": TOKEN})
            assert (right.status_code, right.headers["Location"]) == (303, "?")
            cookie = right.headers["Set-Cookie"]
            assert cookie.endswith("; Path=/; HttpOnly; SameSite=Strict")
            assert browser.get(str(right.url.join("?"))).status_code == 200
            for site in ("same-site", "cross-site"):
                assert browser.get("/docs", headers={"Sec-Fetch-Site": site}).status_code == 401
        kept = {"Cookie": cookie.partition(";")[0]}
        assert status(framework, url, kept)[0] == (401 if framework == "openenv" else 200)
        forged = {"Cookie": f"{kept['Cookie'][:-1]}x; wordle_page=; wordle_page"}
        assert get(url, "/docs", **forged).status_code == 401
    assert TOKEN not in cookie + form.text + wrong.text + log.read_text()


@ALL
def test_nobody_serves_other_machines_by_mistake(framework: str) -> None:
    venv = variant_venv(load(WORDLE), WORDLE, FRAMEWORKS[framework])
    where = ["--host", "0.0.0.0", "--port", str(free_port())]
    run = subprocess.run(
        [venv.python, *SERVERS[framework], *where], cwd=WORDLE / framework,
        env=environment(framework), capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert run.returncode == 2
    assert "--host 0.0.0.0 serves other machines without a token: set WORDLE_TOKEN" in run.stderr
    assert "Traceback" not in run.stderr


@ALL
def test_who_comes_when_all_sessions_are_taken_is_told_so(framework: str, tmp_path: Path) -> None:
    with serving(WORDLE, framework, tmp_path / "log", "--max-sessions", "2") as url:
        with session(framework, url) as first, session(framework, url):
            code, why = status(framework, url)
            assert (code, "2 sessions, its maximum" in why) == (429, True)
            assert get(url, "/ready").status_code == 404
            assert "error" not in first.step()[:20].lower()
        until(lambda: get(url, "/ready").status_code == 200)
        assert status(framework, url)[0] == 200


@ALL
def test_a_session_that_is_left_is_closed_and_has_no_score(framework: str, tmp_path: Path) -> None:
    options = ("--idle-seconds", "0.5", "--metrics")
    with (
        serving(WORDLE, framework, tmp_path / "log", *options) as url,
        session(framework, url) as left,
    ):
        until(lambda: number(url, EXPIRED) == 1.0)
        assert number(url, 'rl_env_episodes_open{environment="wordle"}') == 0
        assert "idle for more than 0.5 s, so its world was closed" in left.step()


@ALL
def test_a_session_lives_no_longer_than_it_may(framework: str, tmp_path: Path) -> None:
    options = ("--lifetime-seconds", "1", "--metrics")
    with (
        serving(WORDLE, framework, tmp_path / "log", *options) as url,
        session(framework, url) as busy,
    ):
        assert "open for more than" not in busy.step()
        until(lambda: number(url, EXPIRED) == 1.0)
        assert "open for more than 1 s, so its world was closed" in busy.step()


@ALL
def test_a_body_that_is_too_large_is_refused_however_it_comes(
    framework: str, tmp_path: Path
) -> None:
    path = {"openenv": "/reset", "ors": "/create", "nemo_gym": "/reset"}[framework]
    large = json.dumps({"x": "y" * 5000}).encode()
    with serving(WORDLE, framework, tmp_path / "log", "--max-body", "2000") as url:
        for body in (large, iter([large[:1000], large[1000:]])):
            answer = httpx.post(
                f"{url}{path}", content=body, timeout=20, trust_env=False,
                headers={"X-Session-ID": "s", "Content-Type": "application/json"},
            )  # fmt: skip
            assert (answer.status_code, "larger than 2000 bytes" in answer.text) == (413, True)
        assert status(framework, url)[0] == 200


@ALL
def test_the_numbers_are_those_of_what_was_played(framework: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    tasks, scripts = write_scripts(load(WORDLE), WORDLE, None, 4)
    with serving(WORDLE, framework, log, "--metrics", "--log-episodes") as url:
        played = roll(
            WORDLE, framework, {"oracle": scripts["oracle"], "noop": scripts["noop"]}, 4,
            split=tasks.split, url=url,
        )  # fmt: skip
        assert len(played) == 8
        ended = {
            how: number(url, f'rl_env_episodes_total{{environment="wordle",how="{how}"}}')
            for how in ("terminated", "stopped", "failed", "left")
        }
        assert ended == {"terminated": 4, "stopped": 4, "failed": 0, "left": 0}
        steps = sum(len(each.steps) for each in played)
        assert number(url, 'rl_env_steps_total{environment="wordle",error="none"}') == steps
        assert number(url, 'rl_env_step_seconds_count{environment="wordle"}') == steps
        assert number(url, "process_resident_memory_bytes") > 1e7
    lines = [json.loads(line) for line in log.read_text().splitlines() if line[:1] == "{"]
    told = [line for line in lines if line.get("event") == "ended"]
    assert sorted(line["return"] for line in told) == [0.0] * 4 + [1.0] * 4
    assert {line["episode"] for line in told} == {line["episode"] for line in lines}
    assert len({line["episode"] for line in told}) == 8


def test_without_being_asked_there_are_no_numbers(tmp_path: Path) -> None:
    with serving(WORDLE, "ors", tmp_path / "log") as url:
        assert not get(url, "/metrics").is_success


@ALL
def test_a_server_that_is_told_to_stop_lets_sessions_end_and_takes_no_more(
    framework: str, tmp_path: Path
) -> None:
    with served(WORDLE, framework, tmp_path / "log", "--drain-seconds", "60") as (url, server):
        with session(framework, url) as live:
            os.kill(listening(url), signal.SIGTERM)
            until(lambda: get(url, "/ready").status_code == 404)
            assert "draining" in get(url, "/ready").text
            assert status(framework, url)[0] == 503
            for _ in range(3):
                assert "error" not in live.step()[:20].lower()
            assert server.running
        until(lambda: not server.running)
    assert "Traceback" not in (tmp_path / "log").read_text()


@ALL
def test_a_world_of_processes_is_closed_when_it_is_left_and_kept_while_it_drains(
    framework: str, tmp_path: Path
) -> None:
    options = ("--idle-seconds", "5", "--metrics", "--drain-seconds", "60")
    with served(JUPYTER, framework, tmp_path / "log", *options) as (url, server):
        expired = EXPIRED.replace("wordle", "jupyter")
        with session(framework, url, name="jupyter") as left:
            until(lambda: number(url, expired) == 1.0)
            assert "idle for more than 5 s" in left.step()
        with session(framework, url, name="jupyter") as live:
            os.kill(listening(url), signal.SIGTERM)
            until(lambda: get(url, "/ready").status_code == 404)
            assert "Notebook" in live.step() or "notebook" in live.step()
        until(lambda: not server.running)
