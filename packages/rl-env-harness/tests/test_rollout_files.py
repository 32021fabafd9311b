"""Tests of a rollout's command line and its file: nothing is lost, counted twice or guessed."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from stand_in._shared.records import rollout_files as records

from skill_tools.files import harness_project
from skill_tools.render import wheel
from tests.conftest import ROOT
from tests.live import faulty
from tests.selection import few

ROLLOUT = """\
import sys
from stand_in._shared.rollouts import chat, text_actions
from stand_in._shared.episode import Episode


class Session:
    def __init__(self, at):
        self.episode = Episode(at.task, at.seed, at.max_turns)
        self.close = self.episode.close

    def open(self):
        return text_actions.opening(self.episode.prompt)

    def say(self, message, played):
        answer = text_actions.play(self.episode, message)
        played.steps += answer.steps
        played.final_reward, played.truncated = answer.final_reward, self.episode.truncated
        played.over = self.episode.over
        return answer.text


sys.exit(chat.main("nothing", "nothing", "pytest", Session))
"""
"""A text variant of the environment that stands in for one: six tasks, count to 3 to 8."""
EPISODES = [("train", index) for index in range(6)]


@pytest.fixture(scope="module")
def server() -> Iterator[faulty.Server]:
    with faulty.serving() as found:
        yield found


class Rollouts:
    """A runner that starts rollouts in a separate folder and sends their requests to a server."""

    def __init__(self, folder: Path, server: faulty.Server) -> None:
        self.folder, self.server = folder, server
        (folder / "rollout.py").write_text(ROLLOUT, "utf-8")

    def start(self, *options: str, **variables: str) -> subprocess.Popen[str]:
        harness = harness_project()
        places = (ROOT, harness / "src", harness / "tests", wheel.sandbox_source())
        path = os.pathsep.join(map(str, places))
        environment = {**os.environ, "PYTHONPATH": path, **variables}
        command = [sys.executable, "rollout.py", *options]
        pipe = subprocess.PIPE
        return subprocess.Popen(
            command, cwd=self.folder, env=environment, stdout=pipe, stderr=pipe, text=True
        )

    def run(self, *options: str, **variables: str) -> tuple[int, str, str]:
        with self.start(*options, **variables) as process:
            out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def asking(self, model: str, *more: str) -> list[str]:
        return ["--base-url", self.server.url, "--index", "0-5", "--model", model, *more]

    def lines(self, name: str = "o.jsonl") -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.folder / name).read_text("utf-8").splitlines()]

    def files(self) -> set[str]:
        return {path.name for path in self.folder.iterdir()} - {"rollout.py"}


@pytest.fixture
def rollouts(tmp_path: Path, server: faulty.Server) -> Rollouts:
    return Rollouts(tmp_path, server)


def places(lines: list[dict[str, Any]]) -> list[tuple[str, int]]:
    return sorted((line["split"], line["index"]) for line in lines)


# The file


@pytest.mark.everything("costly")
def test_four_that_start_at_once_have_a_file_each(rollouts: Rollouts) -> None:
    started = [rollouts.start(*rollouts.asking("fine"), "--quiet") for _ in range(4)]
    for process in started:
        with process:
            process.communicate(timeout=60)
        assert process.returncode == 0
    found = rollouts.files()
    assert len(found) == 4
    assert all(places(rollouts.lines(name)) == EPISODES for name in found)


@pytest.mark.everything("costly")
def test_after_a_kill_nothing_is_lost_and_nothing_is_played_twice(rollouts: Rollouts) -> None:
    asking = rollouts.asking("fine", "--output", "o.jsonl", "--concurrency", "1")
    path = rollouts.folder / "o.jsonl"
    with rollouts.start(*asking) as process:
        while not (path.exists() and path.read_bytes().count(b"\n") >= 2):
            assert process.poll() is None, process.communicate()
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    first, second, *_ = path.read_bytes().split(b"\n")
    path.write_bytes(first + b"\n" + second[: len(second) // 2])
    code, _, err = rollouts.run(*asking, "--resume")
    assert (code, places(rollouts.lines())) == (0, EPISODES), err
    assert rollouts.lines()[0] == json.loads(first)
    assert "already has 1 episodes; 5 are left" in err
    code, out, err = rollouts.run(*asking, "--resume", "--json")
    assert (code, places(rollouts.lines())) == (0, EPISODES)
    assert "already has 6 episodes; 0 are left" in err
    assert json.loads(out)["fine"]["episodes"] == 6


def test_a_file_that_was_cut_at_any_byte_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "o.jsonl"
    place = {"model": "m\u00e9", "split": "train", "task_id": "a", "seed": 0, "max_turns": 9}
    lines = [
        json.dumps({**place, "index": index, "sample": 0, "end": "terminated", "text": "\u20ac{}"})
        for index in range(3)
    ]
    whole = "".join(f"{line}\n" for line in lines).encode()
    first = len(whole) - len(lines[2]) - 1
    for cut in range(first, len(whole) + 1):
        path.write_bytes(whole[:cut])
        output, found = records.begin(path, resume=True)
        kept = 3 if cut >= len(whole) - 1 else 2
        with output:
            output.write(f"{lines[2]}\n" if kept == 2 else "")
        assert [json.dumps(line) for line in found] == lines[:kept]
        assert path.read_bytes() == whole
    assert [each.name for each in tmp_path.iterdir()] == ["o.jsonl"]


@pytest.mark.everything("costly")
def test_what_failed_is_played_again_and_kept_beside(rollouts: Rollouts) -> None:
    asking = rollouts.asking("denied-once", "--output", "o.jsonl", "--quiet")
    code, _, err = rollouts.run(*asking)
    assert code == 1
    assert "1 of 6 episodes failed" in err
    (failed,) = [line for line in rollouts.lines() if line["end"] == "failed"]
    failures = rollouts.folder / "o-failed.jsonl"
    failures.write_text('{"cut": ', "utf-8")
    assert rollouts.run(*asking, "--resume")[0] == 0
    assert places(rollouts.lines()) == EPISODES
    assert {line["end"] for line in rollouts.lines()} == {"terminated"}
    assert failures.read_text("utf-8") == f'{{"cut": \n{json.dumps(failed)}\n'


@pytest.mark.everything("costly")
def test_a_file_that_takes_no_more_keeps_whole_lines_and_is_gone_on_with(
    rollouts: Rollouts,
) -> None:
    asking = rollouts.asking("fine", "--output", "o.jsonl", "--quiet")
    assert rollouts.run(*asking)[0] == 0
    file = rollouts.folder / "o.jsonl"
    limit = file.stat().st_size * 3 // 5
    file.unlink()
    with rollouts.start(*asking) as process:
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (limit, limit))
        _, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "o.jsonl cannot be written any further: File too large; its lines are complete" in err
    assert "free some space, and continue with --resume" in err
    assert "Traceback" not in err
    assert file.read_text("utf-8")[-1] == "\n"
    assert 0 < len(rollouts.lines()) < 6
    assert rollouts.run(*asking, "--resume")[0] == 0
    assert places(rollouts.lines()) == EPISODES


@pytest.mark.everything("frameworks")
def test_a_file_that_was_played_otherwise_is_refused(rollouts: Rollouts) -> None:
    asking = rollouts.asking("fine", "--output", "o.jsonl", "--quiet")
    assert rollouts.run(*asking)[0] == 0
    before = (rollouts.folder / "o.jsonl").read_bytes()
    for more, reported in (
        (["--temperature", "0.5"], "sampling {}, not {'temperature': 0.5}; name a new file"),
        (["--extra-body", '{"a": 1}'], "sampling {}, not {'a': 1}; name a new file"),
    ):
        code, _, err = rollouts.run(*asking, *more, "--resume")
        assert (code, reported in err) == (1, True), err
    (rollouts.folder / "o.jsonl").write_bytes(before + b"no trajectory\n")
    code, _, err = rollouts.run(*asking, "--resume")
    assert (code, "o.jsonl, line 7 is not a trajectory" in err) == (1, True)
    (rollouts.folder / "o.jsonl").write_bytes(b"\xff\xff\n")
    code, _, err = rollouts.run(*asking, "--resume")
    assert (code, err.count("\n"), "o.jsonl" in err) == (1, 1, True)


@pytest.mark.everything("costly")
def test_a_file_that_another_writes_is_refused(rollouts: Rollouts) -> None:
    asking = rollouts.asking("mute", "--output", "o.jsonl")
    with rollouts.start(*asking) as first:
        while len(rollouts.server.asked["mute"]) < 6:
            assert first.poll() is None
            time.sleep(0.01)
        for more in ([], ["--resume"]):
            code, _, err = rollouts.run(*asking, *more)
            assert (code, err) == (1, "error: o.jsonl is being written by another rollout\n")
        first.send_signal(signal.SIGTERM)
        _, err = first.communicate(timeout=60)
    assert "continue with --resume" in err
    assert first.returncode == 128 + signal.SIGTERM


@pytest.mark.everything("costly")
def test_more_samples_are_played_into_the_same_file(rollouts: Rollouts) -> None:
    asking = rollouts.asking("fine", "--output", "o.jsonl", "--quiet")
    assert rollouts.run(*asking)[0] == 0
    assert rollouts.run(*asking, "--resume", "--samples", "2")[0] == 0
    assert sorted(line["sample"] for line in rollouts.lines()) == [0] * 6 + [1] * 6


# The command line

WRONG = {
    "--api": (["--api", "chats"], "--api is 'chats'; it is chat or responses"),
    "--extra-body": (["--extra-body", "{a: 1}"], "--extra-body is not JSON: "),
    "--extra-body list": (["--extra-body", "[1]"], "--extra-body must be a JSON object, such as "),
    "--task": (["--task", "{"], "--task is not JSON: "),
    "--task seed": (
        ["--task", '{"seed": [1]}'],
        "the seed of the task is [1], not a whole number",
    ),
    "--samples": (["--samples", "0"], "--samples is 0; it must be at least 1"),
    "--samples words": (["--samples", "x"], "argument --samples: invalid int value: 'x'"),
    "--concurrency": (["--concurrency", "-1"], "--concurrency is -1; it must be at least 1"),
    "--temperature": (["--temperature", "hot"], "argument --temperature: invalid number value"),
    "--temperature nan": (
        ["--temperature", "nan"],
        "argument --temperature: nan is not a finite number",
    ),
    "--episode-seconds": (["--episode-seconds", "0"], "--episode-seconds is 0; it must be more"),
    "--max-turns": (["--max-turns", "11"], "--max-turns is 11; this environment allows 1 to 10"),
    "--index": (["--index", "5-4"], "--index is '5-4'; the range is empty"),
    "--index words": (["--index", "\u00b2"], "--index is '\u00b2'; write a number or a range"),
    "--index far": (["--index", "6"], "there is no task 6 in split 'train'; it has 0 to 5"),
    "--split": (["--split", "tests"], "argument --split: invalid choice: 'tests'"),
    "--resume": (["--resume"], "--resume needs --output FILE, the file to continue"),
    "--resume none": (["--resume", "--output", "none"], "--resume needs --output FILE"),
    "--base-url": (["--base-url", "127.0.0.1:80"], "--base-url is '127.0.0.1:80'; write it as"),
    "a typo": (["--temperatur-e", "1"], "unrecognized arguments: --temperatur-e"),
}


@pytest.mark.everything("costly")
@pytest.mark.parametrize("name", few(WRONG, 5, "frameworks"))
def test_what_is_wrong_on_the_command_line_is_one_line_and_writes_nothing(
    rollouts: Rollouts, name: str
) -> None:
    options, reported = WRONG[name]
    code, out, err = rollouts.run("--model", "fine", "--base-url", rollouts.server.url, *options)
    usage, line, *more = err.splitlines()
    assert (code, out, more) == (2, "", [])
    assert usage.startswith("usage: rollout.py --model NAME --base-url URL [options]")
    assert line.startswith(f"rollout.py: error: {reported}")
    assert rollouts.files() == set()


@pytest.mark.everything("costly")
def test_a_variable_is_read_as_the_option_is(rollouts: Rollouts) -> None:
    code, _, err = rollouts.run("--model", "fine", ROLLOUT_TEMPERATURE="warm")
    assert (code, "argument --temperature: invalid" in err) == (2, True)
    asked = {"ROLLOUT_MODEL": "fine", "ROLLOUT_BASE_URL": rollouts.server.url, "ROLLOUT_STOP": "!"}
    asked |= {"ROLLOUT_TEMPERATURE": "0.5", "ROLLOUT_EXTRA_BODY": '{"top_k": 4}'}
    assert rollouts.run("--output", "o.jsonl", **asked)[0] == 0
    assert rollouts.lines()[0]["sampling"] == {"temperature": 0.5, "stop": ["!"], "top_k": 4}
    body = rollouts.server.asked["fine"][-1]
    assert (body["temperature"], body["stop"], body["top_k"]) == (0.5, ["!"], 4)


@pytest.mark.everything("costly")
def test_one_model_named_twice_is_played_once(rollouts: Rollouts) -> None:
    assert rollouts.run(*rollouts.asking("fine", "fine", "--output", "o.jsonl"))[0] == 0
    assert places(rollouts.lines()) == EPISODES


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_takes_no_file_is_told(rollouts: Rollouts) -> None:
    rollouts.folder.chmod(0o500)
    code, _, err = rollouts.run(*rollouts.asking("fine"))
    rollouts.folder.chmod(0o700)
    assert (code, "a file cannot be written here" in err) == (2, True)


def test_an_output_in_a_place_that_cannot_be_is_told(rollouts: Rollouts) -> None:
    code, _, err = rollouts.run(*rollouts.asking("fine", "--output", "rollout.py/o.jsonl"))
    assert (code, err.count("\n"), "rollout.py" in err) == (1, 1, True)
