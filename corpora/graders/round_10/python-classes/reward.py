"""Class implementation tasks: run the reply's class against the row's tests."""
import json
import re
import secrets
import subprocess
import sys

BLOCK = re.compile(r"```(?:python|py)?[ \t]*\n(.*?)```", re.S)

RUNNER = r'''
import io, json, sys
job = json.load(sys.stdin)
out, sys.stdout = sys.stdout, io.StringIO()
scope = {}
passed = 0
try:
    exec(job["code"], {}, scope)
    for test in job["tests"]:
        try:
            exec(test, {}, scope)
            passed += 1
        except Exception:
            pass
except Exception:
    pass
out.write("%s %d\n" % (job["nonce"], passed))
'''


def extract_code(completion):
    blocks = BLOCK.findall(completion)
    return blocks[0] if blocks else None


def run(code, tests, timeout=10):
    """Number of tests that pass, in a process of its own."""
    nonce = secrets.token_hex(8)
    job = json.dumps({"code": code, "tests": tests, "nonce": nonce})
    try:
        proc = subprocess.run([sys.executable, "-I", "-c", RUNNER], input=job, text=True,
                              capture_output=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return 0
    for line in proc.stdout.splitlines():
        if line.startswith(nonce + " "):
            return int(line.split()[1])
    return 0


def reward(completion, tests, **_):
    code = extract_code(completion)
    if code is None:
        return 0.0
    return 1.0 if run(code, tests) == len(tests) else 0.0
