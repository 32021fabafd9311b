"""Reward for regular expressions that recognise telephone numbers."""
import re

FENCE = re.compile(r"```regex[ \t]*\r?\n(.*?)```", re.DOTALL | re.IGNORECASE)
MAX_CHARS = 200


def read_pattern(completion):
    """Pattern in the last fence; it must be a single line of modest length."""
    blocks = FENCE.findall(completion)
    if not blocks:
        return None
    lines = [ln.strip() for ln in blocks[-1].splitlines() if ln.strip()]
    if len(lines) != 1 or len(lines[0]) > MAX_CHARS:
        return None
    return lines[0]


def compile_whole(pattern):
    """Compiled matcher for whole strings, or None if the pattern is invalid."""
    try:
        re.compile(pattern)
        return re.compile(pattern + r"\Z", re.ASCII)
    except (re.error, RecursionError, OverflowError):
        return None


def verdicts(matcher, strings):
    return [matcher.match(s) is not None for s in strings]


def reward(completion, accept, reject, **row) -> float:
    pattern = read_pattern(completion)
    if pattern is None:
        return 0.0
    matcher = compile_whole(pattern)
    if matcher is None:
        return 0.0
    if not all(verdicts(matcher, accept)):
        return 0.0
    if any(verdicts(matcher, reject)):
        return 0.0
    return 1.0
