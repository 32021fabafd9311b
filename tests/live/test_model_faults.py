"""A model server's faults: who is at fault decides whether an episode has a score, and none is lost."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from stand_in._shared.models import connections, interception, model_server
from stand_in._shared.models.conversation import Conversation

from skill_tools import pipeline
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.frameworks.rules import load
from skill_tools.rollouts.options import RolloutOptions
from skill_tools.rollouts.rollout import RolloutProcess, roll_out, variant_venv
from tests.live.frameworks import FRAMEWORKS
from tests.selection import some

from . import faulty

ANY = some(FRAMEWORKS, usual=("openenv",))
TEXT = ("skyrl_gym", "gem")
PLAYED_ON = [
    "fine", *faulty.PASSING, "error-inside", "drops", "drops-amid", "no-thought", "renames", "roles",
    "half-arguments",
]  # fmt: skip
FAILS = [*faulty.OTHER, *faulty.BAD_JSON, "broken"]
MODELS = [*PLAYED_ON, *faulty.FULL, *FAILS, "full-at-once", "cut", "halves"]
SLOW = ["mute", "slow", "busy-for-long", "busy-then-mute", "stuck-world"]


class Seen:
    """What came of a rollout, and what the server saw of it."""

    def __init__(self, folder: Path, framework: str, models: list[str], seconds: float) -> None:
        spec, self.framework = load(folder), framework
        output = folder / f"{framework}-{models[0]}.jsonl"
        with faulty.serving() as self.server:
            found = roll_out(
                RolloutProcess(
                    folder, framework, variant_venv(spec, folder, FRAMEWORKS[framework]), timeout=240
                ),
                models,
                RolloutOptions(
                    base_url=self.server.url, split="train", episode_seconds=seconds,
                    concurrency=len(models), max_tokens=100,
                ),
                output=output,
            )  # fmt: skip
        self.of: dict[str, Trajectory] = {each.model: each for each in found}
        self.text = output.read_text("utf-8")

    def ends(self, *models: str) -> dict[str, tuple[object, ...]]:
        return {m: (self.of[m].end, self.of[m].limit, self.of[m].total) for m in models}

    def failure(self, model: str) -> str:
        failed = self.of[model].failure
        assert failed, self.of[model]
        return failed.message


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = faulty.write(tmp_path_factory.mktemp("faulty") / "faulty")
    pipeline.render(folder)
    return folder


@pytest.fixture(scope="module", params=ANY)
def suffered(request: pytest.FixtureRequest, folder: Path) -> Seen:
    return Seen(folder, request.param, MODELS, 60)


def test_what_passes_or_can_be_left_out_is_played_on(suffered: Seen) -> None:
    assert suffered.ends(*PLAYED_ON) == dict.fromkeys(PLAYED_ON, ("terminated", None, 1.0))
    for model in faulty.PASSING:
        assert len(suffered.server.refused[model]) == 2


def test_a_repetition_is_told_in_the_record(suffered: Seen) -> None:
    turns = suffered.of["busy-ms"].turns
    if suffered.framework == "verifiers":  # whose own client asks
        assert len(turns) == 3
        return
    assert [len(turn.get("retries", ())) for turn in turns] == [1, 1, 0]
    # The milliseconds win over 30 seconds beside them.
    assert turns[0]["retries"] == [{"status": 429, "waited": 0.02}]


def test_a_full_context_ends_the_episode_with_what_it_earned(suffered: Seen) -> None:
    ended = ("truncated", "context_full", 0.25)
    assert suffered.ends(*faulty.FULL) == dict.fromkeys(faulty.FULL, ended)
    assert {len(suffered.server.asked[model]) for model in faulty.FULL} == {2}


def test_a_prompt_that_does_not_fit_is_a_failure(suffered: Seen) -> None:
    assert suffered.ends("full-at-once")["full-at-once"] == ("failed", None, None)
    assert "maximum context length" in suffered.failure("full-at-once")


def test_other_refusals_are_failures_that_keep_what_was_played(suffered: Seen) -> None:
    assert suffered.ends(*FAILS) == dict.fromkeys(FAILS, ("failed", None, None))
    assert {len(suffered.of[model].steps) for model in FAILS} == {1}
    assert all(suffered.failure(model) for model in FAILS)


def test_what_took_too_long_is_not_asked_again(suffered: Seen) -> None:
    for model in ("late-408", "late-504", "denied", "tokens", "context"):
        assert len(suffered.server.asked[model]) == 2, model


def test_a_field_that_is_refused_is_left_out_from_then_on(suffered: Seen) -> None:
    assert suffered.server.refused["no-thought"] == [422]
    assert suffered.server.refused["renames"] == [400]
    kept = [m for m in suffered.of["no-thought"].messages if m["role"] == "assistant"]
    assert [message["reasoning_content"] for message in kept] == ["I think."] * 3


def test_a_message_that_was_cut_off_is_an_end_of_its_own(suffered: Seen) -> None:
    if suffered.framework in TEXT:  # there a message without an action is refused, and played on
        assert suffered.of["cut"].turns[1]["finish_reason"] == "length"
        assert [step.error for step in suffered.of["cut"].steps] == [None, "unreadable", None, None]
    else:
        assert suffered.ends("cut")["cut"] == ("cut_off", None, 0.25)
        assert suffered.of["cut"].final_message == "I would"


def test_half_a_character_is_replaced_wherever_it_comes_from(suffered: Seen) -> None:
    """The task, the prompt, the reply, an observation, a refusal, and what the world breaks with."""
    played = suffered.of["halves"]
    assert not re.search(r"(?<!\\)\\ud[89a-f]", suffered.text)
    assert played.prompt[-1]["content"].endswith("Count to three\ufffd. It is h\ufffdme.")
    assert played.task_id == "n\ufffd-0"
    assert played.steps[0].text == "half: \ufffd."
    assert (played.steps[1].text, played.steps[1].error) == ("not \ufffd this", "invalid_action")
    if suffered.framework not in TEXT:
        assert played.steps[2].tool == "ad\ufffd"
        assert played.steps[2].error == "unknown_tool"
    assert played.end == "failed"
    assert "ValueError: \ufffd it broke" in suffered.failure("halves")
    first = next(message for message in played.messages if message["role"] == "assistant")
    assert first["reasoning_content"] == "\ufffd thought"


def test_half_a_character_in_arguments_is_refused_with_the_reason(suffered: Seen) -> None:
    step = suffered.of["half-arguments"].steps[0]
    assert step.error == ("unreadable" if suffered.framework in TEXT else "invalid_arguments")
    assert "it holds half of a surrogate pair" in step.text


def test_pictures_go_where_the_server_takes_them(suffered: Seen) -> None:
    asked = suffered.server.asked["roles"][-1]["messages"]
    if suffered.framework == "gem":  # whose observations are text alone
        assert "an image that this framework cannot carry" in asked[-1]["content"]
        return
    if suffered.framework in TEXT:
        assert [part["type"] for part in asked[-1]["content"]] == ["text", "image_url"]
        kept = suffered.of["roles"].messages[-3]["content"][1]["image_url"]["url"]
        assert kept == "#/steps/0/observation/1"
        return
    assert suffered.server.refused["roles"] == [400]
    assert [message["role"] for message in asked][-2:] == ["assistant", "tool"]
    assert [part["type"] for part in asked[-1]["content"]] == ["text", "image_url"]


@pytest.mark.parametrize("framework", ANY)
@pytest.mark.everything("frameworks")
def test_who_is_late_decides_whether_there_is_a_score(folder: Path, framework: str) -> None:
    seen = Seen(folder, framework, SLOW, 8)
    assert seen.ends("slow")["slow"] == ("truncated", "time", 0.5)
    assert seen.ends("mute")["mute"] == ("failed", None, None)
    assert "the model gave no answer in time" in seen.failure("mute")
    for model, said in (("busy-for-long", "too many requests"), ("busy-then-mute", "loading")):
        assert seen.ends(model)[model] == ("failed", None, None)
        assert [step.tool for step in seen.of[model].steps] == ["add"]
        assert said in seen.failure(model)
        # Verifiers' own server keeps Retry-After back, so that the attempts end first.
        if framework != "verifiers" or model != "busy-for-long":
            assert "it did not answer in time" in seen.failure(model)
    assert seen.ends("stuck-world")["stuck-world"] == ("failed", None, None)
    assert [step.tool for step in seen.of["stuck-world"].steps] == ["add"]
    assert "the environment gave no answer in time" in seen.failure("stuck-world")


# The client alone


@pytest.fixture
def server() -> Iterator[faulty.Server]:
    with faulty.serving() as found:
        yield found


WAYS = ("httpx", "aiohttp")
"""Of the rollouts, and of the Verifiers variant."""


def ask(
    url: str, name: str, count: int = 1, through: str = "httpx", **options: object
) -> list[str]:
    """Let one model play conversations at once, of three messages each; what it told about them."""
    reported: list[str] = []
    model = model_server.Model(
        name, url, "none", model_server.Options(**options), tell=reported.append
    )

    async def converse() -> None:
        said = Conversation([{"role": "user", "content": "Go."}])
        for _ in range(3):
            await model.ask(said, [], "label")
            said.say("Go on.")

    async def all_of_them() -> None:
        async with interception.connected() as exchange:
            model.exchange = exchange if through == "aiohttp" else model.exchange
            await asyncio.gather(*(converse() for _ in range(count)))

    asyncio.run(all_of_them())
    return reported


def test_every_conversation_learns_from_the_refusal_of_one(server: faulty.Server) -> None:
    ask(server.url, "no-thought", 8)
    assert 1 <= len(server.refused["no-thought"]) <= 8
    assert len(server.asked["no-thought"]) == 24 + len(server.refused["no-thought"])
    ask(server.url, "renames", 8, sampling={"max_tokens": 5})
    assert len(server.asked["renames"]) == 24 + len(server.refused["renames"])
    assert sum("max_completion_tokens" in body for body in server.asked["renames"]) == 24


def test_a_setting_of_the_users_own_is_not_renamed_and_its_refusal_is_told(
    server: faulty.Server,
) -> None:
    with pytest.raises(model_server.ServerFailed, match="max_completion_tokens"):
        ask(server.url, "renames", extra={"max_tokens": 5})
    assert len(server.asked["renames"]) == 1


def test_attempts_wait_longer_and_longer_and_end(server: faulty.Server) -> None:
    with pytest.raises(model_server.ServerFailed, match="after 4 attempts"):
        ask(server.url, "broken")
    waits = [b - a for a, b in pairwise(server.times["broken"][1:])]
    assert len(waits) == 3
    assert waits == sorted(waits)


def test_what_a_server_thinks_is_not_sent_back_if_nobody_wants_it(server: faulty.Server) -> None:
    ask(server.url, "no-thought", keep_reasoning=False)
    assert server.refused["no-thought"] == []


def test_no_limit_of_the_client_is_behind_the_episodes_own() -> None:
    for direct in (True, False):
        limit = connections.client(direct).timeout
        assert (limit.read, limit.write, limit.pool) == (None, None, None)
        assert limit.connect is not None


@pytest.mark.parametrize("through", WAYS)
def test_conversations_use_their_connections_again(server: faulty.Server, through: str) -> None:
    ask(server.url, "fine", 8, through)
    assert len(server.asked["fine"]) == 24
    assert 1 <= server.connections <= 8


@pytest.mark.parametrize("through", WAYS)
@pytest.mark.parametrize("name", [*faulty.PASSING, "drops", "drops-amid"])
def test_what_passes_is_waited_out_however_it_is_asked(
    server: faulty.Server, name: str, through: str
) -> None:
    reported = ask(server.url, name, through=through)
    assert len(server.asked[name]) == 3 + len(reported)
    assert reported
    assert all("the request is repeated in" in each for each in reported)
    if name in faulty.PASSING:
        assert all("try again" in each for each in reported)


@pytest.mark.parametrize("through", WAYS)
def test_the_reason_is_told_however_it_is_asked(server: faulty.Server, through: str) -> None:
    with pytest.raises(model_server.ServerFailed, match=r"401 Unauthorized: .*Incorrect API key"):
        ask(server.url, "denied", through=through)
    with pytest.raises(model_server.ContextFull, match="maximum context length"):
        ask(server.url, "full-at-once", through=through)
    with pytest.raises(model_server.ServerFailed, match=r"[Cc]onnect.* after 4 attempts"):
        ask("http://127.0.0.1:9/v1", "fine", through=through)


FULL = [
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
    "request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it",
    ("The decoder prompt (length 5000) is longer than the maximum model length of 4096. Make sure that "
    "`max_model_len` is no smaller"),
    "prompt is too long: 210000 tokens > 200000 maximum",
    "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    "Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192",
    "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000",
    "Input validation error: `inputs` must have less than 1024 tokens. Given: 2000",
    "Input is too long for requested model.",
    "the model is loaded with context length of only 4096 tokens, which is not enough",
    "This model's maximum prompt length is 131072 but the request contains 142095 tokens.",
    "too many tokens: total number of tokens in the prompt cannot exceed 4081",
    "Requested token count exceeds the model's maximum context length of 4096 tokens.",
    "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
    "Invalid request: Your request exceeded model token limit: 8192",
    "Range of input length should be [1, 30720]",
    ("'max_tokens' or 'max_completion_tokens' is too large: 100. This model's maximum context length is 2048 "
    "tokens and your request has 2000 input tokens"),
]  # fmt: skip
NOT_FULL = [
    ("max_tokens is too large: 100000. This model supports at most 16384 "
    "completion tokens, whereas you provided 100000."),
    "max_completion_tokens exceeds the model's limit of 4096 output tokens",
    "context deadline exceeded",
    "Failed to create SSL context",
    ("Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40, but "
    "got a string with length 41 instead."),
    "tool name exceeds the maximum allowed length of 64",
    "Conversation roles must alternate user/assistant/user/assistant/...",
    "At most 1 image(s) may be provided in one prompt.",
    "reasoning_content: Extra inputs are not permitted",
    "Rate limit exceeded: too many requests",
]  # fmt: skip


@pytest.mark.parametrize("said", FULL)
def test_a_full_context_is_known_by_the_words_of_its_server(said: str) -> None:
    assert model_server.context_full(400, json.dumps({"error": {"message": said}}))
    assert not model_server.context_full(429, said)


def test_a_body_that_is_too_large_is_one_and_a_quota_is_none() -> None:
    assert model_server.context_full(413, "<html>413 Request Entity Too Large</html>")
    said = "Request too large for model on tokens per minute (TPM): Limit 6000, Requested 7000"
    assert not model_server.context_full(413, said)


@pytest.mark.parametrize("said", NOT_FULL)
def test_a_refusal_of_something_else_is_no_full_context(said: str) -> None:
    assert not model_server.context_full(400, json.dumps({"error": {"message": said}}))
