"""Tests of requests to models inside environments: one event loop, hidden keys, and recorded replies."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from rl_env_harness import role_replies
from rl_env_harness.models import role_server
from rl_env_harness.models.model_server import ServerFailed

from skill_tools.policies.loopback import HttpAnswer, HttpRequest, Loopback

THREADS = 32
RULE = {"temperature": 0.0, "max_tokens": 8, "seconds": 30.0}
KEY = "sk-quokka-71"


@pytest.fixture
def repeating() -> Iterator[str]:
    """Yield the address of a server that refuses every key and repeats the key in its error."""

    def answer(request: HttpRequest) -> HttpAnswer:
        said = f"Incorrect API key provided: {request.headers['authorization']}"
        return HttpAnswer(json.dumps({"error": {"message": said}}), 401)

    server = Loopback(answer)
    yield server.open()
    server.close()


def refused(url: str, key: str) -> str:
    request = role_replies.Request("judge", [{"role": "user", "content": "Rate it."}])
    known = {"model": "any", "base_url": url, "api_key": key}
    with pytest.raises(ServerFailed) as failed:
        role_server.ask(request, RULE, known, "label")
    return str(failed.value)


def test_episodes_that_ask_at_the_same_moment_share_one_loop() -> None:
    together = threading.Barrier(THREADS)

    def loop(_: int) -> int:
        together.wait()
        return id(role_server._loop())

    role_server._started_loop.cache_clear()
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(THREADS) as pool:
            assert len(set(pool.map(loop, range(THREADS)))) == 1
    finally:
        sys.setswitchinterval(before)
        role_server._gate.cache_clear()


def test_a_key_that_a_server_repeats_is_in_no_message(repeating: str) -> None:
    said = refused(repeating, KEY)
    assert "401" in said
    assert "[the key]" in said
    assert KEY not in said


def test_a_key_that_no_header_can_hold_is_in_no_message(repeating: str) -> None:
    said = refused(repeating, f"{KEY}\nmore")
    assert "line break" in said
    assert KEY not in said


def test_a_recorded_reply_that_was_cut_off_is_cut_off_again(tmp_path: Path) -> None:
    messages = [{"role": "user", "content": "Continue."}]
    line = {"role": "user", "messages": messages, "reply": "I would", "finish_reason": "length"}
    path = tmp_path / "replies.jsonl"
    path.write_text(json.dumps({**line, "cut": True}) + "\n" + json.dumps(line) + "\n", "utf-8")
    _, by_content = role_replies.recorded(str(path))
    (found,) = by_content.values()
    assert [(each.text, each.cut) for each in found] == [("I would", True), ("I would", False)]
