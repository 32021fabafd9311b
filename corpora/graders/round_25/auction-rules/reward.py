"""Grader for sealed-bid auctions: who wins, at what price, and the revenue."""
import json
from decimal import Decimal


def last_block(completion):
    """Content of the last closed fenced block, or None."""
    block, current = None, None
    for line in completion.splitlines():
        if line.strip().startswith("```"):
            if current is None:
                current = []
            else:
                block, current = "\n".join(current), None
        elif current is not None:
            current.append(line)
    return block


def unique_keys(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError("repeated key")
    return dict(pairs)


def refuse(token):
    raise ValueError(token)


def standing_bids(bids):
    """Only the last bid of each bidder stands, at the time it was made."""
    last = {}
    for order, (bidder, amount) in enumerate(bids):
        last[bidder] = (Decimal(amount), order)
    return last


def outcome(rule, units, reserve, bids):
    reserve = Decimal(reserve)
    valid = [(amount, order, bidder)
             for bidder, (amount, order) in standing_bids(bids).items() if amount >= reserve]
    valid.sort(key=lambda bid: (-bid[0], bid[1]))
    winners, losers = valid[:units], valid[units:]
    if rule == "own-bid":
        return {bidder: amount for amount, _, bidder in winners}
    price = losers[0][0] if losers else reserve
    return {bidder: price for _, _, bidder in winners}


def is_number(value):
    return isinstance(value, Decimal)


def reward(completion, rule, units, reserve, bids, **row) -> float:
    block = last_block(completion)
    if block is None:
        return 0.0
    try:
        reply = json.loads(block, parse_float=Decimal, parse_int=Decimal,
                           parse_constant=refuse, object_pairs_hook=unique_keys)
    except (ValueError, ArithmeticError, RecursionError):
        return 0.0
    if not isinstance(reply, dict) or not isinstance(reply.get("winners"), dict):
        return 0.0
    truth = outcome(rule, units, reserve, bids)
    winners = reply["winners"]
    if set(winners) != set(truth):
        return 0.0
    if not all(is_number(winners[name]) and winners[name] == truth[name] for name in truth):
        return 0.0
    revenue = reply.get("revenue")
    if is_number(revenue) and revenue == sum(truth.values(), Decimal(0)):
        return 1.0
    return 0.5
