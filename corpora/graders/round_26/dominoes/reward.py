"""Domino chains laid from a given hand, as long as possible."""
import re
from collections import Counter

LABEL = re.compile(r"^[\s*_`>-]*chain[*_`\s]*:(.*)$", re.IGNORECASE)
BARE = r"([0-6])\s*[-|:]\s*([0-6])(?!\d)"
TILE = re.compile(r"\[\s*" + BARE + r"\s*\]|" + BARE)


def parse_chain(completion):
    """Tiles as written on the last CHAIN line, None if it cannot be read."""
    text = None
    for line in completion.splitlines():
        match = LABEL.match(line)
        if match:
            text = match.group(1)
    if text is None:
        return None
    text = text.replace("–", "-").replace("*", "").replace("`", "").strip().rstrip(".")
    tiles, pos = [], 0
    while pos < len(text):
        if text[pos] in " ,\t":
            pos += 1
            continue
        match = TILE.match(text, pos)
        if not match:
            return None
        tiles.append(tuple(int(g) for g in match.groups() if g is not None))
        pos = match.end()
    return tiles


def from_hand(tiles, hand):
    """Each laid tile takes one tile out of the hand, whichever way round it lies."""
    have = Counter(tuple(sorted(t)) for t in hand)
    laid = Counter(tuple(sorted(t)) for t in tiles)
    return all(have[t] >= n for t, n in laid.items())


def fits(tiles, start):
    if start is not None and tiles[0][0] != start:
        return False
    return all(a[1] == b[0] for a, b in zip(tiles, tiles[1:]))


def reward(completion, hand, start, best, **row):
    tiles = parse_chain(completion or "")
    if not tiles or not from_hand(tiles, hand) or not fits(tiles, start):
        return 0.0
    if len(tiles) >= best:
        return 1.0
    return 0.5 if len(tiles) == best - 1 else 0.0
