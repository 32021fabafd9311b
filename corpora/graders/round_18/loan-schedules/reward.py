"""Reward for amortisation tables of short annuity loans."""
import re
from decimal import ROUND_HALF_UP, Decimal, localcontext

FENCE = re.compile(r"^[ \t]*```[^\n]*\n(.*?)^[ \t]*```", re.S | re.M)
NUMBER = re.compile(r"\d+(?:\.\d+)?", re.A)
HEADER = ["month", "payment", "interest", "principal", "balance"]
CENT = Decimal("0.01")


def cents(value):
    return value.quantize(CENT, rounding=ROUND_HALF_UP)


def schedule(principal, annual_rate, months):
    """Rows (payment, interest, principal, balance) as exact cents."""
    with localcontext() as ctx:
        ctx.prec = 60
        balance = Decimal(principal)
        rate = Decimal(annual_rate) / 1200
        if rate:
            payment = cents(balance * rate / (1 - (1 + rate) ** -months))
        else:
            payment = cents(balance / months)
        rows = []
        for month in range(1, months + 1):
            interest = cents(balance * rate)
            paid = payment if month < months else balance + interest
            balance = balance + interest - paid
            rows.append((paid, interest, paid - interest, balance))
        return rows


def read_table(completion):
    """Data lines of the last fenced block, split in cells; None without the header line."""
    blocks = FENCE.findall(completion)
    if not blocks:
        return None
    lines = [ln for ln in blocks[-1].splitlines() if ln.strip()]
    cells = [[c.strip() for c in ln.split(",")] for ln in lines]
    if not cells or [c.lower() for c in cells[0]] != HEADER:
        return None
    return cells[1:]


def row_matches(cells, expected):
    if len(cells) != len(HEADER) or not all(NUMBER.fullmatch(c) for c in cells):
        return False
    return tuple(Decimal(c) for c in cells[1:]) == expected


def reward(completion, principal, annual_rate, months, **row):
    table = read_table(completion)
    if table is None or len(table) != months:
        return 0.0
    if [cells[0] for cells in table] != [str(m) for m in range(1, months + 1)]:
        return 0.0
    expected = schedule(principal, annual_rate, months)
    right = sum(row_matches(cells, want) for cells, want in zip(table, expected))
    return right / months
