"""Reward for listing, guest by guest, the dishes that are safe to eat."""
import json
import re

FENCE = re.compile(r"```json[ \t]*\r?\n(.*?)```", re.DOTALL | re.IGNORECASE)


def fold(name):
    return re.sub(r"\s+", " ", name).strip().casefold()


def read_lists(completion):
    """Mapping guest -> set of dishes from the reply, or None."""
    blocks = FENCE.findall(completion)
    try:
        data = json.loads(blocks[-1] if blocks else completion)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or not data:
        return None
    lists = {}
    for guest, dishes in data.items():
        if not isinstance(dishes, list) or not all(isinstance(d, str) for d in dishes):
            return None
        lists[fold(guest)] = {fold(d) for d in dishes}
    return lists


def members(allergen, groups):
    """Ingredients covered by an allergen: a group, or the ingredient itself."""
    return {fold(x) for x in groups.get(allergen, [allergen])}


def safe_dishes(allergens, menu, groups):
    bad = set()
    for allergen in allergens:
        bad |= members(allergen, groups)
    return {fold(dish) for dish, items in menu.items()
            if not bad & {fold(i) for i in items}}


def reward(completion, menu, guests, groups, **row) -> float:
    lists = read_lists(completion)
    if lists is None:
        return 0.0
    truth = {fold(g): safe_dishes(a, menu, groups) for g, a in guests.items()}
    marks = []
    for guest, dishes in lists.items():
        if guest not in truth:
            return 0.0
        marks.append(dishes == truth[guest])
    return sum(marks) / len(marks)
