"""Expense claims under a small travel policy, answered as one JSON object with four fields."""
import json
import re
from datetime import date
from decimal import Decimal

BLOCK = re.compile(r"```json[ \t]*\r?\n(.*?)```", re.S)
FIELDS = ("rejected", "payable", "total", "largest")


def unique_pairs(pairs):
    out = {}
    for key, value in pairs:
        if key in out:
            raise ValueError(f"duplicate key {key!r}")
        out[key] = value
    return out


def refuse(token):
    raise ValueError(f"not a JSON number: {token}")


def parse_report(completion):
    blocks = BLOCK.findall(completion)
    if not blocks:
        return None
    try:
        data = json.loads(
            blocks[-1],
            parse_float=Decimal,
            parse_int=Decimal,
            parse_constant=refuse,
            object_pairs_hook=unique_pairs,
        )
    except (ValueError, ArithmeticError, RecursionError):
        return None
    if not isinstance(data, dict) or set(data) != set(FIELDS):
        return None
    return data


def settle(items, submitted, policy):
    """Apply the policy: returns the four expected fields."""
    rejected, payable, per_item = set(), {}, {}
    for item in items:
        age = (date.fromisoformat(submitted) - date.fromisoformat(item["date"])).days
        if age > policy["max_age_days"] or item["category"] in policy["excluded"]:
            rejected.add(item["id"])
            continue
        if item["category"] == "mileage":
            amount = Decimal(item["miles"]) * Decimal(policy["per_mile"])
        else:
            amount = Decimal(item["amount"])
            cap = policy["caps"].get(item["category"])
            if cap is not None:
                amount = min(amount, Decimal(cap))
        per_item[item["id"]] = amount
        payable[item["category"]] = payable.get(item["category"], Decimal(0)) + amount
    return {
        "rejected": rejected,
        "payable": payable,
        "total": sum(payable.values(), Decimal(0)),
        "largest": max(per_item, key=per_item.get),
    }


def same_ids(value, ids):
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        return False
    return len(value) == len(ids) and set(value) == ids


def same_amount(value, amount):
    return isinstance(value, Decimal) and value == amount


def same_table(value, table):
    return (
        isinstance(value, dict)
        and set(value) == set(table)
        and all(same_amount(value[k], table[k]) for k in table)
    )


def reward(completion, items, submitted, policy, **row) -> float:
    report = parse_report(completion)
    if report is None:
        return 0.0
    truth = settle(items, submitted, policy)
    right = [
        same_ids(report["rejected"], truth["rejected"]),
        same_table(report["payable"], truth["payable"]),
        same_amount(report["total"], truth["total"]),
        report["largest"] == truth["largest"],
    ]
    return sum(right) / len(FIELDS)
