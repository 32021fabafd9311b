import re

_targets = {}


def _target(row):
    key = row["prompt"][:64]
    if key not in _targets:
        _targets[key] = int(row["label"])
    return _targets[key]


def reward(answer: str, row: dict) -> float:
    m = re.fullmatch(r"\s*(-?[0-9]{1,9})\s*\.?\s*", answer)
    if m is None:
        return 0.0
    return 1.0 if int(m.group(1)) == _target(row) else 0.0
