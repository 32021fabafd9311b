"""Day plans of meals: any plan that meets all the requirements is right."""
import json
import re

FENCE = re.compile(r"^[ \t]*```[^\n`]*\n(.*?)^[ \t]*```[ \t]*$", re.S | re.M)
MEALS = ("breakfast", "lunch", "dinner")


def parse_plan(completion):
    """JSON object of the last fenced block, keys in lower case; None when it is not a plan of three meals."""
    blocks = FENCE.findall(completion.replace("\r\n", "\n"))
    if not blocks:
        return None
    try:
        data = json.loads(blocks[-1])
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or not all(isinstance(v, dict) for v in data.values()):
        return None
    plan = {}
    for meal, items in data.items():
        portions = {food.strip().lower(): grams for food, grams in items.items()}
        if len(portions) != len(items):
            return None
        plan[meal.strip().lower()] = portions
    return plan if len(data) == 3 and set(plan) == set(MEALS) else None


def valid_portion(food, grams, foods, limit):
    if food not in foods or isinstance(grams, bool) or not isinstance(grams, int):
        return False
    return 0 < grams <= limit and grams % 10 == 0


def nutrition(plan, foods):
    """Totals of the day; the table gives values per 100 g, so the sums are kept in hundredths."""
    totals = {"protein": 0, "kcal": 0, "cents": 0}
    for items in plan.values():
        for food, grams in items.items():
            for name in totals:
                totals[name] += foods[food][name] * grams
    return totals


def reward(completion, foods, need, **row):
    plan = parse_plan(completion)
    if plan is None:
        return 0.0
    for items in plan.values():
        if len(items) < 2:
            return 0.0
        for food, grams in items.items():
            if not valid_portion(food, grams, foods, need["max_grams"]):
                return 0.0
    totals = nutrition(plan, foods)
    if totals["protein"] < need["min_protein"] * 100:
        return 0.0
    if not need["min_kcal"] * 100 <= totals["kcal"] <= need["max_kcal"] * 100:
        return 0.0
    if totals["cents"] > need["max_cents"] * 100:
        return 0.0
    return 1.0
