import re


def reward(answer: str, row: dict) -> float:
    """10 points for the right result, 0.5 off for each word over the limit, never below 2."""
    lines = [ln.strip() for ln in answer.strip().split("\n")]
    if not re.fullmatch(r"Result: -?[0-9]{1,12}", lines[-1]):
        return 0.0
    if int(lines[-1].split(": ")[1]) != row["result"]:
        return 0.0
    words = sum(len(ln.split()) for ln in lines[:-1])
    over = max(0, words - row["limit"])
    return max(2.0, 10.0 - 0.5 * over)
