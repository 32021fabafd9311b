"""Model endpoints that never give a completion: every rollout ends, each episode with its cause."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from skill_tools.frameworks.rules import load
from skill_tools.rollouts.options import RolloutOptions
from skill_tools.rollouts.rollout import RolloutProcess, roll_out, variant_venv
from tests.live.frameworks import FRAMEWORKS
from tests.selection import some

PAGE = b"<html><body>Welcome to the proxy</body></html>"
MODELS = ("drops", "hangs", "busy", "html")
MOST_REQUESTS = 12


class Endpoint(ThreadingHTTPServer):
    """Does to each request what the model's name says; ``asked`` counts the requests."""

    daemon_threads = True
    request_queue_size = 256  # all episodes connect at once

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.asked: Counter[str] = Counter()
        self.over = threading.Event()


class Answer(BaseHTTPRequestHandler):
    """One connection."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        model = json.loads(body)["model"]
        self.server.asked[model] += 1
        self.close_connection = True
        if model == "hangs":
            self.server.over.wait()
        if model in ("drops", "hangs"):
            return
        self.send_response(429 if model == "busy" else 200)
        text = b'{"error": {"message": "too many requests"}}' if model == "busy" else PAGE
        self.send_header("Content-Type", "text/html" if model == "html" else "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.over.set()
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("framework", some(FRAMEWORKS, usual=()))
def test_a_rollout_ends_whatever_the_endpoint_does(
    game: Path, framework: str, endpoint: Endpoint
) -> None:
    found = roll_out(
        RolloutProcess(
            game, framework, variant_venv(load(game), game, FRAMEWORKS[framework]), timeout=120
        ),
        MODELS,
        RolloutOptions(
            base_url=f"http://127.0.0.1:{endpoint.server_port}/v1",
            split="train",
            episode_seconds=15,
        ),
    )
    failures = {trajectory.model: trajectory.failure for trajectory in found}
    assert {trajectory.end for trajectory in found} == {"failed"}
    assert all(trajectory.total is None for trajectory in found)
    assert all(failure and failure.message for failure in failures.values())
    assert set(endpoint.asked) == set(MODELS)
    assert max(endpoint.asked.values()) <= MOST_REQUESTS, endpoint.asked
    if framework != "verifiers":  # whose own client asks
        assert f"127.0.0.1:{endpoint.server_port}" in failures["drops"].message
    print({name: failure.message for name, failure in failures.items()})
