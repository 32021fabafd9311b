"""Adds up line by line: two lines that do not fit one after the other are a wrong balance, one is a wrong amount."""

from .world import Ledger


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    rows = [[int(n) for n in row.split(" | ")] for row in Ledger(task, seed).observe().splitlines()[2:-1]]
    opening = int(Ledger(task, seed).observe().splitlines()[0].split(": ")[1])
    calls, before = [], opening
    for place, (line, amount, balance) in enumerate(rows):
        if before + amount != balance:
            following = rows[place + 1]
            if balance + following[1] != following[2]:
                calls.append(("fix", {"line": line, "column": "balance", "value": before + amount}))
                balance = before + amount
            else:
                calls.append(("fix", {"line": line, "column": "amount", "value": balance - before}))
        before = balance
    return [*calls, ("hand_in", {})]
