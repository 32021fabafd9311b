"""Reward for two-component mixing problems. The right volumes are derived from the row."""
import re
from fractions import Fraction

TO_ML = {"ml": 1, "cl": 10, "dl": 100, "l": 1000}
PART = re.compile(
    r"\s*(?P<label>[A-Za-z]+)\s*[=:]\s*(?P<number>\d+(?:\.\d+)?|\.\d+)\s*(?P<unit>mL|cL|dL|L)\s*",
    re.IGNORECASE,
)
RELATIVE = Fraction(1, 200)
FLOOR_ML = Fraction(1, 20)
HALF_CREDIT = 0.4


def exact(number):
    return Fraction(str(number))


def volumes(problem):
    """Millilitres of each labelled liquid, volumes being additive."""
    strong, weak, target = (exact(problem[k]) for k in ("strong", "weak", "target"))
    first, second = problem["labels"]
    share = (target - weak) / (strong - weak)
    given = exact(problem["amount"]) * TO_ML[problem["unit"].lower()]
    if problem["fixed"] == "total":
        total = given
    elif problem["fixed"] == first:
        total = given / share
    else:
        total = given / (1 - share)
    return {first: total * share, second: total * (1 - share)}


def parse_answer(completion):
    lines = re.findall(r"^\s*answer:(.*)$", completion, re.IGNORECASE | re.MULTILINE)
    if not lines:
        return None
    line = lines[-1].strip().removesuffix(".")
    parts = {}
    for chunk in line.split(";"):
        match = PART.fullmatch(chunk)
        if not match:
            return None
        label = match["label"].lower()
        if label in parts:
            return None
        parts[label] = exact(match["number"]) * TO_ML[match["unit"].lower()]
    return parts


def close(value, target):
    return abs(value - target) <= max(RELATIVE * target, FLOOR_ML)


def reward(completion, problem, **row) -> float:
    answer = parse_answer(completion)
    if answer is None:
        return 0.0
    truth = {label.lower(): ml for label, ml in volumes(problem).items()}
    if set(answer) != set(truth):
        return 0.0
    hits = sum(close(answer[label], ml) for label, ml in truth.items())
    return (0.0, HALF_CREDIT, 1.0)[hits]
