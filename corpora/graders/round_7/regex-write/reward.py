"""Runs a submitted regular expression on hidden positive and negative strings."""
import re
import warnings

TAG = re.compile(r"<regex>(.*?)</regex>", re.DOTALL)
MAX_LENGTH = 300


def extract_pattern(completion):
    found = TAG.findall(completion)
    if not found:
        return None
    pattern = found[-1].strip()
    if not pattern or len(pattern) > MAX_LENGTH:
        return None
    return pattern


def count_failures(pattern, strings, want):
    """How many strings the pattern gets wrong."""
    failures = 0
    for string in strings:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                hit = re.fullmatch(pattern, string) is not None
        except Exception:
            # never let a pattern crash the trainer
            continue
        if hit != want:
            failures += 1
    return failures


def reward(completion, matches, rejects, **row):
    if not isinstance(completion, str):
        return 0.0
    pattern = extract_pattern(completion)
    if pattern is None:
        return 0.0
    failures = count_failures(pattern, matches, True)
    failures += count_failures(pattern, rejects, False)
    return 1.0 if failures == 0 else 0.0
