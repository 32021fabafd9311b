"""Grader for regex golf: a short pattern that accepts one list and rejects another."""
import re
import warnings

INLINE_FLAGS = re.compile(r"\(\?[aiLmsux-]+[:)]")


def extract_pattern(completion):
    """The content of the last <regex> element, or None."""
    found = re.findall(r"<regex>(.*?)</regex>", completion, flags=re.S)
    if not found:
        return None
    pattern = found[-1].strip()
    if len(pattern) > 1 and pattern[0] == pattern[-1] == "`":
        pattern = pattern[1:-1].strip()
    return pattern


def compile_whole(pattern):
    """Compile the pattern so that it has to cover the whole string."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        re.compile(pattern)
        return re.compile(r"\A" + pattern + r"\Z")


def admissible(pattern, max_length):
    if not pattern or "\n" in pattern:
        return False
    if len(pattern) > max_length:
        return False
    return not INLINE_FLAGS.search(pattern)


def misjudged(regex, accept, reject):
    """The strings on which the pattern fails."""
    missed = [text for text in accept if not regex.search(text)]
    caught = [text for text in reject if regex.search(text)]
    return missed + caught


def reward(completion, accept, reject, max_length, **row) -> float:
    pattern = extract_pattern(completion)
    if pattern is None or not admissible(pattern, max_length):
        return 0.0
    try:
        regex = compile_whole(pattern)
    except (re.error, OverflowError, RecursionError):
        return 0.0
    return 0.0 if misjudged(regex, accept, reject) else 1.0
