import re


def _trail(n):
    out = [n]
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        out.append(n)
    return out


def reward(answer, row):
    """The whole walk, in order, comma separated; brackets, a code mark or a final stop are forgiven."""
    text = answer.strip()
    if len(text) > 5000:
        return 0.0
    text = text.strip("`").removesuffix(".")
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1]
    parts = [p.strip(" \t") for p in text.split(",")]
    if not all(re.fullmatch(r"[0-9]{1,9}", p) for p in parts):
        return 0.0
    return 1.0 if [int(p) for p in parts] == _trail(row["start"]) else 0.0
