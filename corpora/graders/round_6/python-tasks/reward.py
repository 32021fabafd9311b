import json
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"```(?:python|py)?[ \t]*\n(.*?)```", re.S | re.I)

CHILD = """
import io, json, os, sys
import bisect, collections, functools, heapq, itertools, math, re, string, typing

job = json.loads(sys.stdin.read())
channel = os.dup(1)
os.dup2(2, 1)
sys.stdout = io.StringIO()
library = os.path.realpath(os.path.dirname(os.__file__)) + os.sep
closed = ("subprocess.", "socket.", "ctypes.", "shutil.", "os.system", "os.exec", "os.fork",
          "os.posix_spawn", "os.spawn", "os.kill", "os.remove", "os.rename", "os.link", "os.symlink")


def hook(event, args):
    if event.startswith(closed):
        raise PermissionError(event)
    if event == "open" and isinstance(args[0], (str, bytes)):
        if not os.path.realpath(os.fsdecode(args[0])).startswith(library):
            raise PermissionError(event)


def call(function, arguments):
    try:
        value = function(*arguments)
        return ["value", json.loads(json.dumps(value))]
    except Exception:
        return ["error", None]


sys.addaudithook(hook)
space = {"__name__": "submission"}
exec(compile(job["code"], "submission", "exec"), space)
results = [call(space[job["entry"]], arguments) for arguments in job["calls"]]
os.write(channel, json.dumps(results).encode())
"""


def _text(completion):
    if isinstance(completion, str):
        return completion
    return (completion[-1].get("content") or "") if completion else ""


def _same(got, want):
    if isinstance(want, bool) or isinstance(got, bool):
        return got is want
    if isinstance(want, list):
        return (
            isinstance(got, list)
            and len(got) == len(want)
            and all(_same(a, b) for a, b in zip(got, want))
        )
    if isinstance(want, (int, float)):
        return isinstance(got, (int, float)) and got == want
    return type(got) is type(want) and got == want


def _results(code, entry, calls):
    job = json.dumps({"code": code, "entry": entry, "calls": calls})
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(
                [sys.executable, "-I", "-S", "-B", "-c", CHILD],
                input=job.encode(),
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=folder,
                env={},
                timeout=10,
            )
            return json.loads(done.stdout.decode())
        except (subprocess.TimeoutExpired, ValueError):
            return None


def function_reward(prompts, completions, entry, tests, **kwargs):
    """1.0 when the function returns the expected value for every test of its row."""
    rewards = []
    for completion, name, packed in zip(completions, entry, tests):
        cases = json.loads(packed)
        blocks = BLOCK.findall(_text(completion))
        results = _results(blocks[-1], name, [c[0] for c in cases]) if blocks else None
        good = isinstance(results, list) and _same(
            results, [["value", c[1]] for c in cases]
        )
        rewards.append(1.0 if good else 0.0)
    return rewards
