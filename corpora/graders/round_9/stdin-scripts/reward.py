"""Programs that read stdin and print to stdout; all tests must pass."""
import logging
import re
import subprocess
import sys

log = logging.getLogger(__name__)
TIMEOUT = 5


def extract_code(text):
    blocks = re.findall(r"```(?:python|py)?[ \t]*\n(.*?)```", text, re.S)
    return blocks[-1] if blocks else None


def run(code, stdin):
    proc = subprocess.run(
        [sys.executable, "-I", "-c", code],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=True,
    )
    return proc.stdout


def normalise(out):
    """Trailing blanks and blank lines at the end do not matter."""
    lines = [line.rstrip() for line in out.splitlines()]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def reward(completion, tests, **row):
    """tests: list of {"input": str, "output": str}."""
    text = completion if isinstance(completion, str) else completion[-1]["content"]
    code = extract_code(text)
    if code is None:
        return 0.0

    ran = passed = 0
    for i, test in enumerate(tests):
        try:
            out = run(code, test["input"])
        except subprocess.SubprocessError as err:
            # don't let a sandbox hiccup decide about the sample
            log.warning("test %d did not finish: %s", i, err)
            continue
        ran += 1
        if normalise(out) == normalise(test["output"]):
            passed += 1

    return 1.0 if ran > 0 and passed == ran else 0.0
