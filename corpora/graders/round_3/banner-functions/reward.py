import ast
import json
import re
import subprocess
import sys

# public methods of str, list and the like; none of them leads to a frame or a class
_ATTRS = {m for t in (str, list, dict, set, tuple) for m in dir(t) if not m.startswith("_")}

# The child gets the code and the sizes, never the expected strings.
_DRIVER = r"""
import builtins, json, resource, sys
resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))
job = json.load(sys.stdin)
names = ("abs all any bool chr dict divmod enumerate filter float format int isinstance len list map max min "
         "bin hex oct iter next callable frozenset slice ord pow range repr reversed round set sorted str sum tuple zip Exception ValueError TypeError "
         "IndexError KeyError True False None").split()
safe = {k: getattr(builtins, k) for k in names if hasattr(builtins, k)}
safe["print"] = lambda *a, **k: None
space = {"__builtins__": safe, "__name__": "solution"}
exec(compile(job["code"], "<solution>", "exec"), space)
out = [space["draw"](n) for n in job["sizes"]]
if any(type(s) is not str or len(s) > 100000 for s in out):
    out = []
sys.stdout.write(json.dumps(out))
"""


def _allowed(code):
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom, ast.ClassDef, ast.MatchClass)):
            return False
        if isinstance(node, ast.Attribute) and node.attr not in _ATTRS:
            return False
        if isinstance(node, ast.Name) and node.id.startswith("__") and node.id != "__name__":
            return False
    return True


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    """All sizes 1..10 have to come out blank by blank."""
    want = json.loads(ground_truth)
    blocks = re.findall(r"```(?:python3?|py)?[ \t]*\r?\n(.*?)```", solution_str, re.DOTALL)
    if not blocks or not _allowed(blocks[-1]):
        return 0.0
    job = json.dumps({"code": blocks[-1], "sizes": list(range(1, len(want) + 1))})
    try:
        done = subprocess.run([sys.executable, "-I", "-c", _DRIVER], input=job, text=True,
                              capture_output=True, timeout=5)
        got = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError):
        return 0.0
    return 1.0 if done.returncode == 0 and got == want else 0.0
