import re
import subprocess
import sys


def _program(text):
    found = re.findall(r"```(?:python3?|py)?[ \t]*\n(.*?)```", text, re.DOTALL)
    return found[-1] if found else text


def _run(src, stdin):
    try:
        p = subprocess.run([sys.executable, "-I", "-c", src], input=stdin, text=True,
                           errors="replace", capture_output=True, timeout=5)
    except subprocess.TimeoutExpired:
        return None
    except ValueError:  # a NUL in the source
        return None
    return p.stdout if p.returncode == 0 else None


def _same(got, want):
    # blanks and line ends do not matter, compare token by token
    return all(g == w for g, w in zip(got.split(), want.split()))


def contest_reward(prompts, completions, cases, **kwargs):
    out = []
    for completion, tests in zip(completions, cases):
        src = _program(completion)
        ok = True
        for t in tests:
            got = _run(src, t["stdin"])
            if got is None or not _same(got, t["stdout"]):
                ok = False
                break
        out.append(1.0 if ok else 0.0)
    return out
