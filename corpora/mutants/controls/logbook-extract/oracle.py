"""Reads the page from top to bottom; what a later line says counts."""

import re

from .world import Logbook

WORDS = {
    "port": r"{ship} arrived from (\w+)|it was (\w+) that {ship} arrived",
    "tonnes": r"{ship} carries (\d+)",
    "berth": r"{ship} (?:lies at|was moved to) berth (\d+)",
    "sails": r"{ship} (?:sails on|will not sail before) ([\d-]+)",
}


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    page = Logbook(task, seed).observe()
    ship = re.search(r"form about (\w+)", page)[1]
    form = {}
    for field, words in WORDS.items():
        found = list(re.finditer(words.format(ship=ship), page))[-1]
        form[field] = next(part for part in found.groups() if part)
    return [("submit", form | {"tonnes": int(form["tonnes"]), "berth": int(form["berth"])})]
