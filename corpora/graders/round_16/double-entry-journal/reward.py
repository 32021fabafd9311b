"""Journal entries in double-entry bookkeeping, graded by account, side and amount."""
import re
from collections import defaultdict

BLOCK = re.compile(r"<journal>((?:(?!<journal>).)*?)</journal>", re.S | re.I)
AMOUNT = re.compile(r"\$?[ ]?(?P<units>[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,12})(?:\.(?P<cents>[0-9]{1,2}))?")
SIDES = {"dr": "Dr", "debit": "Dr", "cr": "Cr", "credit": "Cr"}


def to_cents(text):
    match = AMOUNT.fullmatch(text)
    if match is None:
        return None
    units = int(match["units"].replace(",", ""))
    cents = int((match["cents"] or "").ljust(2, "0"))
    return units * 100 + cents


def account_key(name):
    return " ".join(name.lower().split())


def parse_line(line, accounts):
    """(account, side, cents) of one line of the journal; None when it is not one."""
    cells = [cell.strip() for cell in line.split("|")]
    if len(cells) != 3:
        return None
    side = SIDES.get(cells[0].lower())
    account = accounts.get(account_key(cells[1]))
    cents = to_cents(cells[2])
    if side is None or account is None or not cents:
        return None
    return account, side, cents


def parse_journal(body, chart):
    """Totals by (account, side), or None as soon as one line is malformed."""
    accounts = {account_key(name): name for name in chart}
    totals = defaultdict(int)
    for line in body.splitlines():
        if not line.strip():
            continue
        parsed = parse_line(line.strip(), accounts)
        if parsed is None:
            return None
        account, side, cents = parsed
        totals[account, side] += cents
    return dict(totals)


def side_total(totals, side):
    return sum(cents for (_, s), cents in totals.items() if s == side)


def reward(completion, chart, entry, **row):
    blocks = BLOCK.findall(completion)
    if not blocks:
        return 0.0
    got = parse_journal(blocks[-1], chart)
    if not got:
        return 0.0
    want = {(account, side): cents for side, account, cents in entry}
    if got == want:
        return 1.0
    balanced = side_total(got, "Dr") == side_total(got, "Cr")
    if balanced and got.keys() == want.keys():
        return 0.4
    return 0.0
