"""Set algebra: the reply ends with `Answer: [...]`, a JSON list; order does not matter."""
import json
import re


def _content(completion):
    if isinstance(completion, str):
        return completion
    return completion[-1]["content"]


def _key(x):
    # 3 and 3.0 are the same element, "3" is not
    if isinstance(x, bool) or not isinstance(x, (int, float, str)):
        raise ValueError(f"not an element: {x!r}")
    if isinstance(x, str):
        return ("s", x.strip().lower())
    return ("n", float(x))


def parse_answer(text):
    """The elements on the last `Answer:` line."""
    hits = re.findall(r"^\W*answer\W*?:[ \t*`]*(.*?)[ \t*`.]*$", text, re.I | re.M)
    try:
        items = json.loads(hits[-1])
        if not isinstance(items, list):
            raise ValueError("not a list")
        return {_key(x) for x in items}
    except (IndexError, ValueError):
        return set()


def evaluate(node, sets):
    """node: the name of a set, or [op, left, right] with op in union/inter/diff/sym."""
    if isinstance(node, str):
        return {_key(x) for x in sets[node]}
    op, left, right = node
    a, b = evaluate(left, sets), evaluate(right, sets)
    if op == "union":
        return a | b
    if op == "inter":
        return a & b
    if op == "diff":
        return a - b
    if op == "sym":
        return a ^ b
    raise KeyError(op)


def reward(completion, sets, expr, **row):
    gold = evaluate(expr, sets)
    pred = parse_answer(_content(completion))
    return 1.0 if pred == gold else 0.0
