"""The bundled NeMo Gym agent against model servers that take and say what real ones do; no Ray."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from skill_tools import pipeline
from skill_tools.frameworks.rules import load
from skill_tools.rollouts.rollout import variant_venv
from skill_tools.runtime.environment import child_environment
from tests.conftest import write_counter
from tests.live.frameworks import FRAMEWORKS

from .strict_responses import Answer, Item, StrictResponses, call, problems, response, said

HERE = Path(__file__).parent
SHARE = """\
    def finish(self):
        if not self.done:
            self.reward = 0.5 * self.value / self.target

    def look(self)"""
"""Ending the counter before its target pays a share, which tells an end from none."""
TARGET = 17
"""Of train/0."""
TWO = 0.5 * 2 / TARGET
"""What the end pays once 2 has been added."""
ADD = call("add", {"amount": 2}, "c1", id="fc1")
BYE = response(said("Bye."))
OVERFLOWS = {
    "vllm": (400, {"object": "error", "type": "BadRequestError", "code": 400, "message": "This model's "
                                                                                         "maximum context "
                                                                                         "length is 2048 "
                                                                                         "tokens. However, you requested 2100 tokens in the messages, Please reduce the length of the messages."}),  # noqa: E501
    "llama.cpp": (400, {"error": {"code": 400, "message": "request (2100 tokens) exceeds the available "
                                                          "context size (2048 tokens), try "
                                                          "increasing it", "type": "exceed_context_size_error", "n_prompt_tokens": 2100, "n_ctx": 2048}}),  # noqa: E501
    "anthropic": (400, {"type": "error", "error": {"type": "invalid_request_error", "message": "prompt is too "
                                                                                               "long: 210000 tokens > 200000 maximum"}}),  # noqa: E501
    "openai": (400, {"error": {"code": "context_length_exceeded", "message": "Your input exceeds the context "
                                                                             "window of this model. Please "
                                                                             "adjust your input and try again."}}),
}  # fmt: skip


def thought(**more: Any) -> Item:
    return {"type": "reasoning", "id": "rs1", "status": None, "summary": [], **more}


SCRIPTS: dict[str, list[Answer]] = {
    "won": [
        response(said("Nine."), call("add", {"amount": 9}, "c1", id="fc1", status="completed")),
        response(call("add", {"amount": 8}, "c2", id="fc2")),
    ],
    "stopped": [response(ADD), BYE],
    "cut": [
        response(ADD),
        response(said("I think th", status="incomplete"), cut="max_output_tokens"),
    ],
    "filtered": [response(ADD), response(cut="content_filter")],
    "reasoning only": [response(ADD), response(thought(id="rs"), cut="max_output_tokens")],
    "nothing": [response(ADD), response()],
    "cut call": [
        response(
            call("add", {"amount": 2}, "c1"),
            call("add", '{"amount": 4, "no', "c2", status="incomplete"),
            cut="max_output_tokens",
        ),
        BYE,
    ],
    "cut before arguments": [
        response(call("look", "", "c1", status="incomplete"), cut="max_output_tokens"),
        BYE,
    ],
    "broken": [
        response(
            call("add", '{"amount": 2}}', "c1"),
            call("add", "null", "c2"),
            call("add", '"{}"', "c3"),
            call("no such tool", "[1]", "c4"),
        ),
        BYE,
    ],
    "ids": [
        response(call("look", {}, "", id=""), call("look", {}, "same", id="i")),
        response(call("look", {}, "same", id="i"), said("Hm.", id="msg")),
        response(call("look", {}, "same", id=None), said("Hm.", id="msg")),
        BYE,
    ],
    "text content": [response(said("", content="Look."), ADD), BYE],
    "thinking": [
        response(
            thought(summary=[{"type": "summary_text", "text": "two"}], encrypted_content="x"),
            said(""),
            ADD,
        ),
        BYE,
    ],
    "no reasoning back": [
        response(thought(), ADD),
        lambda body: (
            (400, {"error": {"message": "item['content'] is not an array"}})
            if [item for item in body["input"] if item["type"] == "reasoning"]
            else BYE
        ),
        response(call("add", {"amount": 3}, "c2")),
        BYE,
    ],
    "too often": [response(call("look", {}, f"c{turn}")) for turn in range(6)],
    **{f"full: {name}": [response(ADD), body] for name, body in OVERFLOWS.items()},
    "full at once": [OVERFLOWS["llama.cpp"]],
    "dict": [response({**ADD, "arguments": {"amount": 2}})],
    "null id": [response({**ADD, "call_id": None})],
    "unknown item": [response({"type": "teapot_call", "id": "t"})],
    "no output": [response() | {"output": None}],
    "failed": [
        response(status="failed", error={"code": "server_error", "message": "GPU fell off"})
    ],
}


@dataclass(frozen=True)
class Bundled:
    """A bundle, and the Python that runs it."""

    folder: Path
    python: Path

    def play(
        self, scripts: dict[str, list[Any]], rows: dict[str, Item] | None = None, **asked: Any
    ) -> tuple[dict[str, Any], StrictResponses]:
        """What the agent answers for each script, and the server that played them."""
        with StrictResponses(scripts) as endpoint:
            rows = {name: row_of(name) for name in scripts} | (rows or {})
            found = subprocess.run(
                [self.python, HERE / "nemo_gym_facts.py"],
                input=json.dumps({"endpoint": endpoint.url, "rows": rows, **asked}),
                cwd=self.folder,
                env=child_environment({"PYTHONPATH": str(self.folder)}),
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )
        assert found.returncode == 0, found.stderr[-4000:]
        return json.loads(found.stdout.splitlines()[-1]), endpoint


def row_of(name: str, **more: Any) -> Item:
    params = {"input": [], "metadata": {"episode": name}}
    return {"responses_create_params": params, "split": "train", "index": 0, "seed": 0, **more}


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Bundled:
    root = tmp_path_factory.mktemp("nemo")
    folder = write_counter(root / "counter", game=("    def look(self)", SHARE))
    pipeline.render(folder, ["nemo_gym"])
    pipeline.bundle(folder, "nemo_gym", root / "bundle")
    return Bundled(
        root / "bundle", variant_venv(load(folder), folder, FRAMEWORKS["nemo_gym"]).python
    )


ROWS = {
    "typo": row_of("stopped", idx=1),
    "other typo": {**row_of("stopped"), "split": None, "spit": "train"},
    "no task": {"responses_create_params": {"input": []}},
    "stopped again": row_of(
        "stopped again", metadata={"mine": 1}, agent_ref={"name": "agent"}, _ng_task_index=0
    ),
}


@pytest.fixture(scope="module")
def played(bundled: Bundled) -> tuple[dict[str, Any], StrictResponses]:
    scripts = {**SCRIPTS, "stopped again": SCRIPTS["stopped"]}
    return bundled.play(scripts, ROWS)


def how(result: Item) -> tuple[Any, ...]:
    """How a rollout ended, and that all that tell of it agree."""
    assert "reward" in result, result
    info = result["info"]
    assert info["episode"]["end"] == info["end"]
    assert info["episode"]["return"] == pytest.approx(result["reward"])
    assert info["episode"]["truncated"] == result["truncated"] != result["terminated"]
    return info["end"], info["limit"], result["truncated"]


def test_nothing_that_a_strict_server_refuses_is_sent(
    played: tuple[dict[str, Any], StrictResponses],
) -> None:
    assert played[1].refused == {}


def test_a_strict_server_refuses_what_was_sent_before() -> None:
    calls = [call("add", "{", "", id=None), {"call_id": "", "output": "."}]
    wrong = problems({"input": calls, "user": "me"})
    assert len(wrong) > 5, wrong


@pytest.mark.parametrize(
    ("script", "end", "reward"),
    [
        ("won", ("terminated", None, False), 1.0),
        ("stopped", ("stopped", None, False), TWO),
        ("stopped again", ("stopped", None, False), TWO),
        ("nothing", ("stopped", None, False), TWO),
        ("too often", ("truncated", "turns", True), 0.0),
        ("cut", ("cut_off", None, True), TWO),
        ("filtered", ("cut_off", None, True), TWO),
        ("reasoning only", ("cut_off", None, True), TWO),
        *((f"full: {name}", ("truncated", "context_full", True), TWO) for name in OVERFLOWS),
    ],
)
def test_a_rollout_tells_how_it_ended(
    played: tuple[dict[str, Any], StrictResponses], script: str, end: Any, reward: float
) -> None:
    result = played[0][script]
    assert how(result) == end
    assert result["reward"] == pytest.approx(reward)


def test_the_output_is_recorded_as_it_was(played: tuple[dict[str, Any], StrictResponses]) -> None:
    kinds = [item["type"] for item in played[0]["reasoning only"]["response"]["output"]]
    assert kinds == ["function_call", "function_call_output", "reasoning"]
    assert played[0]["nothing"]["response"]["output"][2:] == []
    assert played[0]["full: vllm"]["response"]["output"][2:] == []
    broken = played[0]["broken"]["response"]["output"]
    assert [item["arguments"] for item in broken[:4]] == ['{"amount": 2}}', "null", '"{}"', "[1]"]
    assert played[0]["won"]["response"]["usage"]["total_tokens"] == 214
    assert played[0]["won"]["response"]["usage"]["output_tokens_details"]["reasoning_tokens"] == 4


def test_in_a_cut_message_the_whole_calls_are_played_and_the_cut_one_is_refused(
    played: tuple[dict[str, Any], StrictResponses],
) -> None:
    whole, cut = played[0]["cut call"]["info"]["episode"]["steps"]
    assert (whole["error"], cut["error"]) == (None, "invalid_arguments")
    [empty] = played[0]["cut before arguments"]["info"]["episode"]["steps"]
    assert empty["error"] == "invalid_arguments"
    for name, last in (("cut call", -1), ("cut before arguments", -1)):
        shown = played[1].requests[name][1]["input"][last]
        assert "The message was cut at its token limit." in shown["output"]


def test_broken_arguments_go_back_as_an_object_and_the_refusal_explains(
    played: tuple[dict[str, Any], StrictResponses],
) -> None:
    sent = played[1].requests["broken"][1]["input"]
    calls = [item for item in sent if item["type"] == "function_call"]
    assert [item["arguments"] for item in calls] == ["{}"] * 4
    assert calls[3]["name"] == "no_such_tool"
    outputs = [item["output"] for item in sent if item["type"] == "function_call_output"]
    assert all("not a JSON object" in output for output in outputs[:3]), outputs
    assert "no such tool" in outputs[3]


def test_every_call_of_ids_that_are_missing_or_twice_is_answered(
    played: tuple[dict[str, Any], StrictResponses],
) -> None:
    output = played[0]["ids"]["response"]["output"]
    calls = [item["call_id"] for item in output if item["type"] == "function_call"]
    assert len(set(calls)) == len(calls) == 4
    assert sorted(calls) == sorted(
        i["call_id"] for i in output if i["type"] == "function_call_output"
    )


def test_reasoning_goes_back_unless_the_server_refuses_it(
    played: tuple[dict[str, Any], StrictResponses],
) -> None:
    [kept] = [i for i in played[1].requests["thinking"][1]["input"] if i["type"] == "reasoning"]
    summary = [{"type": "summary_text", "text": "two"}]
    assert kept == {"type": "reasoning", "id": "rs1", "summary": summary, "encrypted_content": "x"}
    assert how(played[0]["no reasoning back"]) == ("stopped", None, False)
    asked = [len(request["input"]) for request in played[1].requests["no reasoning back"]]
    assert asked == [2, 5, 4, 6]


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("full at once", ["does not hold the prompt", "exceeds the available context size"]),
        ("dict", ["arguments"]),
        ("null id", ["call_id"]),
        ("unknown item", ["teapot_call"]),
        ("no output", ["output"]),
        ("failed", ["failed", "GPU fell off"]),
        ("typo", ["422", "no field 'idx'", "did you mean 'index'"]),
        ("other typo", ["422", "no field 'spit'", "did you mean 'split'", "metadata"]),
        ("no task", ["422", "names no task"]),
    ],
)
def test_what_cannot_be_played_is_a_failure_row_that_says_why(
    played: tuple[dict[str, Any], StrictResponses], script: str, words: list[str]
) -> None:
    result = played[0][script]
    assert "reward" not in result
    assert result["_ng_failure_type"] == "RolloutFailed"
    for word in words:
        assert word in result["_ng_failure_message"], result["_ng_failure_message"]


VLLM = {
    "cut": ["length", "length"],
    "full": ["tool_calls", 400],
    "full at once": [400],
    "won": ["tool_calls", "tool_calls"],
}
"""What a vLLM server answers, behind NeMo Gym's vllm_model: a call a turn, or a full context."""


