"""Scripts that draw with characters: stdin -> stdout, every blank counts.

The script runs on its own; the expected pictures never leave this process.
The pay is the share of the hidden inputs whose output is exactly right.
"""
import ast
import re
import resource
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```python[ \t]*\r?\n(.*?)^```[ \t]*$", re.DOTALL | re.MULTILINE)
BANNED = {"open", "eval", "exec", "compile", "getattr", "setattr", "vars", "globals",
          "locals", "type", "breakpoint", "help", "dir"}
SYS_OK = {"stdin", "stdout", "exit"}


def allowed(code):
    """only sys and math, no files, no reflection (the prompt says so)"""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    ok_sys = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            if any(a.name not in ("sys", "math") or a.asname for a in node.names):
                return False
        elif isinstance(node, ast.ImportFrom):
            if node.module == "sys":
                if any(a.name not in SYS_OK for a in node.names):
                    return False
            elif node.module != "math":
                return False
        elif isinstance(node, ast.Attribute):
            if node.attr.startswith("_") or node.attr in ("raw", "f_back"):
                return False
            if isinstance(node.value, ast.Name) and node.value.id == "sys":
                if node.attr not in SYS_OK:
                    return False
                ok_sys.add(id(node.value))
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            if node.id in BANNED or (node.id.startswith("__") and node.id != "__name__"):
                return False
            if node.id == "sys" and id(node) not in ok_sys:
                return False
    return True


def _limits():
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))


def run(code, stdin):
    with tempfile.TemporaryDirectory() as tmp:
        with open(tmp + "/main.py", "w", encoding="utf-8") as f:
            f.write(code)
        with open(tmp + "/out", "wb") as out:
            try:
                p = subprocess.run([sys.executable, "-I", "main.py"], cwd=tmp, input=stdin.encode(),
                                   stdout=out, stderr=subprocess.DEVNULL, timeout=5, preexec_fn=_limits)
            except subprocess.TimeoutExpired:
                return None
        if p.returncode != 0:
            return None
        with open(tmp + "/out", "rb") as f:
            return f.read().decode("utf-8", "replace")


def one_newline_less(s):
    return s[:-1] if s.endswith("\n") else s


def script_reward(reply, row):
    reply = reply.rsplit("</think>", 1)[-1].replace("\r\n", "\n")
    blocks = BLOCK.findall(reply)
    if len(blocks) != 1 or not allowed(blocks[0]):
        return 0.0
    good = 0
    for case in row["cases"]:
        out = run(blocks[0], case["stdin"])
        if out is not None and one_newline_less(out) == one_newline_less(case["stdout"]):
            good += 1
    return good / len(row["cases"])
