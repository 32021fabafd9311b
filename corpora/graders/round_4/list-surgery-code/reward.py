import ast
import json
import re
import subprocess
import sys

SAFE = ("abs all any bool dict divmod enumerate filter float int isinstance len list map max min "
        "range reversed round set sorted str sum tuple zip Exception IndexError KeyError TypeError ValueError").split()

HARNESS = r"""
import builtins, json, resource, sys
job = json.load(sys.stdin)
resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))
safe = {n: getattr(builtins, n) for n in job["safe"]}
mine = {"__builtins__": safe}
theirs = {"__builtins__": safe}
good = True
try:
    exec(job["reference"], mine)
    exec(job["code"], theirs)
    f, ref = theirs[job["name"]], mine[job["name"]]
    for args in job["cases"]:
        got = f(*args)
        want = ref(*args)
        if json.dumps(got) != json.dumps(want):
            good = False
            break
except BaseException:
    good = False
print("OK" if good else "BAD")
"""


def _code_of(text):
    blocks = re.findall(r"```(?:python|py)?[ \t]*\n(.*?)```", text, re.DOTALL)
    return blocks[-1] if blocks else text


def _allowed(code):
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom, ast.Global, ast.ClassDef)):
            return False
        if isinstance(node, ast.Attribute) and (node.attr.startswith("_") or node.attr in ("format", "format_map")):
            return False
        if isinstance(node, ast.Name) and node.id.startswith("__"):
            return False
    return True


def reward(answer, row):
    """Run the submission against the reference on the row's inputs."""
    code = _code_of(answer)
    if not _allowed(code):
        return 0.0
    job = {"code": code, "reference": row["reference"], "name": row["name"], "cases": row["cases"], "safe": SAFE}
    try:
        run = subprocess.run([sys.executable, "-I", "-c", HARNESS], input=json.dumps(job),
                             capture_output=True, text=True, timeout=5)
    except (subprocess.TimeoutExpired, UnicodeError):
        return 0.0
    return 1.0 if run.stdout.strip() == "OK" else 0.0
