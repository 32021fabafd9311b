"""Reward for amortisation schedules written as CSV."""
import re
from decimal import Decimal, ROUND_HALF_UP

CENT = Decimal("0.01")
HEADER = ["month", "interest", "principal", "payment", "balance"]
FENCE = re.compile(r"```csv[ \t]*\r?\n(.*?)```", re.DOTALL | re.IGNORECASE)
MONEY = re.compile(r"\$?([0-9]{1,9}\.[0-9]{2})")
MONTH = re.compile(r"[0-9]{1,3}")


def schedule(principal, annual_rate, payment, months):
    """Rows (month, interest, principal part, payment, closing balance)."""
    balance = Decimal(principal)
    level = Decimal(payment)
    rows = []
    for month in range(1, months + 1):
        interest = (balance * Decimal(annual_rate) / 1200).quantize(CENT, ROUND_HALF_UP)
        paid = balance + interest if month == months else level
        part = paid - interest
        balance -= part
        rows.append((month, interest, part, paid, balance))
    return rows


def read_table(completion):
    """Body of the last csv fence as a list of cell lists, or None."""
    blocks = FENCE.findall(completion)
    if not blocks:
        return None
    lines = [ln for ln in blocks[-1].splitlines() if ln.strip()]
    table = [[cell.strip() for cell in ln.split(",")] for ln in lines]
    if not table or [c.lower() for c in table[0]] != HEADER:
        return None
    return table[1:]


def row_matches(cells, expected):
    if len(cells) != len(HEADER) or not MONTH.fullmatch(cells[0]):
        return False
    if int(cells[0]) != expected[0]:
        return False
    for cell, want in zip(cells[1:], expected[1:]):
        m = MONEY.fullmatch(cell)
        if not m or Decimal(m.group(1)) != want:
            return False
    return True


def reward(completion, principal, annual_rate, payment, months, **row) -> float:
    table = read_table(completion)
    if table is None:
        return 0.0
    truth = schedule(principal, annual_rate, payment, months)
    good = 0
    for cells, expected in zip(table, truth):
        if not row_matches(cells, expected):
            break
        good += 1
    if good == len(truth) == len(table):
        return 1.0
    return 0.5 * good / len(truth)
