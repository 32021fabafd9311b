import re


def reward(answer: str, row: dict) -> float:
    m = re.search(r"<answer>(.*?)</answer>", answer, re.S)
    if m is None:
        return 0.0
    expr = m.group(1).strip()
    numbers = row["numbers"]
    target = row["target"]
    used = sorted(int(n) for n in re.findall(r"\d+", expr))
    if used != sorted(numbers):
        return 0.1
    try:
        value = eval(expr)
        return 1.0 if abs(value - target) < 1e-6 else 0.1
    except Exception:
        return 0.1
