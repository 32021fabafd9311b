"""Reads all pages and the records it needs, as an agent would, and answers from their text."""

import csv
import json

from .world import Stockroom


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    world = Stockroom(task, seed)
    section = world.observe().splitlines()[0].partition("The section is: ")[2]
    calls = [("read_page", {"page": page}) for page in range(1, task["pages"] + 1)]
    rows = [row for _, call in calls for row in csv.DictReader(world.read_page(**call).splitlines())]
    mine = [row for row in rows if row["section"] == section]
    free = 0
    for row in mine:
        calls.append(("record", {"sku": row["sku"]}))
        free += int(row["stock"]) - json.loads(world.record(row["sku"]))["reserved"]
    name = max(mine, key=lambda row: float(row["price"]))["name"]
    return [*calls, ("answer", {"name": name, "free": free})]