def completion(reason: str, turn: int, broken: bool) -> Item:
    """A Chat Completions answer with the tokens that a trainer wants; cut ones have text."""
    amount = 9 if turn == 0 else 8
    function = {"name": "add", "arguments": "{" if broken else json.dumps({"amount": amount})}
    calls = [{"id": f"c{turn}", "type": "function", "function": function}]
    message = {"role": "assistant", "content": None, "tool_calls": calls}
    if reason == "length" and turn:
        message = {"role": "assistant", "content": "I th"}
    read, wrote = list(range(1, 3 * turn + 2)), [3 * turn + 2]  # 1, 2 | 1, 2, 3, 4
    tokens = {
        "prompt_token_ids": read,
        "generation_token_ids": wrote,
        "generation_log_probs": [-0.5],
    }
    usage = {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12}
    choice = {"index": 0, "finish_reason": reason, "message": {**message, **tokens}}
    reported = {"id": "c", "object": "chat.completion", "created": 0, "model": "model"}
    return {**reported, "choices": [choice], "usage": usage}


@pytest.mark.everything("frameworks")
@pytest.mark.parametrize("agent", ["ours", "stock"])
def test_behind_vllm_model_every_turn_is_played_and_a_full_context_is_an_end(
    bundled: Bundled, agent: str
) -> None:
    scripts: dict[str, list[Answer]] = {
        name: [
            OVERFLOWS["vllm"] if reason == 400 else completion(reason, turn, name == "cut")
            for turn, reason in enumerate(reasons)
        ]
        for name, reasons in VLLM.items()
    }
    rows = {
        name: row_of(name) | {"responses_create_params": params}
        for name in scripts
        if (
            params := {"input": [{"role": "user", "content": "Go."}], "metadata": {"episode": name}}
        )
    }
    results, endpoint = bundled.play(scripts, rows, server="vllm", tokens=True, agent=agent)
    assert how(results["won"]) == ("terminated", None, False)
    assert how(results["full"]) == ("truncated", "context_full", True)
    assert results["full"]["reward"] == pytest.approx(0.5 * 9 / TARGET)
    assert how(results["cut"]) == ("cut_off", None, True)
    if agent == "ours":
        assert "does not hold the prompt" in results["full at once"]["_ng_failure_message"]
        back = endpoint.requests["cut"][1]["messages"][-2:]
        assert back[0]["tool_calls"][0]["function"]["arguments"] == "{}"
        assert back[0]["generation_token_ids"] == [2], "what was sampled does not go back"
        assert "cut at its token limit" in back[1]["content"]
    else:
        assert how(results["full at once"]) == ("truncated", "context_full", True)


