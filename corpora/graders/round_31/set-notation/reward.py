"""Finite sets: evaluate the expression of the row, compare as nested sets."""
import re
from itertools import combinations

LINE = re.compile(r"^[ \t]*S[ \t]*=(.*)$", re.M)
TOKEN = re.compile(r"\s*(\\?[{}]|[(),∅]|\\emptyset\b|\\varnothing\b"
                   r"|[-−]?(?:0|[1-9][0-9]*)(?![0-9a-z])|[a-z](?![0-9a-z]))")
EMPTY = {"∅", "\\emptyset", "\\varnothing"}


class Unreadable(ValueError):
    pass


def tokenize(text):
    text = text.strip()
    tokens, pos = [], 0
    while pos < len(text):
        match = TOKEN.match(text, pos)
        if match is None:
            raise Unreadable(text[pos:])
        token = match[1]
        tokens.append(token[1:] if token in ("\\{", "\\}") else token)
        pos = match.end()
    return tokens


def element(tokens, pos):
    """Read one element; return it with the position behind it."""
    if pos >= len(tokens):
        raise Unreadable("end of text")
    token = tokens[pos]
    if token in EMPTY:
        return frozenset(), pos + 1
    if token == "{":
        if tokens[pos + 1:pos + 2] == ["}"]:
            return frozenset(), pos + 2
        items, pos = sequence(tokens, pos + 1, "}")
        return frozenset(items), pos
    if token == "(":
        items, pos = sequence(tokens, pos + 1, ")")
        if len(items) != 2:
            raise Unreadable("pairs have two places")
        return tuple(items), pos
    if token in ("}", ")", ","):
        raise Unreadable(token)
    if token.isalpha():
        return token, pos + 1
    return int(token.replace("−", "-")), pos + 1


def sequence(tokens, pos, closer):
    items = []
    while True:
        item, pos = element(tokens, pos)
        items.append(item)
        if pos >= len(tokens):
            raise Unreadable("not closed")
        if tokens[pos] == closer:
            return items, pos + 1
        if tokens[pos] != ",":
            raise Unreadable(tokens[pos])
        pos += 1


def parse_set(text):
    tokens = tokenize(text)
    value, pos = element(tokens, 0)
    if pos != len(tokens) or not isinstance(value, frozenset):
        raise Unreadable(text)
    return value


def power_set(base):
    items = list(base)
    return frozenset(frozenset(c) for k in range(len(items) + 1)
                     for c in combinations(items, k))


def evaluate(expr, sets):
    if isinstance(expr, str):
        return sets[expr]
    operator, *parts = expr
    args = [evaluate(part, sets) for part in parts]
    if operator == "power":
        return power_set(args[0])
    left, right = args
    if operator == "union":
        return left | right
    if operator == "meet":
        return left & right
    if operator == "minus":
        return left - right
    if operator == "symdiff":
        return left ^ right
    if operator == "times":
        return frozenset((a, b) for a in left for b in right)
    raise KeyError(operator)


def reward(completion, sets, expr, **row):
    lines = LINE.findall(completion)
    if not lines:
        return 0.0
    try:
        got = parse_set(lines[-1])
    except (ValueError, RecursionError):
        return 0.0
    want = evaluate(expr, {name: parse_set(text) for name, text in sets.items()})
    return 1.0 if got == want else 0.0
