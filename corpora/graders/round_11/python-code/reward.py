"""Python functions, judged by running hidden tests in a child process."""
import json
import re
import secrets
import subprocess
import sys

BLOCK = re.compile(r"```(?:python|py)?[ \t]*\n(.*?)```", re.S)

CHILD = """
import json, sys
job = json.loads(sys.stdin.readline())
namespace = {"__name__": "solution"}
token, source, name, calls = job["token"], job["source"], job["name"], job["calls"]
del job
exec(compile(source, "solution.py", "exec"), namespace)
func = namespace[name]
results = []
for args in calls:
    try:
        results.append(["ok", func(*args)])
    except Exception as exc:
        results.append(["error", repr(exc)])
print("\\n" + token + json.dumps(results, sort_keys=True))
"""


def run(source, name, calls, timeout):
    """[[status, value], ...] for the calls, or None if the child died."""
    token = secrets.token_hex(8)
    job = json.dumps({"token": token, "source": source, "name": name, "calls": calls})
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-c", CHILD],
            input=job + "\n", capture_output=True, text=True, timeout=timeout,
        )
    except subprocess.TimeoutExpired:
        return None
    for line in reversed(done.stdout.splitlines()):
        if line.startswith(token):
            return json.loads(line[len(token):])
    return None


def same(a, b):
    # dumps keeps True and 1 apart
    return json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True)


def reward(completion, entry_point, tests, timeout=5, **kwargs):
    blocks = BLOCK.findall(completion)
    if not blocks:
        return 0.0
    results = run(blocks[-1], entry_point, [t["args"] for t in tests], timeout)
    if results is None or len(results) != len(tests):
        return 0.0
    wrong = 0
    for (status, value), test in zip(results, tests):
        if status == "ok" and not same(value, test["expected"]):
            wrong += 1
    return 1.0 if wrong == 0 else 0.0
