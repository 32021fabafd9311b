"""A real small model as the judge of a reward function, and as the one that answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.audits import audit
from tests.live.real_model.servers import NAME, Setup, serving
from tests.play.test_judges import ASK, PROMPT, ROWS, told

pytestmark = pytest.mark.everything("real model")
REWARD = """
def reward(prompt, completion, answer):
    verdict = ask(PROMPT.format(q=prompt, key=answer, reply=completion, words="yes or no"))
    return float("yes" in verdict.lower().split("\\n")[0])
"""


def test_a_real_model_judges_within_its_requests_and_answers(tmp_path: Path) -> None:
    program = ASK.replace('"messages": messages}', '"messages": messages, "max_tokens": 8}')
    (tmp_path / "reward.py").write_text(program + PROMPT + REWARD)
    (tmp_path / "tasks.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in ROWS[:3]))
    with serving(Setup("llama.cpp"), tmp_path / "server") as url:
        outcome = audit(
            f"{tmp_path}/reward.py:reward",
            dataset=tmp_path / "tasks.jsonl",
            num_tasks=1,
            judge_model=NAME,
            judge_url=f"{url}/v1",
            judge_requests=60,
            model=NAME,
            model_url=f"{url}/v1",
        )
    graded = outcome.evidence.audit.graded
    assert graded is not None
    assert graded.judge is not None
    assert graded.judge.model == NAME
    assert 40 <= graded.judge.requests <= 60
    assert len(graded.judge.injections) > 30
    assert graded.sampled is not None
    assert sum(len(paid) for _, paid in graded.sampled.paid) > 16
    print(told(outcome, "GRA011"), told(outcome, "GRA013"))
