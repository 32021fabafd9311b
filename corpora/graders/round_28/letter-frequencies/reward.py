"""Counts of chosen letters in a sentence, answered as one line of pairs or as JSON."""
import json
import re

TAG = re.compile(r"<counts>(.*?)</counts>", re.S | re.I)
PAIR = re.compile(r"\s*[\"']?([A-Za-z])[\"']?\s*[:=]\s*(\d{1,4})\s*")


def from_json(body):
    """Pairs of a JSON object, or None if the text is not one."""
    try:
        pairs = json.loads(body, object_pairs_hook=list)
    except (ValueError, RecursionError):
        return None
    if not body.startswith("{") or not isinstance(pairs, list):
        return None
    return pairs


def from_list(body):
    """Pairs of 'e=4, t=2' or one pair per line, or None."""
    pairs = []
    for chunk in re.split(r"[,;\n]", body):
        if not chunk.strip():
            continue
        m = PAIR.fullmatch(chunk)
        if not m:
            return None
        pairs.append((m[1], int(m[2])))
    return pairs


def read_counts(completion):
    found = TAG.findall(completion)
    if not found:
        return None
    body = found[-1].strip()
    pairs = from_json(body)
    if pairs is None:
        pairs = from_list(body)
    if not pairs:
        return None
    table = {}
    for letter, count in pairs:
        if type(count) is not int or len(letter) != 1:
            return None
        letter = letter.lower()
        if letter in table:
            return None
        table[letter] = count
    return table


def reward(completion, counts, **row) -> float:
    if not isinstance(completion, str):
        return 0.0
    table = read_counts(completion)
    if table is None or set(table) != set(counts):
        return 0.0
    right = sum(table[letter] == n for letter, n in counts.items())
    if right == len(counts):
        return 1.0
    return 0.3 if right == len(counts) - 1 else 0.0
