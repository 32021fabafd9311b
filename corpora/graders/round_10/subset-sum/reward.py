"""Subset sum: several subsets may be right, so the subset itself is checked."""
import re

SUBSET = re.compile(r"subset\s*:\s*\**\s*[\[{(]([^\])}]*)[\])}]", re.I)
NONE = re.compile(r"subset\s*:\s*\**\s*none\b", re.I)


def _picked(text):
    """The numbers in the last 'Subset: [...]', or None."""
    found = SUBSET.findall(text)
    if not found:
        return None
    numbers = []
    for part in found[-1].split(","):
        part = part.strip().replace("−", "-")
        if not re.fullmatch(r"[+-]?\d+", part):
            return None
        numbers.append(int(part))
    return numbers


def _last_is_none(text):
    none = [m.start() for m in NONE.finditer(text)]
    some = [m.start() for m in SUBSET.finditer(text)]
    return bool(none) and (not some or none[-1] > some[-1])


def reward(completion, numbers, target, size=None, solvable=True, **_):
    """1.0 if the reply names numbers of the list that add up to the target."""
    if _last_is_none(completion):
        return 0.0 if solvable else 1.0
    if not solvable:
        return 0.0
    picked = _picked(completion)
    if not picked:
        return 0.0
    if size is not None and len(picked) != size:
        return 0.0
    pool = set(numbers)
    if any(n not in pool for n in picked):
        return 0.0
    return 1.0 if sum(picked) == target else 0.0
