"""Models inside environments over HTTP: a real one, many conversations at once, and servers that fail."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import threading
import time
from collections.abc import Mapping
from functools import partial
from http.server import BaseHTTPRequestHandler
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from skill_tools import pipeline
from skill_tools.evidence.trajectory import Trajectory, read
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.frameworks.rules import load
from skill_tools.policies.scripted import Call, Script, Turn, as_text
from skill_tools.policies.server import ANY_LABEL, PolicyEndpoint
from skill_tools.rollouts.rollout import variant_venv
from skill_tools.runtime.environment import child_environment
from tests.conftest import ROOT

from .real_model.servers import NAME, Setup, serving
from .served import answering, free_port

pytestmark = pytest.mark.everything("frameworks")
MANY = ("openenv", "verifiers", "gem")
FEW = ("openenv", "gem")
"""One whose server asks the models, and one whose rollout does."""
KEY = "sk-quokka-71-must-stay-unseen"
SLOW = 1.0
"""Seconds that the server takes for a reply."""
TASKS, SAMPLES = 8, 8
AT_ONCE = 32
"""Requests at once that the setting allows, of which there are more to make."""
SHIPPED = 2
"""The first task of the support desk where changing nothing is right, so that the judge is asked."""


class RoleServer:
    """A server whose customer repeats a digest of the request, and says DONE in its second reply."""

    def __init__(self, delay: float = 0.0) -> None:
        self.delay = delay
        self.now, self.most, self.started, self.ended = 0, 0, 0.0, 0.0
        self._lock = threading.Lock()

    def __call__(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        with self._lock:
            self.started = self.started or time.monotonic()
            self.now += 1
            self.most = max(self.most, self.now)
        time.sleep(self.delay)
        with self._lock:
            self.now -= 1
            self.ended = time.monotonic()
        status, answer = self.answered(body, handler.headers["Authorization"])
        sent = json.dumps(answer).encode()
        handler.send_response(status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(sent)))
        handler.end_headers()
        handler.wfile.write(sent)

    def answered(self, body: Mapping[str, Any], key: str) -> tuple[int, dict[str, Any]]:
        """Do what the agent's last message names, or else reply."""
        said, reason = str(body["messages"][-1]["content"]), "stop"
        if "be refused" in said:
            return 401, {"error": {"message": f"Incorrect API key provided: {key}"}}
        turns = sum(each["role"] == "assistant" for each in body["messages"])
        text = f"heard {digest(body['messages'])}{' DONE' if turns > 1 else ''}"
        if "response_format" in body:
            text = json.dumps({"reason": digest(body["messages"]), "polite": "polite"})
            text = "Very polite!" if "be unclear" in said else text
        elif "be unclear" in said:
            text = "DONE"
        elif "be empty" in said:
            text = ""
        elif "be cut" in said:
            reason = "length"
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": reason}
        usage = {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25}
        name = f"{body['model']}-as-served"
        return 200, {"id": "1", "model": name, "choices": [choice], "usage": usage}