@pytest.mark.everything("frameworks")
def test_messages_that_the_configuration_forbids_truncate_the_episode(bundled: Bundled) -> None:
    results, _ = bundled.play({"won": SCRIPTS["won"]}, max_steps=1)
    assert how(results["won"]) == ("truncated", "turns", True)
    assert results["won"]["reward"] == pytest.approx(0.5 * 9 / TARGET)


def test_a_steps_own_observation_is_a_message_of_the_user(bundled: Bundled, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(bundled.folder, tmp_path / "bundle"))
    server = folder / "server.py"
    text = server.read_text("utf-8")
    assert text.count("return None, reward,") == 1
    server.write_text(text.replace("return None, reward,", 'return "Go on.", reward,'), "utf-8")
    results, endpoint = Bundled(folder, bundled.python).play({"won": SCRIPTS["won"]})
    assert results["won"]["reward"] == pytest.approx(1.0)
    answer, told = endpoint.requests["won"][1]["input"][-2:]
    assert answer["type"] == "function_call_output"
    assert told == {"type": "message", "role": "user", "content": "Go on."}
    assert told in results["won"]["response"]["output"]


def native(bundled: Bundled, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [bundled.python, bundled.folder / "native.py", "--model", "model", *arguments]
    extra = FRAMEWORKS["nemo_gym"].environment
    return subprocess.run(
        command,
        cwd=bundled.folder,
        env=child_environment(extra),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


@pytest.mark.everything("frameworks")
def test_nemo_gyms_runner_goes_on_where_it_was_ended_and_tries_again_what_failed(
    bundled: Bundled, tmp_path: Path
) -> None:
    broken = [True]

    def wins(body: Item) -> Answer:
        played = sum(item["type"] == "function_call" for item in body["input"])
        if body["metadata"]["episode"] == "breaks" and broken[0] and played:
            return 400, {"error": {"message": "the cable is out"}}
        return response(call("add", {"amount": 8 if played else 9}, f"c{played}"))

    rows, output = tmp_path / "rows.jsonl", tmp_path / "out" / "rollouts.jsonl"
    names = ("wins", "breaks")
    rows.write_text("".join(json.dumps(row_of(name)) + "\n" for name in names))
    options: list[str | Path] = ["--input", rows, "--output", output, "--samples", "2"]
    options += ["--temperature", "0.5", "--top-p", "0.9", "--max-tokens", "64"]
    with StrictResponses(dict.fromkeys(names, wins)) as endpoint:
        options += ["--base-url", endpoint.url]
        first = native(bundled, *options)
        assert first.returncode == 1, first.stderr[-4000:]
        assert first.stderr.count("the cable is out") == 2, first.stderr
        assert "2 rollouts, mean reward 1; 2 failed" in first.stdout
        asked = endpoint.requests["wins"][0]
        sampling = {name: asked[name] for name in ("temperature", "top_p", "max_output_tokens")}
        assert sampling == {"temperature": 0.5, "top_p": 0.9, "max_output_tokens": 64}
        with output.open("a") as file:  # as a kill leaves it
            file.write('{"reward": 0.0, "_ng_task')
        before, broken[0] = len(endpoint.requests["wins"]), False
        second = native(bundled, *options)
        assert second.returncode == 0, second.stderr[-4000:]
        assert "going on" in second.stdout
        assert "4 rollouts (2 of them after a failure), mean reward 1; 0 failed" in second.stdout
        assert len(endpoint.requests["wins"]) == before, "what had a score was played again"
    written = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
    keys = {(row["_ng_task_index"], row["_ng_rollout_index"]) for row in written}
    assert len(keys) == len(written) == 4
    assert len((tmp_path / "out" / "rollouts_failures.jsonl").read_text().splitlines()) == 2
    done = native(bundled, *options)
    assert done.returncode == 0, "nobody is there to be asked"
    other = native(bundled, *options, "--temperature", "1")
    assert (other.returncode, "another run (sampling)" in other.stderr) == (1, True)
