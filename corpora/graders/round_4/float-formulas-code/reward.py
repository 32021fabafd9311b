import json
import re
import subprocess
import sys

CHILD = r"""
import io, json, sys
job = json.load(sys.stdin)
real, sys.stdout = sys.stdout, io.StringIO()
ns = {"__name__": "submission"}
exec(job["code"], ns)
out = [ns[job["name"]](*a) for a in job["inputs"]]
real.write(json.dumps(out))
"""


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    """All hidden tests must pass."""
    spec = json.loads(ground_truth)
    blocks = re.findall(r"```(?:python|py)?[ \t]*\n(.*?)```", solution_str, re.DOTALL)
    code = blocks[-1] if blocks else solution_str
    job = {"code": code, "name": spec["name"], "inputs": [t["input"] for t in spec["tests"]]}
    try:
        run = subprocess.run([sys.executable, "-I", "-c", CHILD], input=json.dumps(job),
                             capture_output=True, text=True, timeout=5, cwd="/")
        got = json.loads(run.stdout)
    except Exception:
        return 0.0
    want = [t["output"] for t in spec["tests"]]
    return 1.0 if got == want else 0.0
