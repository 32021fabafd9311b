"""Reward for putting historical events in order of time."""
import re

ORDER = re.compile(r"order\W*?:\s*(.+)", re.I)
SEPARATORS = re.compile(r"\s*(?:,|;|<|->|\u2192|\s)\s*")


def _letters(text, n):
    """The letters of the last 'Order:' line, or None if it is not an ordering of n events."""
    lines = ORDER.findall(text)
    if not lines:
        return None
    line = re.sub(r"[*`.\[\]]", "", lines[-1]).strip()
    letters = [part.upper() for part in SEPARATORS.split(line) if part]
    if sorted(letters) != [chr(ord("A") + i) for i in range(n)]:
        return None
    return letters


def _one_swap(got, want):
    """True if got is want with exactly one pair of neighbours exchanged."""
    wrong = [i for i, (g, w) in enumerate(zip(got, want)) if g != w]
    if len(wrong) != 2 or wrong[1] != wrong[0] + 1:
        return False
    i, j = wrong
    return got[i] == want[j] and got[j] == want[i]


def reward(completion, order, **_):
    """1.0 for the right order, 0.5 for one exchange of neighbours, else 0.0.

    order: the letters from the earliest event to the latest, e.g. "CADB".
    """
    want = list(order)
    got = _letters(completion, len(want))
    if got is None:
        return 0.0
    if got == want:
        return 1.0
    if _one_swap(got, want):
        return 0.5
    return 0.0
