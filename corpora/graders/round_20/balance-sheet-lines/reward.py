"""Four lines worked out from a trial balance, a quarter point each."""
import re
from decimal import Decimal

LINES = ("total assets", "working capital", "equity", "net debt")
AMOUNT = re.compile(r"[($]*(-?\d+(?:\.\d+)?)\)?")
ROW = re.compile(r"^\s*(?:[-*|•]\s*)*(?P<label>[A-Za-z ]+?)\s*\**\s*[:|]\s*\**\s*(?P<value>[^|]*?)\s*\|?\s*$")


def normalise_label(text):
    return " ".join(text.lower().split())


def parse_amount(text):
    """Amount in thousands, with or without currency sign, grouping commas and brackets."""
    cleaned = text.strip().strip("*").strip()
    cleaned = cleaned.replace("−", "-").replace("–", "-")
    cleaned = re.sub(r"[,\s]", "", cleaned)
    cleaned = cleaned.replace("-$", "$-")
    m = AMOUNT.fullmatch(cleaned)
    return Decimal(m[1]) if m else None


def read_lines(completion):
    """The last amount given for each of the wanted lines."""
    given = {}
    for raw in completion.splitlines():
        m = ROW.match(raw)
        if not m:
            continue
        label = normalise_label(m["label"])
        if label in LINES:
            given[label] = parse_amount(m["value"])
    return given


def statement(accounts):
    def total(*groups):
        return sum((Decimal(a["amount"]) for a in accounts if a["group"] in groups), Decimal(0))

    current_assets = total("cash", "current asset")
    assets = current_assets + total("fixed asset") - total("contra asset")
    current_liabilities = total("current liability", "short debt")
    liabilities = current_liabilities + total("long liability", "long debt")
    return {
        "total assets": assets,
        "working capital": current_assets - current_liabilities,
        "equity": assets - liabilities,
        "net debt": total("short debt", "long debt") - total("cash"),
    }


def reward(completion, accounts, **row) -> float:
    due = statement(accounts)
    given = read_lines(completion)
    right = sum(given.get(line) == due[line] for line in LINES)
    return right / len(LINES)
