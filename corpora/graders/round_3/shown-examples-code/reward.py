import json
import re
import subprocess
import sys

_DRIVER = """
import json, sys
job = json.load(sys.stdin)
space = {"__name__": "candidate"}
exec(job["code"], space)
out = [space[job["name"]](*args) for args in job["args"]]
sys.stdout.write("\\n" + json.dumps(out))
"""


def _judge(code, spec):
    # the expected values stay in this process; the child sees only the arguments
    job = json.dumps({"code": code, "name": spec["name"], "args": spec["args"]})
    try:
        p = subprocess.run([sys.executable, "-I", "-c", _DRIVER], input=job, text=True,
                           capture_output=True, timeout=5)
        got = json.loads(p.stdout.rsplit("\n", 1)[-1])
    except (subprocess.TimeoutExpired, ValueError, RecursionError):
        return False
    want = spec["want"]
    if p.returncode != 0 or not isinstance(got, list) or len(got) != len(want):
        return False
    # True is not 1, but 2.0 is 2
    return all(g == w and isinstance(g, bool) == isinstance(w, bool) for g, w in zip(got, want))


def reward_func(queries, prompts, labels, **kwargs):
    scores = []
    for query, prompt, label in zip(queries, prompts, labels):
        reply = query[len(prompt):]
        blocks = re.findall(r"```(?:python|py)?[ \t]*\n(.*?)```", reply, re.DOTALL)
        ok = bool(blocks) and _judge(blocks[-1], json.loads(label))
        scores.append(1.0 if ok else 0.0)
    return scores
