"""Best use of discount coupons on a basket. All money in whole cents."""
import json
from decimal import Decimal
from itertools import permutations

MAX_COUPONS = 2


def last_object(completion):
    """The JSON object that closes the reply (an ending code fence is ignored)."""
    text = completion.rstrip()
    if text.endswith("```"):
        text = text[:-3].rstrip()
    if not text.endswith("}"):
        return None
    start = text.rfind("{")
    while start >= 0:
        try:
            data = json.loads(text[start:], parse_float=Decimal)
        except (ValueError, RecursionError):
            start = text.rfind("{", 0, start)
            continue
        return data if isinstance(data, dict) else None
    return None


def price_after(subtotal, codes, coupons):
    """Cents to pay when the coupons are used in this order; None if not allowed."""
    price = subtotal
    if len(codes) > MAX_COUPONS or len(set(codes)) != len(codes):
        return None
    for code in codes:
        coupon = coupons.get(code)
        if coupon is None or price < coupon["min"]:
            return None
        if coupon.get("alone") and len(codes) > 1:
            return None
        if coupon["kind"] == "percent":
            price = (price * (100 - coupon["value"]) + 50) // 100
        else:
            price = max(0, price - coupon["value"])
    return price


def cheapest(subtotal, coupons):
    orders = [o for n in range(MAX_COUPONS + 1) for o in permutations(coupons, n)]
    prices = [price_after(subtotal, o, coupons) for o in orders]
    return min(p for p in prices if p is not None)


def cents(value):
    """Euro amount as cents, None if it is not a number of whole cents."""
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        return None
    if not -10**9 < value < 10**9:
        return None
    amount = Decimal(value) * 100
    return int(amount) if amount == amount.to_integral_value() else None


def reward(completion, prices, coupons, **row):
    data = last_object(completion or "")
    if data is None:
        return 0.0
    codes = data.get("coupons")
    if not isinstance(codes, list) or not all(isinstance(c, str) for c in codes):
        return 0.0
    codes = [c.strip().upper() for c in codes]
    total = cents(data.get("total"))
    by_code = {c["code"]: c for c in coupons}
    subtotal = sum(prices)
    real = price_after(subtotal, codes, by_code)
    if real is None or total is None or total != real:
        return 0.0
    return 1.0 if real == cheapest(subtotal, by_code) else 0.4
