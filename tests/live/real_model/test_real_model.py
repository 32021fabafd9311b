"""A real small model plays every variant over two real servers: whatever it does, records are true."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pytest

from skill_tools.errors import InstallError, InterpreterError
from tests.live.frameworks import FRAMEWORKS

from .log import logging
from .rollouts import ENVIRONMENTS, WAYS, Way, make, play
from .servers import NAME, serving

pytestmark = pytest.mark.everything("real model")
VERIFY = Path(__file__).with_name("verify.py")
CALLING = [name for name, facts in FRAMEWORKS.items() if facts.actions == "tool-calls"]
SLOWLY = ("verifiers", "gem")
"""Who plays more than the game on transformers, which takes seconds for each message."""
PLAYED = [
    (way, environment, framework)
    for way in ("with tools", "transformers")
    for environment in ENVIRONMENTS
    for framework in FRAMEWORKS
    if way != "transformers" or environment == "game" or framework in SLOWLY
]


@dataclass
class Served:
    """A server with the model, and what was played with it."""

    way: Way
    url: str
    folder: Path

    def play(self, environment: str, framework: str, make: Callable[[str], Path]) -> Records:
        """Play a few episodes, once; a log of their own says what the server saw of them."""
        records = Records(self.folder, f"{environment}-{framework}")
        if not records.file.exists():
            few = self.way.setup.server == "transformers" or environment != "wordle"
            with logging(self.url, records.log) as url:
                said = play(
                    make(environment), framework, self.way, url, records.file,
                    samples=1 if few else 2, max_turns=2 if few else 3,
                )  # fmt: skip
            records.said.write_text("\n".join(said), "utf-8")
        return records


@dataclass
class Records:
    """Records of a rollout, and the server's log of it."""

    folder: Path
    name: str

    @property
    def file(self) -> Path:
        return self.folder / f"{self.name}.jsonl"

    @property
    def log(self) -> Path:
        return self.folder / f"{self.name}.log"

    @property
    def said(self) -> Path:
        return self.folder / f"{self.name}.said"

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(text) for text in self.file.read_text("utf-8").splitlines()]

    def verified(self, file: Path | None = None) -> str:
        """What the second program says of a file: these records, or changed ones."""
        command = [sys.executable, VERIFY, self.log, file or self.file]
        said = subprocess.run(command, capture_output=True, text=True, check=False)
        assert not said.stderr, said.stderr
        return said.stdout.strip()


@pytest.fixture(scope="module")
def served(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    """A server set up in one of the ways."""
    way, folder = WAYS[request.param], tmp_path_factory.mktemp("real")
    try:
        with serving(way.setup, folder / "server") as url:
            yield Served(way, url, folder)
    except (InstallError, InterpreterError) as error:
        pytest.skip(f"the real model cannot be had here: {error}")


@pytest.fixture(scope="module")
def environment_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Makes an environment by name, once."""
    return cache(lambda name: make(name, tmp_path_factory.mktemp(name) / "env"))


@pytest.mark.parametrize(("served", "environment", "framework"), PLAYED, indirect=["served"])
def test_every_record_of_a_real_model_is_true(
    served: Served, environment: str, framework: str, environment_of: Callable[[str], Path]
) -> None:
    records = served.play(environment, framework, environment_of)
    assert records.verified() == "every record is true"
    lines = records.lines()
    assert all(turn["usage"]["output_tokens"] for line in lines for turn in line["turns"])
    print([(line["end"], line["limit"], len(line["steps"])) for line in lines])


@pytest.mark.parametrize("framework", CALLING)
@pytest.mark.parametrize("served", ["as it comes"], indirect=True)
def test_a_rollout_says_that_the_server_drops_the_tools(
    served: Served, framework: str, environment_of: Callable[[str], Path]
) -> None:
    records = served.play("wordle", framework, environment_of)
    assert records.verified() == "every record is true"
    lines = records.lines()
    assert {line["end"] for line in lines} <= {"stopped", "cut_off"}
    assert records.said.read_text("utf-8").count("drops the tools") == 1


@pytest.mark.parametrize("framework", FRAMEWORKS)
@pytest.mark.parametrize("served", ["small context"], indirect=True)
def test_a_context_that_fills_ends_the_episode_with_a_score(
    served: Served, framework: str, environment_of: Callable[[str], Path]
) -> None:
    records = served.play("wordle", framework, environment_of)
    assert records.verified() == "every record is true"
    full = [line for line in records.lines() if line["limit"] == "context_full"]
    assert all(line["return"] is not None for line in full)
    if framework not in CALLING:  # where a message without a call does not end the episode
        assert full


@pytest.mark.parametrize("framework", FRAMEWORKS)
@pytest.mark.parametrize("served", ["tokens"], indirect=True)
def test_the_tokens_that_a_server_tells_are_those_of_the_message(
    served: Served, framework: str, environment_of: Callable[[str], Path]
) -> None:
    records = served.play("wordle", framework, environment_of)
    assert records.verified() == "every record is true"
    for line in records.lines():
        said = [message for message in line["messages"] if message["role"] == "assistant"]
        assert len(said) == len(line["turns"])
        for message, turn in zip(said, line["turns"], strict=True):
            ids, logprobs = turn["tokens"]["ids"], turn["tokens"]["logprobs"]
            # The token that ends a message is counted, and told only where its text is empty.
            assert turn["usage"]["output_tokens"] - len(ids) in (0, 1)
            assert len(logprobs) == len(ids)
            assert max(logprobs) <= 0
            written = httpx.post(f"{served.url}/detokenize", json={"tokens": ids}, trust_env=False)
            text = written.json()["content"].removesuffix("<|im_end|>")
            if not message.get("tool_calls"):
                assert text.strip() == message["content"].strip()
            for call in message.get("tool_calls") or ():
                assert call["function"]["name"] in text


def _one_more_token(line: dict[str, Any]) -> None:
    line["turns"][0]["usage"]["output_tokens"] += 1


def _another_reason(line: dict[str, Any]) -> None:
    line["turns"][-1]["finish_reason"] = "other"


def _another_word(line: dict[str, Any]) -> None:
    line["messages"][-1 - len(line["steps"])]["content"] += "!"


def _no_turn(line: dict[str, Any]) -> None:
    line["turns"].pop()


def _another_episode(line: dict[str, Any]) -> None:
    line["label"] += "#9"


FALSE = (_one_more_token, _another_reason, _another_word, _no_turn, _another_episode)
FALSE_ENDS = ("terminated", "truncated", "failed", "stopped or cut_off")


@pytest.mark.parametrize("served", ["as it comes"], indirect=True)
def test_the_second_program_finds_what_is_false(
    served: Served, environment_of: Callable[[str], Path], tmp_path: Path
) -> None:
    records = served.play("wordle", "openenv", environment_of)
    assert records.verified() == "every record is true"

    def changed(change: Callable[[dict[str, Any]], None]) -> str:
        first, *others = records.lines()
        change(first)
        file = tmp_path / "changed.jsonl"
        file.write_text("".join(json.dumps(line) + "\n" for line in (first, *others)), "utf-8")
        return records.verified(file)

    def ended(line: dict[str, Any], end: str) -> None:
        other = "stopped" if line["end"] == "cut_off" else "cut_off"
        line["end"] = other if " or " in end else end

    assert changed(lambda line: None) == "every record is true"
    for change in FALSE:
        assert NAME in changed(change), change
    for end in FALSE_ENDS:
        assert "ended as" in changed(lambda line, end=end: ended(line, end)), end
