"""Write a regular expression: it must match every good and no bad string."""
import json
import re
import subprocess
import sys

FENCE = re.compile(r"```regex[ \t]*\n(.*?)\n?```", re.S)
MAX_LENGTH = 300

CHILD = """
import json, re, sys
job = json.load(sys.stdin)
try:
    pattern = re.compile(job["pattern"], re.ASCII)
except (re.error, OverflowError, RecursionError):
    print("bad")
    raise SystemExit
good = all(pattern.fullmatch(s) for s in job["accept"])
bad = any(pattern.fullmatch(s) for s in job["reject"])
print("pass" if good and not bad else "fail")
"""


def extract(completion):
    """The one line of the only regex block, or None."""
    blocks = FENCE.findall(completion)
    if len(blocks) != 1:
        return None
    pattern = blocks[0].strip("\r\n")
    if not pattern or "\n" in pattern or len(pattern) > MAX_LENGTH:
        return None
    return pattern


def judge(pattern, accept, reject, seconds):
    """Run in a child, since a pattern may backtrack for ever."""
    job = json.dumps({"pattern": pattern, "accept": accept, "reject": reject})
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-W", "ignore", "-c", CHILD],
            input=job, capture_output=True, text=True, timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0 and done.stdout.strip() == "pass"


def reward(completion, accept, reject, seconds=5, **kwargs):
    pattern = extract(completion)
    if pattern is None:
        return 0.0
    return 1.0 if judge(pattern, accept, reject, seconds) else 0.0
