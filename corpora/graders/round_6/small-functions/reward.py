import os
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"```(?:python|py)?[ \t]*\n(.*?)```", re.S | re.I)


def _text(completion):
    if isinstance(completion, str):
        return completion
    return (completion[-1].get("content") or "") if completion else ""


def _run(program):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "main.py")
        with open(path, "w", encoding="utf-8", errors="replace") as handle:
            handle.write(program)
        try:
            done = subprocess.run(
                [sys.executable, "-I", "-S", "-B", path],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=folder,
                timeout=8,
            )
        except subprocess.TimeoutExpired:
            return False
    return done.returncode == 0


def tests_reward(prompts, completions, tests, **kwargs):
    """1.0 when the submitted code runs through every assertion of its row."""
    rewards = []
    for completion, checks in zip(completions, tests):
        blocks = BLOCK.findall(_text(completion))
        if not blocks:
            rewards.append(0.0)
            continue
        program = blocks[-1] + "\n\n" + "\n".join(checks) + "\n"
        rewards.append(1.0 if _run(program) else 0.0)
    return rewards
