"""Reward for composing vanilla siteswaps under constraints."""
import re

TAG = re.compile(r"<siteswap>(.*?)</siteswap>", re.DOTALL | re.IGNORECASE)
HEIGHTS = "0123456789abcdefghijklmnopqrstuvwxyz"


def read_pattern(completion):
    """Throws of the last tagged pattern as a list of numbers, or None."""
    found = TAG.findall(completion)
    if not found:
        return None
    text = found[-1].strip().lower()
    if not re.fullmatch(r"[0-9a-z]+", text):
        return None
    return [HEIGHTS.index(c) for c in text]


def lands_cleanly(throws):
    """True if no two throws come down on the same beat."""
    n = len(throws)
    return len({(i + t) % n for i, t in enumerate(throws)}) == n


def repeats(throws):
    n = len(throws)
    return any(n % d == 0 and throws == throws[:d] * (n // d) for d in range(1, n))


def starts_from_ground(throws, balls):
    """The balls in the air before beat 0 must be due on beats 0 .. balls-1."""
    n = len(throws)
    due = set()
    for i, t in enumerate(throws):
        beat = i - n
        while beat + t >= 0:
            due.add(beat + t)
            beat -= n
    return due == set(range(balls))


def reward(completion, period, balls, max_throw, must_have, must_avoid,
           ground=False, **row) -> float:
    throws = read_pattern(completion)
    if throws is None or len(throws) != period:
        return 0.0
    if not lands_cleanly(throws) or sum(throws) != balls * period:
        return 0.0
    ok = (
        max(throws) <= max_throw
        and all(throws.count(t) >= k for t, k in must_have)
        and not set(throws) & set(must_avoid)
        and not repeats(throws)
        and (not ground or starts_from_ground(throws, balls))
    )
    return 1.0 if ok else 0.25
