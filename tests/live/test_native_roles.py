"""Models inside, named by each framework's own settings: the request reaches that model, with that key."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from skill_tools import pipeline
from tests.checks.roles import write_desk

from .rolled import program
from .served import answering, serving

pytestmark = pytest.mark.everything("frameworks")
SAID = "It is order F-1. DONE"


@contextmanager
def model() -> Iterator[tuple[str, list[tuple[str, dict[str, Any]]]]]:
    """Serve a model that always says the same; yield its address, and the requests with their keys."""
    seen: list[tuple[str, dict[str, Any]]] = []

    def answer(request: BaseHTTPRequestHandler) -> None:
        body = json.loads(request.rfile.read(int(request.headers["Content-Length"])))
        seen.append((request.headers["Authorization"], body))
        message = {"role": "assistant", "content": SAID}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        data = json.dumps({"model": "theirs", "choices": [choice], "usage": {}}).encode()
        request.send_response(200)
        request.send_header("Content-Type", "application/json")
        request.send_header("Content-Length", str(len(data)))
        request.end_headers()
        request.wfile.write(data)

    with answering(answer) as url:
        yield url, seen


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_desk(tmp_path_factory.mktemp("native") / "support_desk")
    pipeline.render(folder, ["ors", "verifiers", "nemo_gym"])
    return folder


NEMO = """
import sys
sys.argv[1:], port = [], int(sys.argv[1])
from omegaconf import OmegaConf
from nemo_gym.config_types import BaseServerConfig, ModelServerRef
from nemo_gym.server_utils import ServerClient
from support_desk_domain._shared.episode import Episode
from support_desk_domain._shared.task_table import task_at
import server

here = {"host": "127.0.0.1", "port": port}
known = {"theirs": {"responses_api_models": {"any": here}}}
client = ServerClient(head_server_config=BaseServerConfig(**here), global_config_dict=OmegaConf.create(known))
wanted = ModelServerRef(type="responses_api_models", name="theirs")
config = server.SupportDeskConfig(name="desk", entrypoint="server.py", customer_model_server=wanted, **here)
server.SupportDeskServer(config=config, server_client=client).setup_webserver()
print(Episode(task_at("train", 0)).message("Which order?").text)
"""

VERIFIERS = """
import sys
import verifiers.v1 as vf
from support_desk import SupportDeskConfig, SupportDeskTaskset
from support_desk_domain._shared.episode import Episode
from support_desk_domain._shared.task_table import task_at

model = vf.JudgeConfig(model="theirs", base_url=sys.argv[1] + "/v1", api_key_var="THEIR_WORD")
list(SupportDeskTaskset(SupportDeskConfig(id="support-desk", customer=model)).load())
print(Episode(task_at("train", 0)).message("Which order?").text)
"""


@pytest.mark.parametrize("framework", ["nemo_gym", "verifiers"])
def test_a_model_that_the_configuration_names_replies(
    framework: str, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THEIR_WORD", "sesame")
    with model() as (url, seen):
        source, told = (
            (NEMO, url.rpartition(":")[2]) if framework == "nemo_gym" else (VERIFIERS, url)
        )
        assert "It is order F-1." in program(desk, framework, source, told)
    (key, body), *_ = seen
    assert body["model"] == "theirs"
    assert body["messages"][-1] == {"role": "user", "content": "Which order?"}
    assert key == ("Bearer sesame" if framework == "verifiers" else "Bearer none")


ORS = """
import sys
from openreward import EnvironmentsAPI

env = EnvironmentsAPI(base_url=sys.argv[1], api_key="none").get("support_desk", variant="support_desk")
(task,) = env.list_tasks(split="train")[:1]
for key in sys.argv[2:]:
    with env.session(task=task, secrets={"SUPPORT_DESK_CUSTOMER_API_KEY": (key, ["127.0.0.1"])}) as session:
        session.call_tool("message", {"text": "Which order?"})
"""


def test_two_sessions_of_ors_use_the_keys_of_their_own_clients(desk: Path, tmp_path: Path) -> None:
    with model() as (url, seen):
        named = {"MODEL": "theirs", "BASE_URL": f"{url}/v1"}
        variables = {f"SUPPORT_DESK_CUSTOMER_{name}": value for name, value in named.items()}
        with serving(desk, "ors", tmp_path / "log", variables=variables) as server:
            program(desk, "ors", ORS, server, "first", "second")
    assert [key for key, _ in seen] == ["Bearer first", "Bearer second"]
