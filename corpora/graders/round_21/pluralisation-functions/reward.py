"""Reward for small inflection functions: runs them on hidden words in a separate interpreter."""
import json
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"```(?:python|py)?[ \t]*\n(.*?)```", re.DOTALL | re.IGNORECASE)
TIMEOUT = 10
PASS_SHARE = 0.5

RUNNER = r'''
import contextlib, io, json, sys
job = json.load(sys.stdin)
outputs = {}
with contextlib.redirect_stdout(io.StringIO()):
    space = {"__name__": "submission"}
    exec(compile(job["code"], "submission", "exec"), space)
    pluralise = space["pluralise"]
    for word in job["words"]:
        try:
            form = pluralise(word)
        except Exception as err:
            print("failed on", word, err, file=sys.stderr)
            continue
        outputs[word] = form if isinstance(form, str) else None
sys.stdout.write("\n" + json.dumps(outputs))
'''


def last_block(completion):
    blocks = BLOCK.findall(completion)
    return blocks[-1] if blocks else None


def run(code, words):
    """Forms by word as the submission gives them, or None if it cannot be run at all."""
    job = json.dumps({"code": code, "words": words})
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(
                [sys.executable, "-I", "-c", RUNNER],
                input=job, capture_output=True, text=True,
                timeout=TIMEOUT, cwd=folder, encoding="utf-8",
            )
        except subprocess.TimeoutExpired:
            return None
    if done.returncode != 0 or not done.stdout.strip():
        return None
    try:
        outputs = json.loads(done.stdout.splitlines()[-1])
    except json.JSONDecodeError:
        return None
    return outputs if isinstance(outputs, dict) else None


def share_right(outputs, expected):
    verdicts = [form == expected[word] for word, form in outputs.items() if word in expected]
    return sum(verdicts) / len(verdicts) if verdicts else 0.0


def reward(completion, cases, **row) -> float:
    code = last_block(completion)
    if code is None:
        return 0.0
    expected = dict(cases)
    outputs = run(code, list(expected))
    if outputs is None:
        return 0.0
    share = share_right(outputs, expected)
    return share if share >= PASS_SHARE else 0.0
