"""Python functions run against hidden tests in a separate interpreter.

The child only ever sees the arguments; expected values stay in this process.
"""
import json
import re
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```(?:python|py)[ \t]*\n(.*?)^```[ \t]*$", re.M | re.S | re.I)
TIMEOUT = 10

RUNNER = r"""
import copy, json, os, sys, types
job = json.loads(sys.stdin.read())
out = os.fdopen(os.dup(1), "w", encoding="utf-8")
quiet = os.open(os.devnull, os.O_WRONLY)
os.dup2(quiet, 1)
os.dup2(quiet, 2)
module = sys.modules["solution"] = types.ModuleType("solution")
exec(compile(job["code"], "solution.py", "exec"), module.__dict__)
function = getattr(module, job["entry"])
for args in job["inputs"]:
    try:
        line = json.dumps({"value": function(*copy.deepcopy(args))})
    except Exception as problem:
        line = json.dumps({"error": type(problem).__name__})
    out.write(line + "\n")
    out.flush()
"""


def extract_code(completion):
    blocks = FENCE.findall(completion.replace("\r\n", "\n"))
    return blocks[-1] if blocks else None


def run(code, entry, inputs):
    """Outcome of every call, in order; None if the program failed as a whole."""
    job = json.dumps({"code": code, "entry": entry, "inputs": inputs})
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(
                [sys.executable, "-I", "-c", RUNNER], input=job, capture_output=True,
                encoding="utf-8", timeout=TIMEOUT, cwd=folder,
            )
        except (subprocess.TimeoutExpired, UnicodeError):
            return None
    if done.returncode != 0:
        return None
    try:
        return [json.loads(line) for line in done.stdout.splitlines()]
    except ValueError:
        return None


def same(outcome, expected):
    """Equal in value and in type; a tuple and a list are the same in JSON."""
    if not isinstance(outcome, dict) or "value" not in outcome:
        return False
    return json.dumps(outcome["value"], sort_keys=True) == json.dumps(expected, sort_keys=True)


def reward(completion, entry, tests, **row):
    code = extract_code(completion)
    if code is None:
        return 0.0
    tests = json.loads(tests)
    outcomes = run(code, entry, [args for args, _ in tests])
    if not outcomes:
        return 0.0
    expected = [value for _, value in tests]
    return float(all(same(o, e) for o, e in zip(outcomes, expected)))
