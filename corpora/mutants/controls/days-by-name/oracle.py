"""Reads the table."""

from .world import Sales


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    shop = Sales(task, seed)
    sold = dict(line.split(": ") for line in shop.look().splitlines())
    amounts = {day: int(amount) for day, amount in sold.items()}
    if task["kind"] == "difference":
        return [("look", {}), ("answer", {"text": str(abs(amounts[shop.one] - amounts[shop.two]))})]
    choose = max if task["kind"] == "most" else min
    return [("look", {}), ("answer", {"text": choose(amounts, key=amounts.get)})]
