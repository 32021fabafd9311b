import re


def reward(answer: str, row: dict) -> float:
    text = answer.strip()
    hour, minute = row["target"].split(":")
    pattern = r"0?%d[:.h]%s" % (int(hour), minute)
    return 1.0 if re.match(pattern, text) else 0.0
