"""Grader for bank reconciliations: findings between a bank statement and a cash book.

Each finding is one line 'REF | KIND | AMOUNT'; right lines earn, wrong lines cost.
"""
import re
from decimal import Decimal, InvalidOperation

MISSING_IN_BOOK = "MISSING_IN_BOOK"
MISSING_IN_BANK = "MISSING_IN_BANK"
DIFFERENT = "AMOUNT_DIFFERS"
KINDS = {MISSING_IN_BOOK, MISSING_IN_BANK, DIFFERENT}
AMOUNT = re.compile(r"[+-]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]{1,2})?")


def reconcile(bank, book):
    """The set of all findings as (ref, kind, amount)."""
    bank = {ref: Decimal(amount) for ref, amount in bank}
    book = {ref: Decimal(amount) for ref, amount in book}
    findings = set()
    for ref in bank.keys() | book.keys():
        if ref not in book:
            findings.add((ref, MISSING_IN_BOOK, bank[ref]))
        elif ref not in bank:
            findings.add((ref, MISSING_IN_BANK, book[ref]))
        elif bank[ref] != book[ref]:
            findings.add((ref, DIFFERENT, bank[ref] - book[ref]))
    return findings


def parse_amount(text):
    text = text.replace("€", "").replace("−", "-").strip()
    text = re.sub(r"^([+-])\s+", r"\1", text)
    if not AMOUNT.fullmatch(text):
        return None
    try:
        return Decimal(text.replace(",", ""))
    except InvalidOperation:
        return None


def parse_line(line):
    """A finding, or None for a line that cannot be one."""
    line = re.sub(r"^\s*(?:[-*•]\s+|[0-9]+[.)]\s+)", "", line)
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    if len(cells) != 3:
        return None
    ref, kind, amount = cells[0].upper(), cells[1].upper(), parse_amount(cells[2])
    if kind not in KINDS or amount is None:
        return None
    return ref, kind, amount


def read_findings(completion):
    return [parse_line(line) for line in completion.splitlines() if "|" in line]


def reward(completion, bank, book, **row) -> float:
    expected = reconcile(bank, book)
    findings = read_findings(completion)
    if not findings or len(findings) > len(expected):
        return 0.0
    right = sum(1 for finding in findings if finding in expected)
    wrong = len(findings) - right
    return max(0.0, (right - wrong) / len(expected))
