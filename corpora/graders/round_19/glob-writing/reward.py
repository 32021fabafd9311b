"""Score a glob that must select some paths and leave out others."""
import re
from functools import lru_cache

BRACES = re.compile(r"\{([^{}]*)\}")
SET_BODY = re.compile(r"!?(?:[A-Za-z0-9_.](?:-[A-Za-z0-9_.])?)+")


class BadGlob(ValueError):
    pass


def read_pattern(completion):
    lines = re.findall(r"^[ \t]*GLOB:(.*)$", completion, re.M)
    if not lines:
        return None
    text = lines[-1].strip()
    if len(text) > 1 and text[0] == text[-1] == "`":
        text = text[1:-1].strip()
    return text or None


def expand(pattern):
    """All patterns without braces that the pattern stands for."""
    group = BRACES.search(pattern)
    if group is None:
        if "{" in pattern or "}" in pattern:
            raise BadGlob("unbalanced braces")
        return [pattern]
    head = pattern[:group.start()]
    if "{" in head or "}" in head:
        raise BadGlob("unbalanced or nested braces")
    tails = expand(pattern[group.end():])
    return [head + option + tail for option in group.group(1).split(",") for tail in tails]


def compile_segment(segment):
    """A list of items: '*', '?', a literal ('=', c) or a set (negated, pairs)."""
    items, i = [], 0
    while i < len(segment):
        c = segment[i]
        if c == "[":
            close = segment.find("]", i)
            body = segment[i + 1:close] if close > 0 else ""
            if not SET_BODY.fullmatch(body):
                raise BadGlob("bad character set")
            pairs = re.findall(r"([^-])(?:-([^-]))?", body.removeprefix("!"))
            if any(b and b < a for a, b in pairs):
                raise BadGlob("range runs backwards")
            items.append((body[0] == "!", [(a, b or a) for a, b in pairs]))
            i = close
        elif c == "]":
            raise BadGlob("stray ]")
        elif c == "*" and segment[i:i + 2] == "**":
            raise BadGlob("** must be a whole segment")
        else:
            items.append(c if c in "*?" else ("=", c))
        i += 1
    return tuple(items)


def item_accepts(item, c):
    if item == "?":
        return True
    if item[0] == "=":
        return item[1] == c
    negated, pairs = item
    return any(a <= c <= b for a, b in pairs) != negated


def segment_matches(items, name):
    reachable = {0}
    for item in items:
        if item == "*":
            reachable = set(range(min(reachable), len(name) + 1))
        else:
            reachable = {p + 1 for p in reachable if p < len(name) and item_accepts(item, name[p])}
        if not reachable:
            return False
    return len(name) in reachable


def path_matches(segments, path):
    names = path.split("/")

    @lru_cache(maxsize=None)
    def at(i, j):
        if i == len(segments):
            return j == len(names)
        if segments[i] == "**":
            return at(i + 1, j) or (j < len(names) and at(i, j + 1))
        return j < len(names) and segment_matches(segments[i], names[j]) and at(i + 1, j + 1)

    return at(0, 0)


def reward(completion, keep, drop, max_len, **row):
    pattern = read_pattern(completion)
    if pattern is None or len(pattern) > max_len:
        return 0.0
    try:
        globs = [
            [s if s == "**" else compile_segment(s) for s in option.split("/")]
            for option in expand(pattern)
        ]
    except BadGlob:
        return 0.0
    selected = {p for p in keep + drop if any(path_matches(g, p) for g in globs)}
    return 1.0 if selected == set(keep) else 0.0
