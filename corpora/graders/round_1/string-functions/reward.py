import re
import subprocess
import sys

HEAD = "import json, sys\ncases = json.loads(sys.argv[1])\n"
TAIL = """
passed = 0
for args, expected in cases:
    try:
        passed += solve(*args) == expected
    except Exception:
        pass
print("RESULT", passed, len(cases))
"""


def reward(answer: str, row: dict) -> float:
    m = re.search(r"```python\n(.*?)```", answer, re.S)
    if m is None:
        return 0.0
    program = HEAD + m.group(1) + TAIL
    try:
        run = subprocess.run([sys.executable, "-I", "-c", program, row["tests"]], capture_output=True, text=True, timeout=8)
    except (subprocess.TimeoutExpired, ValueError, UnicodeError):
        return 0.0
    found = re.findall(r"^RESULT (\d+) (\d+)$", run.stdout, re.M)
    if not found:
        return 0.0
    passed, total = map(int, found[-1])
    return passed / total
