"""Reward for sorting version strings by SemVer 2.0.0 precedence.

Strings that are no valid SemVer must be left out.  Versions of equal
precedence (they differ in build metadata only) may come in either order.
"""
import json
import re
from collections import Counter

NUMBER = r"(?:0|[1-9][0-9]*)"
PRE_ID = rf"(?:{NUMBER}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
BUILD_ID = r"[0-9A-Za-z-]+"
SEMVER = re.compile(
    rf"(?P<core>{NUMBER}\.{NUMBER}\.{NUMBER})"
    rf"(?:-(?P<pre>{PRE_ID}(?:\.{PRE_ID})*))?"
    rf"(?:\+(?P<build>{BUILD_ID}(?:\.{BUILD_ID})*))?"
)


def identifier_key(identifier):
    """Numeric identifiers sort before alphanumeric ones."""
    if identifier.isdigit():
        return (0, int(identifier), "")
    return (1, 0, identifier)


def precedence(version):
    """Sort key of a version, or None if it is not valid SemVer."""
    m = SEMVER.fullmatch(version)
    if not m:
        return None
    core = tuple(int(n) for n in m.group("core").split("."))
    if m.group("pre") is None:
        return (core, 1, ())
    ids = tuple(identifier_key(i) for i in m.group("pre").split("."))
    return (core, 0, ids)


def last_array(completion):
    """The last outermost JSON array in the reply, or None."""
    decoder = json.JSONDecoder()
    found, pos = None, 0
    while True:
        pos = completion.find("[", pos)
        if pos < 0:
            return found
        try:
            found, pos = decoder.raw_decode(completion, pos)
        except (ValueError, RecursionError):
            pos += 1


def reward(completion, versions, **row):
    answer = last_array(completion)
    if answer is None or not all(isinstance(v, str) for v in answer):
        return 0.0
    valid = [v for v in versions if precedence(v) is not None]
    if Counter(answer) != Counter(valid):
        return 0.0
    keys = [precedence(v) for v in answer]
    if any(a > b for a, b in zip(keys, keys[1:])):
        return 0.0
    return 1.0
