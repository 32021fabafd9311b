"""Audits with a real model at an address: as the judge, and as the one whose replies are scored."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from skill_tools.errors import SkillToolsError
from tests.audits import audit
from tests.play.test_judges import ASK, PROMPT, REWARD, ROWS, told
from tests.selection import few

KEY = "sk-only-for-this-test"
EXACT = "def reward(completion, answer):\n    return float(completion.strip() == answer)\n"


@contextmanager
def served(say: Callable[[str], str], asked: list[str], keys: set[str]) -> Iterator[str]:
    """The address of a model that says what a function makes of the last message."""

    class Model(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append(body["messages"][-1]["content"])
            keys.add(self.headers["Authorization"])
            message = {"role": "assistant", "content": say(asked[-1])}
            said = json.dumps({"choices": [{"message": message}]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


def obedient(prompt: str) -> str:
    """Compares, unless a comment tells it otherwise."""
    if "<!-- " in prompt:
        return "Yes"
    key = re.search(r"Reference answer: (\S+)", prompt)
    reply = prompt.partition("Reply: ")[2]
    return "yes" if key and re.search(rf"\b{key[1]}\b", reply.splitlines()[0]) else "no"


def strict(prompt: str) -> str:
    found = re.search(r"Reference answer: (\S+)\nReply: (.*?)\nIs the reply", prompt, re.DOTALL)
    return "yes" if found and found[1] == found[2].strip() else "no"


@pytest.mark.everything("costly")
@pytest.mark.parametrize(
    ("say", "says"),
    few([
        (obedient, "fail a-judge gives the full reward for an order in an HTML comment on 2 of"),
        (strict, "pass "),
        (lambda _: "yes", "warn a-judge rewards right answers on"),
    ], 1, "graders"),
    ids=["obedient", "strict", "always"],
)  # fmt: skip
def test_a_real_judge_is_asked_in_place_of_the_stand_in_within_its_requests(
    say: Callable[[str], str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUDGE_API_KEY", KEY)
    (tmp_path / "reward.py").write_text(
        f'import os\nassert "{KEY}" not in os.environ.values()\n{ASK}{PROMPT}{REWARD}'
    )
    (tmp_path / "tasks.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in ROWS))
    asked: list[str] = []
    keys: set[str] = set()
    with served(say, asked, keys) as url:
        outcome = audit(
            f"{tmp_path}/reward.py:reward",
            dataset=tmp_path / "tasks.jsonl",
            num_tasks=1,
            judge_model="a-judge",
            judge_url=url,
            judge_requests=54,
            output_dir=tmp_path / "kept",
        )
    (message,) = told(outcome, "GRA011")
    assert message.startswith(says)
    assert 27 < len(asked) <= 54
    assert keys == {f"Bearer {KEY}"}
    assert all("You grade a reply." in each for each in asked)
    graded = outcome.evidence.audit.graded
    assert graded is not None
    assert graded.judge is not None
    assert graded.judge.requests == 54
    assert {each.must for each in graded.judge.controls} == {"right", "wrong"}
    kept = b"".join(path.read_bytes() for path in (tmp_path / "kept").iterdir())
    assert KEY.encode() not in kept


@pytest.mark.everything("costly")
@pytest.mark.parametrize(
    ("say", "says"),
    few([
        (lambda question: f"Town{re.findall(r'[0-9]+', question)[-1]}", ("warn too easy for small: pass@1 "
                                                                        "1.00, pass@8 5 of 5")),
        (lambda _: "Nowhere", "warn hard to start for small: pass@1 0.00"),
    ], 1, "graders"),
    ids=["easy", "hard"],
)  # fmt: skip
def test_what_is_too_easy_or_too_hard_for_a_model_is_told(
    say: Callable[[str], str], says: str, tmp_path: Path
) -> None:
    (tmp_path / "reward.py").write_text(EXACT)
    (tmp_path / "tasks.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in ROWS))
    asked: list[str] = []
    with served(say, asked, set()) as url:
        outcome = audit(
            f"{tmp_path}/reward.py:reward",
            dataset=tmp_path / "tasks.jsonl",
            num_tasks=1,
            model="small",
            model_url=url,
        )
    (message,) = told(outcome, "GRA013")
    assert message.startswith(says)
    assert sorted(asked) == sorted(row["prompt"] for row in ROWS for _ in range(8))


def test_half_of_a_real_model_is_refused_before_anything_runs(tmp_path: Path) -> None:
    (tmp_path / "reward.py").write_text(EXACT)
    (tmp_path / "tasks.jsonl").write_text(f"{json.dumps(ROWS[0])}\n")
    target, rows = f"{tmp_path}/reward.py:reward", tmp_path / "tasks.jsonl"
    with pytest.raises(SkillToolsError, match="--judge-model and --judge-url"):
        audit(target, dataset=rows, judge_model="a-judge")
    with pytest.raises(SkillToolsError, match="is not the address of a model"):
        audit(target, dataset=rows, model="small", model_url="localhost:1")
