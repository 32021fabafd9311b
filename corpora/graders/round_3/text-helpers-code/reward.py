import os
import re
import subprocess
import sys
import tempfile


def _extract(text):
    blocks = re.findall(r"```(?:python|py)?\s*\n(.*?)```", text, re.DOTALL)
    return blocks[-1] if blocks else None


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    """Run the solution followed by the hidden asserts; 1.0 if the script passes."""
    code = _extract(solution_str)
    if code is None:
        return 0.0
    with tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, "solution_test.py")
        with open(path, "w", encoding="utf-8", errors="replace") as f:
            f.write(code + "\n\n" + ground_truth + "\n")
        try:
            done = subprocess.run(
                [sys.executable, "-I", path], cwd=tmp, capture_output=True, timeout=6
            )
        except subprocess.TimeoutExpired:
            return 0.0
    return 1.0 if done.returncode == 0 else 0.0
