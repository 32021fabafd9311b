"""Python functions, run against hidden asserts in a subprocess."""
import os
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"```(?:python|py)?[ \t]*\n(.*?)```", re.S | re.I)
TIMEOUT = 6  # seconds
PRELUDE = """\
import resource
resource.setrlimit(resource.RLIMIT_AS, (512 << 20, 512 << 20))
resource.setrlimit(resource.RLIMIT_CPU, (5, 5))
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
del resource
"""


def extract_code(completion):
    """The last fenced block of the reply."""
    blocks = BLOCK.findall(completion)
    return blocks[-1] if blocks else None


def build_program(code, tests):
    return "\n".join([PRELUDE, code, "", "# --- tests ---", *tests, ""])


def run_program(program):
    """True if the program ran to a normal end."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "main.py")
        with open(path, "w", encoding="utf-8") as f:
            f.write(program)
        try:
            done = subprocess.run(
                [sys.executable, "-I", "-B", path],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=folder,
                env={"PATH": os.environ.get("PATH", "")},
                timeout=TIMEOUT,
            )
        except subprocess.TimeoutExpired:
            return False
    return done.returncode == 0


def reward(completion, tests, entry_point, **_):
    code = extract_code(completion)
    if code is None or not re.search(r"\b%s\b" % re.escape(entry_point), code):
        return 0.0
    return 1.0 if run_program(build_program(code, tests)) else 0.0
