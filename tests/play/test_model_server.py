"""What a model server can do for an environment: asked of servers on loopback that differ."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from skill_tools.errors import SkillToolsError
from skill_tools.policies.scripted import Turn
from skill_tools.policies.server import PolicyEndpoint
from skill_tools.rollouts.server_check import examine_server
from skill_tools.runtime.doctor import Row
from tests.test_cli import skill_tools as command

REFUSED = "failed to parse grammar"


class Server(ThreadingHTTPServer):
    """Answers chat as its settings say, and keeps what it was asked."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.settings = settings
        self.asked: list[dict[str, Any]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        reported = self.server.settings.get(self.path)
        self.answer(200 if reported else 404, reported or {"error": "no such route"})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        settings = self.server.settings
        if self.path in settings.get("routes", ()):
            return self.answer(200, {"tokens": [1]})
        if self.path != "/v1/chat/completions":
            return self.answer(404, {"error": "no such route"})
        self.server.asked.append(body)
        if settings.get("renamed") and "max_tokens" in body:
            reported = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
            return self.answer(400, {"error": {"message": reported}})
        if body.get("tools") and settings.get("refuses"):
            return self.answer(400, {"error": {"message": REFUSED}})
        seen = body["messages"], body.get("tools") if settings.get("tools", True) else None
        tokens = settings.get("tokens", len(json.dumps(seen)) // 4)
        message = {"role": "assistant", "content": "Hm."}
        usage = {"prompt_tokens": tokens, "completion_tokens": 1}
        choices = [{"index": 0, "message": message, "finish_reason": "length"}]
        return self.answer(200, {"model": "tiny-1", "choices": choices, "usage": usage})

    def answer(self, status: int, data: Any) -> None:
        text = json.dumps(data).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving(**settings: Any) -> Iterator[Server]:
    with Server(**settings) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


def examined(folder: Path, url: str, **options: Any) -> dict[str, Row]:
    return {row.what: row for row in examine_server(folder, "tiny", url, **options)}


def models(**about: Any) -> dict[str, Any]:
    return {"/v1/models": {"data": [{"id": "other"}, {"id": "tiny", **about}]}}


def test_a_server_that_has_all_of_it_is_said_to(counter: Path) -> None:
    with serving(routes=["/tokenize", "/v1/responses"], **models(max_model_len=4096)) as server:
        found = examined(counter, server.url)
    assert all(row.ok for row in found.values()), found
    assert found["answers"].found == f"{server.url}, as tiny-1"
    assert re.fullmatch(r"they are \d+ tokens", found["takes the tools"].found)
    assert {row.found for what, row in found.items() if what.startswith("route")} == {"there"}
    assert found["context"].found.startswith("4096 tokens; prompt and tools take ")
    bare, reported = server.asked
    # What is asked is what a rollout asks first.
    assert reported["messages"] == bare["messages"]
    assert [message["role"] for message in reported["messages"]] == ["system", "user"]
    assert [tool["function"]["name"] for tool in reported["tools"]] == ["add", "look"]


def test_a_server_that_drops_the_tools_is_found_out(counter: Path) -> None:
    with serving(tools=False, **models(max_model_len=2048)) as server:
        found = examined(counter, server.url)
    assert not found["takes the tools"].ok
    assert "drops the tools" in found["takes the tools"].found
    assert found["route /v1/responses"].found == "not there"
    assert found["route /tokenize"].found == "not there"
    assert found["context"].found.startswith("2048 tokens")


def test_a_number_that_is_no_count_proves_nothing(counter: Path) -> None:
    with serving(tools=False, tokens=1) as server:
        found = examined(counter, server.url)
    assert found["takes the tools"].ok
    assert "does not report" in found["takes the tools"].found


def test_turns_that_do_not_fit_into_the_context_are_told(counter: Path) -> None:
    props = {"/props": {"default_generation_settings": {"n_ctx": 1024}}}
    with serving(**props) as server:
        assert examined(counter, server.url, max_tokens=64)["context"].ok
        found = examined(counter, server.url, max_tokens=256)
    assert not found["context"].ok
    assert "6 turns of --max-tokens 256 do not fit" in found["context"].found


def test_a_server_that_refuses_the_tools_is_quoted(counter: Path) -> None:
    with serving(refuses=True) as server:
        found = examined(counter, server.url)
    assert found["answers"].ok
    assert not found["takes the tools"].ok
    assert REFUSED in found["takes the tools"].found


def test_a_server_with_another_name_for_the_limit_answers(counter: Path) -> None:
    with serving(renamed=True) as server:
        found = examined(counter, server.url)
    assert all(row.ok for row in found.values()), found


@pytest.mark.everything("costly")
@pytest.mark.parametrize("api", ["chat", "responses"])
def test_the_policy_endpoint_answers(counter: Path, api: str) -> None:
    with PolicyEndpoint({"tiny": {"*": (Turn(text="no"),)}}) as endpoint:
        found = examined(counter, endpoint.base_url, api=api)
    assert found["answers"].ok
    assert found["takes the tools"].ok


@pytest.mark.everything("costly")
def test_the_command_ends_with_1_where_nobody_answers(counter: Path) -> None:
    with socket.socket() as taken:  # bound, and not listening
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        run = command("doctor", counter, "--base-url", url, "--model", "tiny", "--json")
    assert run.returncode == 1, run.stderr
    [row] = json.loads(run.stdout)
    assert (row["what"], row["ok"]) == ("answers", False)
    assert url in row["found"]


def test_what_is_missing_or_wrong_is_said(counter: Path) -> None:
    run = command("doctor", "--base-url", "http://127.0.0.1:9/v1", "--model", "tiny")
    assert run.returncode == 2
    assert "skill-tools doctor DIR --base-url URL --model NAME" in run.stderr
    with pytest.raises(SkillToolsError, match="write it as http"):
        examine_server(counter, "tiny", "127.0.0.1:9")
    with pytest.raises(SkillToolsError, match="chat or responses"):
        examine_server(counter, "tiny", "http://127.0.0.1:9/v1", api="chats")
