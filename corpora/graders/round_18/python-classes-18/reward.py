"""Reward for writing a small Python class: hidden checks are evaluated in a child process."""
import json
import re
import subprocess
import sys
import tempfile

FENCE = re.compile(r"```(?:python|py)[ \t]*\n(.*?)```", re.S | re.I)
TIMEOUT = 10

# The child only learns what to evaluate; the expected values stay in the parent.
CHILD = r'''
import json, sys
job = json.load(sys.stdin)
out, sys.stdout = sys.stdout, sys.stderr
scope = {"__name__": "solution"}
lines = []
def note(kind, value):
    try:
        lines.append(json.dumps([kind, value], allow_nan=False))
    except (TypeError, ValueError):
        lines.append(json.dumps(["unreadable", None]))
try:
    exec(job["code"], scope)
    exec(job["setup"], scope)
    for step in job["steps"]:
        try:
            value = eval(step["expr"], scope)
        except Exception as err:
            if not step["may_raise"]:
                raise
            note("raised", type(err).__name__)
        else:
            note("value", value)
except Exception:
    pass
out.write("\n".join(lines))
'''


def read_code(completion):
    blocks = FENCE.findall(completion)
    return blocks[-1] if blocks else None


def run_child(code, setup, checks):
    """Outcome of each check that was reached, as [kind, value] pairs."""
    steps = [{"expr": c["expr"], "may_raise": "raises" in c} for c in checks]
    job = json.dumps({"code": code, "setup": setup, "steps": steps})
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run([sys.executable, "-I", "-c", CHILD], input=job, capture_output=True,
                                  text=True, timeout=TIMEOUT, cwd=folder)
        except subprocess.TimeoutExpired:
            return []
    if done.returncode != 0:
        return []
    try:
        return [json.loads(line) for line in done.stdout.splitlines()]
    except ValueError:
        return []


def passed(check, outcome):
    if "raises" in check:
        wanted = ["raised", check["raises"]]
    else:
        wanted = ["value", check["value"]]
    return json.dumps(outcome, sort_keys=True) == json.dumps(wanted, sort_keys=True)


def reward(completion, setup, checks, **row):
    code = read_code(completion)
    if code is None:
        return 0.0
    outcomes = run_child(code, setup, checks)
    results = [passed(check, outcome) for check, outcome in zip(checks, outcomes)]
    if not results:
        return 0.0
    return sum(results) / len(results)
