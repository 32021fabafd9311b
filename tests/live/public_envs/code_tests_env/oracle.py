"""Solutions of all problems; `{k}` is the number in which tasks differ."""

import re

SOLUTIONS = {
    "rotate": """
def rotate(items):
    places = {k} % len(items) if items else 0
    return items[places:] + items[:places]
""",
    "every": """
def every(items):
    return items[::{k}]
""",
    "chunks": """
def chunks(items):
    return [items[at : at + {k}] for at in range(0, len(items), {k})]
""",
    "multiples": """
def multiples(n):
    return sum(range(0, max(n, 0), {k}))
""",
    "shift": """
def moved(letter):
    return chr((ord(letter) - 97 + {k}) % 26 + 97) if "a" <= letter <= "z" else letter

def shift(text):
    return "".join(map(moved, text))
""",
    "common": """
def common(words):
    return sorted(word for word in set(words) if words.count(word) >= {k})
""",
}


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    """The code, in one block."""
    words = task["text"].replace("from 0", "").replace("least 0", "")
    code = SOLUTIONS[task["function"]].replace("{k}", re.search(r"\d+", words)[0])
    return [("message", {"text": f"```python{code}```"})]
