"""Score derivations in a small string rewriting system.

Any derivation is checked step by step, so the many different shortest ones all count.
"""
import re

EMPTY = "ε"
PAIR = re.compile(r"<derivation>((?:(?!</?derivation>).)*)</derivation>", re.DOTALL)
ARROW = re.compile(r"=>|->|→")


def decode(symbol_string):
    return "" if symbol_string == EMPTY else symbol_string


def successors(word, rules):
    """Every word that one application of one rule makes out of `word`."""
    found = set()
    for left, right in rules:
        at = word.find(left)
        while at != -1:
            found.add(word[:at] + right + word[at + len(left):])
            at = word.find(left, at + 1)
    return found


def shortest(start, target, rules, limit):
    """Least number of steps from start to target, or None when more than `limit` are needed."""
    seen = {start}
    frontier = {start}
    for depth in range(limit + 1):
        if target in frontier:
            return depth
        following = set()
        for word in frontier:
            following |= successors(word, rules)
        frontier = following - seen
        seen |= frontier
    return None


def extract(completion):
    pairs = PAIR.findall(completion)
    return pairs[-1].strip() if pairs else None


def parse_words(body):
    words = []
    for piece in ARROW.split(body):
        piece = piece.strip()
        if piece != EMPTY and not re.fullmatch(r"[a-z]+", piece):
            return None
        words.append(decode(piece))
    return words


def reward(completion, start, target, rules, limit, **row) -> float:
    body = extract(completion)
    if not body:
        return 0.0
    pairs = [(left, decode(right)) for left, right in rules]
    goal = decode(target)
    best = shortest(start, goal, pairs, limit)

    if body.upper() == "IMPOSSIBLE":
        return 1.0 if best is None else 0.0
    if best is None:
        return 0.0

    words = parse_words(body)
    if words is None or words[0] != start or words[-1] != goal:
        return 0.0
    steps = len(words) - 1
    if steps > limit:
        return 0.0
    for before, after in zip(words, words[1:]):
        if after not in successors(before, pairs):
            return 0.0
    return 1.0 if steps == best else 0.5
