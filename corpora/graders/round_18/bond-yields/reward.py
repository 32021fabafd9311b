"""Reward for yield-to-maturity tasks; the yield is solved here from the terms of the bond."""
import re

ANSWER = re.compile(r"^[ \t*]*Yield:[ \t*]*(.+?)[ \t*]*$", re.M)
PERCENT = re.compile(r"([+\-\u2212]?\d+(?:\.\d+)?)\s*(?:%|per ?cent|pct)?\.?", re.A | re.I)
TOLERANCE = 0.01  # percentage points, as promised in the prompt


def price(rate, face, coupon, frequency, periods):
    """Present value on a coupon date at the nominal annual rate, compounded with the coupons."""
    step = rate / frequency
    payment = face * coupon / frequency
    value = 0.0
    for k in range(1, periods + 1):
        value += payment / (1.0 + step) ** k
    return value + face / (1.0 + step) ** periods


def solve_yield(paid, face, coupon, frequency, periods):
    """Bisection; the price falls as the rate rises."""
    low, high = -0.5, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        if price(middle, face, coupon, frequency, periods) > paid:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def read_rate(completion):
    """The rate on the last 'Yield:' line as a fraction, or None."""
    lines = ANSWER.findall(completion)
    if not lines:
        return None
    match = PERCENT.fullmatch(lines[-1])
    if not match:
        return None
    return float(match.group(1).replace("\u2212", "-")) / 100.0


def reward(completion, paid, face, coupon_percent, frequency, years, **row):
    rate = read_rate(completion)
    if rate is None:
        return 0.0
    periods = round(years * frequency)
    truth = solve_yield(paid, face, coupon_percent / 100.0, frequency, periods)
    return 1.0 if abs(rate - truth) <= TOLERANCE else 0.0
