"""Dependency resolution: highest available version that satisfies a range (SemVer subset)."""
import re

_RESOLVED = {}  # resolving is called once per rollout, so remember the results
VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)(?:-([a-z]+)\.(\d+))?")


def parse(v):
    m = VERSION.fullmatch(v)
    if m is None:
        raise ValueError(v)
    major, minor, patch, tag, num = m.groups()
    # a release sorts after its own pre-releases
    pre = (1, "", 0) if tag is None else (0, tag, int(num))
    return (int(major), int(minor), int(patch)) + pre


def bounds(spec):
    """'^1.4.0', '~1.4.2' or '>=1.2.0 <2.0.0' -> half-open interval of parsed versions."""
    if spec[0] in "^~":
        lo = parse(spec[1:])
        major, minor, patch = lo[:3]
        if spec[0] == "~":
            top = (major, minor + 1, 0)
        elif major:
            top = (major + 1, 0, 0)
        else:
            top = (0, minor + 1, 0) if minor else (0, 0, patch + 1)
        return lo, top + (0, "", 0)
    low, high = spec.split()
    return parse(low[2:]), parse(high[1:])


def resolve(package, spec, available):
    key = (package, spec)
    if key not in _RESOLVED:
        lo, hi = bounds(spec)
        fits = [v for v in available if "-" not in v and lo <= parse(v) < hi]
        _RESOLVED[key] = max(fits, key=parse) if fits else "none"
    return _RESOLVED[key]


def answer_of(text):
    hits = re.findall(r"<version>\s*(.*?)\s*</version>", text, re.S)
    if not hits:
        return None
    said = hits[-1].lower()
    return said[1:] if re.match(r"v\d", said) else said


def reward(completions, package, spec, available, **kwargs):
    scores = []
    for completion, p, s, a in zip(completions, package, spec, available):
        text = completion if isinstance(completion, str) else completion[-1]["content"]
        scores.append(float(answer_of(text) == resolve(p, s, a)))
    return scores
