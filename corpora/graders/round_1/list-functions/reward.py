import json
import re
import subprocess
import sys

BLOCK = re.compile(r"```(?:python)?\n(.*?)```", re.S)
RUNNER = """
import json, sys
job = json.load(sys.stdin)
ns = {}
exec(job["code"], ns)
out = []
for args in job["inputs"]:
    try:
        out.append(ns[job["name"]](*args))
    except Exception:
        out.append("__error__")
sys.stdout.write("\\n@@" + json.dumps(out))
"""


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    blocks = BLOCK.findall(solution_str)
    if not blocks:
        return 0.0
    spec = json.loads(ground_truth)
    job = {"code": blocks[-1], "name": spec["name"], "inputs": [t[0] for t in spec["tests"]]}
    try:
        proc = subprocess.run([sys.executable, "-I", "-c", RUNNER], input=json.dumps(job), capture_output=True, text=True, timeout=8)
        got = json.loads(proc.stdout.rsplit("\n@@", 1)[1])
    except Exception:
        return 0.0
    want = [t[1] for t in spec["tests"]]
    return 1.0 if got == want else 0.0
