"""Invoice as one JSON object; every figure must be right to the cent."""
import json
import re
from decimal import Decimal

TOP = {"invoice_no", "currency", "lines", "subtotal", "discount", "tax", "total"}
LINE = {"sku", "qty", "unit_price", "amount"}
FENCE = re.compile(r"^```(?:json)?\s*\n(.*?)\n?```$", re.S | re.I)


def no_duplicates(pairs):
    keys = [k for k, _ in pairs]
    if len(keys) != len(set(keys)):
        raise ValueError("duplicate key")
    return dict(pairs)


def refuse(token):
    raise ValueError(token)


def load(completion):
    text = completion.strip()
    fenced = FENCE.match(text)
    if fenced:
        text = fenced.group(1)
    return json.loads(
        text,
        parse_float=Decimal,
        parse_int=Decimal,
        parse_constant=refuse,
        object_pairs_hook=no_duplicates,
    )


def money(value, gold):
    """JSON numbers only; 12.5 and 12.50 are the same amount."""
    return isinstance(value, Decimal) and value == Decimal(gold)


def line_ok(line, gold):
    return (
        isinstance(line, dict)
        and set(line) == LINE
        and line["sku"] == gold["sku"]
        and money(line["qty"], str(gold["qty"]))
        and money(line["unit_price"], gold["unit_price"])
        and money(line["amount"], gold["amount"])
    )


def reward(completion, invoice, **kwargs):
    try:
        got = load(completion)
    except (ValueError, ArithmeticError, RecursionError):
        return 0.0
    if not isinstance(got, dict) or set(got) != TOP:
        return 0.0
    if got["invoice_no"] != invoice["invoice_no"] or got["currency"] != invoice["currency"]:
        return 0.0
    lines = got["lines"]
    if not isinstance(lines, list) or len(lines) != len(invoice["lines"]):
        return 0.0
    if not all(isinstance(x, dict) and isinstance(x.get("sku"), str) for x in lines):
        return 0.0
    # the order of the lines is free; a SKU occurs once per invoice
    ours = sorted(invoice["lines"], key=lambda x: x["sku"])
    theirs = sorted(lines, key=lambda x: x["sku"])
    if not all(line_ok(a, b) for a, b in zip(theirs, ours)):
        return 0.0
    return float(all(money(got[k], invoice[k]) for k in ("subtotal", "discount", "tax", "total")))
