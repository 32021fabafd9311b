"""Solutions of all problems; `{k}` is the number in which tasks differ."""

import re

SOLUTIONS = {
    "rotate": "def rotate(items):\n    if not items:\n        return []\n    n = {k} % len(items)\n    return items[n:] + items[:n]\n",
    "every": "def every(items):\n    return items[::{k}]\n",
    "chunks": "def chunks(items):\n    return [items[at : at + {k}] for at in range(0, len(items), {k})]\n",
    "multiples": "def multiples(n):\n    return sum(range(0, max(n, 0), {k}))\n",
    "shift": "def shift(text):\n    return ''.join(chr((ord(c) - 97 + {k}) % 26 + 97) if 'a' <= c <= 'z' else c for c in text)\n",
    "common": "def common(words):\n    return sorted(w for w in set(words) if words.count(w) >= {k})\n",
}


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    """The code, in one block."""
    words = task["text"].replace("from 0", "").replace("least 0", "")
    code = SOLUTIONS[task["function"]].replace("{k}", re.search(r"\d+", words)[0])
    return [("message", {"text": f"```python\n{code}```"})]
