"""Reward for writing a regular expression for a described language.

The pattern is compared with the reference on every string over the alphabet up
to the length that the prompt names, so any equivalent pattern is right.
"""
import itertools
import re
import warnings

TAG = re.compile(r"<regex>(.*?)</regex>", re.DOTALL)
MAX_PATTERN = 80


def extract(text):
    found = TAG.findall(text)
    if len(found) != 1:
        return None
    pattern = found[0].strip()
    return pattern if len(pattern) <= MAX_PATTERN else None


def compile_or_none(pattern):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return None


def all_strings(alphabet, max_len):
    for length in range(max_len + 1):
        for letters in itertools.product(alphabet, repeat=length):
            yield "".join(letters)


def reward(completion, alphabet, max_len, reference, **row):
    """1.0 if the pattern accepts exactly the strings that the reference accepts."""
    pattern = extract(completion)
    if pattern is None:
        return 0.0
    candidate = compile_or_none(pattern)
    if candidate is None:
        return 0.0
    target = re.compile(reference)
    for string in all_strings(alphabet, max_len):
        if bool(candidate.fullmatch(string)) != bool(target.fullmatch(string)):
            return 0.0
    return 1.0
