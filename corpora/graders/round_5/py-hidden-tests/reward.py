"""Execution reward for short Python functions (TRL / GRPO).

The completion must contain one ```python block that defines `entry_point`.
The block is saved as solution.py next to a small runner that goes through the
hidden tests in a fresh interpreter.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

CODE_RE = re.compile(r"```python[ \t]*\n(.*?)```", re.DOTALL)
TIMEOUT = 6

RUNNER = '''\
import json
from solution import {entry} as candidate

TESTS = json.loads({tests!r})

for args, expected in TESTS:
    got = json.dumps(candidate(*args), sort_keys=True)
    if got != json.dumps(expected, sort_keys=True):
        raise SystemExit(1)
'''


def _text(completion):
    if isinstance(completion, str):
        return completion
    return completion[-1]["content"]


def _run(code, entry, tests):
    with tempfile.TemporaryDirectory() as tmp:
        with open(os.path.join(tmp, "solution.py"), "w", encoding="utf-8") as f:
            f.write(code)
        with open(os.path.join(tmp, "runner.py"), "w", encoding="utf-8") as f:
            f.write(RUNNER.format(entry=entry, tests=json.dumps(tests)))
        try:
            proc = subprocess.run(
                [sys.executable, "runner.py"],
                cwd=tmp,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=TIMEOUT,
            )
        except subprocess.TimeoutExpired:
            return False
    return proc.returncode == 0


def code_reward(prompts, completions, entry_point, tests, **kwargs):
    rewards = []
    for completion, entry, cases in zip(completions, entry_point, tests):
        blocks = CODE_RE.findall(_text(completion))
        if len(blocks) != 1:
            rewards.append(0.0)
            continue
        try:
            passed = _run(blocks[0], entry, cases)
        except (OSError, ValueError):
            passed = False
        rewards.append(1.0 if passed else 0.0)
    return rewards
