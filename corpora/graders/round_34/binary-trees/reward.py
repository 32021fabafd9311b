"""Functions on binary trees, run against hidden cases in a child process."""
import json
import re
import subprocess
import sys

FENCE = re.compile(r"```[ \t]*(?:python|py)[ \t]*\n(.*?)```", re.DOTALL | re.IGNORECASE)
TIME_LIMIT = 5.0

RUNNER = r"""
import contextlib, io, json, sys
job = json.load(sys.stdin)
out = sys.stdout
space = {"__name__": "submission"}
with contextlib.redirect_stdout(io.StringIO()):
    exec(compile(job["code"], "submission.py", "exec"), space)
    solve = space["solve"]
    for case in job["inputs"]:
        value = solve(case)
        out.write(json.dumps(value) + "\n")
        out.flush()
"""


def last_program(completion):
    blocks = FENCE.findall(completion)
    return blocks[-1] if blocks else None


def run(code, inputs):
    """Return values of solve(), one for each input."""
    job = json.dumps({"code": code, "inputs": inputs})
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-c", RUNNER],
            input=job,
            capture_output=True,
            text=True,
            timeout=TIME_LIMIT,
        )
    except subprocess.TimeoutExpired:
        return []
    values = []
    for line in done.stdout.splitlines():
        try:
            values.append(json.loads(line))
        except ValueError:
            return []
    return values


def same(a, b):
    """Equality that tells True from 1 and looks inside lists."""
    if type(a) is not type(b):
        return False
    if isinstance(a, list):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    return a == b


def reward(completion, tests, **row):
    code = last_program(completion)
    if code is None:
        return 0.0
    inputs = [case["tree"] for case in tests]
    wanted = [case["value"] for case in tests]
    values = run(code, inputs)
    if not values:
        return 0.0
    passed = all(same(got, want) for got, want in zip(values, wanted))
    return 1.0 if passed else 0.0
