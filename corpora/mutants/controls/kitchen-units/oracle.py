"""Reads the measures as text and converts them with plain floats, the last one first."""

import re

from .world import OldUnits

RATES = {"in": 2.54, "ft": 30.48, "mi": 1.609, "oz": 28.35, "lb": 453.6, "pt": 0.568, "gal": 4.546}


def converted(text: str) -> float:
    given, wanted = text.split(" = ? ")
    parts = [(float(amount), unit) for amount, unit in re.findall(r"(-?[0-9.]+) ([a-zA-Z]+)", given)]
    if wanted == "C":
        return (parts[0][0] - 32) / 1.8
    if wanted == "F":
        return parts[0][0] * 1.8 + 32
    if wanted in RATES:
        return parts[0][0] / RATES[wanted]
    return sum(amount * RATES[unit] for amount, unit in parts)


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    lines = [line.partition(". ")[2] for line in OldUnits(task, seed).observe().splitlines()]
    answers = [round(converted(line), 2) for line in lines]
    return [("convert", {"item": n, "value": answers[n - 1]}) for n in (4, 3, 2, 1)]
