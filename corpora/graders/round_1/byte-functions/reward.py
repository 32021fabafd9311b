import json
import os
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"```python\n(.*?)```", re.S)
DRIVER = """
import json, sys
sys.stdout = sys.stderr
ns = {}
exec(open(sys.argv[1], encoding="utf-8").read(), ns)
out = [ns["f"](x) for x in json.load(sys.stdin)]
with open(sys.argv[2], "w") as fh:
    json.dump(out, fh)
"""


def _run(code, inputs):
    with tempfile.TemporaryDirectory() as tmp:
        path, result = os.path.join(tmp, "cand.py"), os.path.join(tmp, "out.json")
        with open(path, "w", encoding="utf-8", errors="replace") as fh:
            fh.write(code)
        try:
            subprocess.run([sys.executable, "-I", "-c", DRIVER, path, result], input=json.dumps(inputs).encode(),
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=10, cwd=tmp)
            with open(result) as fh:
                return json.load(fh)
        except (subprocess.TimeoutExpired, OSError, ValueError, RecursionError):
            return None


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    """All inputs of the domain are run; the expected values stay in this process."""
    blocks = BLOCK.findall(solution_str)
    if len(blocks) != 1:
        return 0.0
    spec = json.loads(ground_truth)
    inputs = list(range(spec["low"], spec["high"] + 1))
    got = _run(blocks[0], inputs)
    if not isinstance(got, list) or len(got) != len(inputs):
        return 0.0
    same = all(type(g) is type(e) and g == e for g, e in zip(got, spec["outputs"]))
    return 1.0 if same else 0.0