def digest(messages: Any) -> str:
    return hashlib.sha256(json.dumps(messages).encode()).hexdigest()[:12]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The environments with models inside, by name, rendered for the frameworks that are played."""
    home = tmp_path_factory.mktemp("roles")
    found = {}
    for path in sorted(ROOT.glob("tests/live/role_envs/*/env.yaml")):
        folder = home / path.parent.name
        shutil.copytree(path.parent, folder)
        pipeline.render(folder, [*MANY, "trl"])
        found[load(folder).name] = folder
    return found


def rolled(
    folder: Path,
    framework: str,
    scripts: Mapping[str, Mapping[str, Script]],
    *arguments: str,
    **settings: str,
) -> tuple[list[Trajectory], str]:
    """Run a variant's rollout.py as a user does; return the episodes and all that it printed and kept.

    settings: Variables of the environment's models, such as ROLES_MODEL.
    """
    spec = load(folder)
    output = folder / f"{framework}-{time.monotonic_ns()}.jsonl"
    named = {f"{spec.name.upper()}_{name}": value for name, value in settings.items()}
    variables = child_environment({**FRAMEWORKS[framework].environment, **named})
    python = variant_venv(spec, folder, FRAMEWORKS[framework]).python
    with PolicyEndpoint(scripts, partial(as_text, spec)) as endpoint:
        command = [str(python), "rollout.py", "--model", *scripts, "--base-url", endpoint.base_url]
        run = subprocess.run(
            [*command, "--output", str(output), *arguments],
            cwd=folder / framework,
            env=variables,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    assert output.is_file(), run.stderr
    return read(output), run.stdout + run.stderr + output.read_text("utf-8")


@pytest.mark.parametrize("framework", MANY)
def test_many_conversations_at_once_are_independent_and_concurrent(
    folders: dict[str, Path], framework: str
) -> None:
    labels = {
        (index, sample): f"support_desk/train/{index}/0" + (f"#{sample}" if sample else "")
        for index in range(TASKS)
        for sample in range(SAMPLES)
    }
    scripts = {
        label: (Turn(text=f"Hello, {label} here."), Turn(text=f"Goodbye from {label}."))
        for label in labels.values()
    }
    server = RoleServer(SLOW)
    with answering(server) as url:
        found, said = rolled(
            *(folders["support_desk"], framework, {"agent": scripts}, "--index", f"0-{TASKS - 1}"),
            *("--samples", str(SAMPLES), "--concurrency", str(TASKS * SAMPLES)),
            ROLES_MODEL="customer",
            ROLES_BASE_URL=f"{url}/v1",
            ROLES_API_KEY=KEY,
            ROLES_CONCURRENCY=str(AT_ONCE),
        )
    assert len(found) == len(labels)
    assert KEY not in said
    for each in found:
        assert each.end == "terminated", each.failure
        label = labels[each.index or 0, each.sample]
        hello, goodbye = [r for r in each.requests or () if r["role"] == "customer"]
        judged = [r for r in each.requests or () if r["role"] == "judge"]
        assert len(judged) == ((each.index or 0) % 3 == SHIPPED)
        assert hello["messages"][-1]["content"] == f"Hello, {label} here."
        assert goodbye["messages"][-2:] == [
            {"role": "assistant", "content": hello["reply"]},
            {"role": "user", "content": f"Goodbye from {label}."},
        ]
        for request in (hello, goodbye, *judged):
            assert digest(request["messages"]) in request["reply"]
            assert request["model"] == "customer-as-served"
            assert request["usage"] == {"input_tokens": 20, "output_tokens": 5}
            assert request["seconds"] >= SLOW
            assert label in str(request["messages"])
    assert AT_ONCE / 2 < server.most <= AT_ONCE
    one_by_one = SLOW * sum(len(each.requests or ()) for each in found)
    assert server.ended - server.started < one_by_one / 4


FAULTS = {
    "refused": ("customer", "401"),
    "empty": ("customer", "its reply is empty"),
    "cut": ("customer", "its reply was cut off (finish_reason length)"),
    "unclear": ("judge", "its reply is not JSON"),
}


@pytest.mark.parametrize("framework", [*FEW, "trl"])
def test_a_fault_of_a_model_gives_no_score_and_names_the_model(
    folders: dict[str, Path], framework: str
) -> None:
    scripts = {fault: {ANY_LABEL: (Turn(text=f"Please be {fault}."),)} for fault in FAULTS}
    with answering(RoleServer()) as url:
        found, said = rolled(
            *(folders["support_desk"], framework, scripts, "--index", str(SHIPPED)),
            ROLES_MODEL="customer",
            ROLES_BASE_URL=f"{url}/v1",
            ROLES_API_KEY=KEY,
        )
    assert KEY not in said
    assert {each.model for each in found} == set(FAULTS)
    for each in found:
        role, cause = FAULTS[each.model]
        assert (each.model, each.end, each.total) == (each.model, "failed", None)
        message = each.failure.message if each.failure else ""
        assert f"the model {role}: " in message
        assert cause in message
        if FRAMEWORKS[framework].url_variable is None:  # a server tells its client the cause alone
            last = (each.requests or [])[-1]
            assert (last["role"], cause in last["error"]) == (role, True)


@pytest.mark.parametrize("framework", FEW)
def test_an_unreachable_model_is_named_as_the_cause(
    folders: dict[str, Path], framework: str
) -> None:
    word = {ANY_LABEL: (Turn((Call("say_word", {"word": "desert"}),)),)}
    found, said = rolled(
        *(folders["word_duel"], framework, {"agent": word}, "--index", "0-1"),
        OPPONENT_MODEL="nobody",
        OPPONENT_BASE_URL=f"http://127.0.0.1:{free_port()}/v1",
        OPPONENT_API_KEY=KEY,
    )
    assert KEY not in said
    assert len(found) == 2  # in the first the agent begins, in the second the opponent
    for each in found:
        assert (each.end, each.total) == ("failed", None)
        message = each.failure.message if each.failure else ""
        assert "the model opponent: " in message
        assert "connect" in message.lower()


LETTER = """Dear residents,

