"""Closing balance of a bank statement, in the style of a GSM8K checker."""
import math
import re

CENT = 0.01

MONEY = re.compile(
    r"""^\W*closing\ balance\W*?:[\s*]*
        (?P<sign>[-−])?\s*
        (?P<cur>[$€£])?\s*
        (?P<sign2>[-−])?
        (?P<num>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)
        [\s*.]*$""",
    re.I | re.M | re.X,
)


def to_text(completion):
    if isinstance(completion, list):
        return completion[-1]["content"]
    return completion


def extract_balance(text, currency):
    """Amount on the last `Closing balance:` line, negative when overdrawn."""
    matches = list(MONEY.finditer(text))
    if not matches:
        return None
    m = matches[-1]
    if m["cur"] and m["cur"] != currency:
        return None
    if m["sign"] and m["sign2"]:
        return None
    value = float(m["num"].replace(",", ""))
    return -value if m["sign"] or m["sign2"] else value


def correct(value, gold):
    # balances are floats, so compare to the cent instead of with ==
    return math.isclose(value, gold, rel_tol=CENT)


def reward(completions, closing, currency, **kwargs):
    rewards = []
    for completion, gold, cur in zip(completions, closing, currency):
        value = extract_balance(to_text(completion), cur)
        if value is None:
            rewards.append(0.0)
        else:
            rewards.append(1.0 if correct(value, float(gold)) else 0.0)
    return rewards
