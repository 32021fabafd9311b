"""Reward for Python functions: hidden tests in a fresh interpreter."""
import json
import re
import subprocess
import sys

FENCE = re.compile(r"```(?:python|py)?[ \t]*\n(.*?)```", re.DOTALL)
TIMEOUT = 8

RUNNER = """
import contextlib, io, json, sys
job = json.load(sys.stdin)
out = sys.stdout
results = []
with contextlib.redirect_stdout(io.StringIO()):
    space = {"__name__": "solution"}
    exec(job["code"], space)
    function = space[job["entry_point"]]
    for test in job["tests"]:
        try:
            got = function(*test["args"])
        except Exception as error:
            sys.stderr.write(f"{test['args']!r}: {error!r}\\n")
            continue
        wanted = test["expected"]
        results.append(type(got) is type(wanted) and got == wanted)
out.write(json.dumps(results))
"""


def extract_code(text):
    """The last fenced block, or the whole reply if there is no fence."""
    blocks = FENCE.findall(text)
    return blocks[-1] if blocks else text


def run_tests(code, entry_point, tests):
    job = json.dumps({"code": code, "entry_point": entry_point, "tests": tests})
    try:
        done = subprocess.run(
            [sys.executable, "-c", RUNNER],
            input=job, capture_output=True, text=True, timeout=TIMEOUT,
        )
    except subprocess.TimeoutExpired:
        return []
    if done.returncode != 0:
        return []
    try:
        return json.loads(done.stdout)
    except ValueError:
        return []


def reward(completion, entry_point, tests, **row):
    """1.0 if all hidden tests pass, else 0.0."""
    results = run_tests(extract_code(completion), entry_point, tests)
    if not results:
        return 0.0
    return 1.0 if all(results) else 0.0