on 8 August at 9:30 we hold a garden party at 12 Elm Street, and you are all invited. Please bring a cake or a salad if
you can, and tell Ruth by Friday whether you will come. There will be music for the children.

Kind regards,
Ruth Adler"""
PLAYED: dict[str, Script] = {
    "support_desk": (
        Turn(text="Hello. Which order is it?"),
        Turn(text="I am sorry, it was shipped."),
    ),
    "word_duel": tuple(
        Turn((Call("say_word", {"word": each}),)) for each in ("desert", "table", "square", "star")
    ),
    "short_letter": (Turn(text=LETTER),),
}
"""What the agent does in train/0 of each environment."""
ASKED = {"support_desk": "customer", "word_duel": "opponent", "short_letter": "judge"}


@pytest.mark.everything("real model")
def test_records_of_a_real_model_are_true_and_play_the_same_again(
    folders: dict[str, Path], tmp_path: Path
) -> None:
    recorded: dict[tuple[str, str], Trajectory] = {}
    with serving(Setup("llama.cpp", context=4096), tmp_path / "server") as url:
        for name, framework in product(PLAYED, FEW):
            scripts = {"agent": {ANY_LABEL: PLAYED[name]}}
            model = {"ROLES_MODEL": NAME, "ROLES_BASE_URL": f"{url}/v1"}
            limits = ("--max-turns", str(len(PLAYED[name])))
            (found,), _ = rolled(folders[name], framework, scripts, *limits, **model)
            recorded[name, framework] = found
            requests = found.requests or []
            print(
                name, framework, found.end, found.total, *(r["reply"] for r in requests), sep="\n  "
            )
            if FRAMEWORKS[framework].url_variable is None or found.end != "failed":
                assert {request["role"] for request in requests} == {ASKED[name]}
            for request in requests:
                assert request["model"] == NAME
                assert min(request["usage"].values()) > 0
                assert request["seconds"] > 0
                assert request["finish_reason"] in ("stop", "length")
            if found.end == "failed":
                assert found.total is None
                assert found.failure
                assert f"the model {ASKED[name]}: its reply" in found.failure.message
    for (name, framework), before in recorded.items():
        place = folders[name] / "before.jsonl"
        place.write_text(before.model_dump_json(by_alias=True) + "\n", "utf-8")
        scripts = {"agent": {ANY_LABEL: PLAYED[name]}}
        limits = ("--max-turns", str(len(PLAYED[name])), "--replies", str(place))
        (again,), _ = rolled(folders[name], framework, scripts, *limits)
        assert [step.observation for step in again.steps] == [s.observation for s in before.steps]
        assert (again.end, again.total) == (before.end, before.total)
        assert [(r["messages"], r["reply"], r["error"]) for r in again.requests or ()] == [
            (r["messages"], r["reply"], r["error"]) for r in before.requests or ()
        ]
        assert {r["model"] for r in again.requests or ()} <= {"recorded"}
