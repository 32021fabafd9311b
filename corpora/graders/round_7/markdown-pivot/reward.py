"""Group-and-aggregate tasks whose reply is one markdown table (TRL signature)."""
import re
from decimal import Decimal, InvalidOperation

TOLERANCE = Decimal("0.01")


def split_row(line):
    line = line.strip()
    if not (line.startswith("|") and line.endswith("|") and len(line) > 1):
        return None
    return [cell.strip().strip("*`").strip() for cell in line[1:-1].split("|")]


def tables(text):
    """All the pipe tables of a text, each a list of rows of cells, without the rule row."""
    found, block = [], []
    for line in text.splitlines() + [""]:
        row = split_row(line)
        if row is not None:
            block.append(row)
            continue
        if len(block) >= 2 and all(re.fullmatch(r":?-+:?", cell) for cell in block[1]):
            found.append([block[0]] + block[2:])
        block = []
    return found


def number(text):
    if not re.fullmatch(r"-?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?", text):
        return None
    try:
        return Decimal(text.replace(",", ""))
    except InvalidOperation:
        return None


def same_cell(got, want):
    wanted = number(want)
    if wanted is None:
        return got.casefold() == want.casefold()
    value = number(got)
    margin = TOLERANCE if "." in want else 0  # counts are exact
    return value is not None and abs(value - wanted) <= margin


def same_row(got, want):
    return len(got) == len(want) and all(map(same_cell, got, want))


def score(text, header, rows):
    found = tables(text)
    if len(found) != 1:
        return 0.0
    head, *body = found[0]
    if [h.casefold() for h in head] != [h.casefold() for h in header]:
        return 0.0
    right = sum(same_row(g, w) for g, w in zip(body, rows))
    return right / max(len(body), len(rows))


def reward(completions, header, rows, **_):
    texts = [c if isinstance(c, str) else c[-1]["content"] for c in completions]
    return [score(t, h, r) for t, h, r in zip(texts, header, rows)]
