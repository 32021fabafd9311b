"""People who move, whose facts are corrected, or who are forgotten."""

import json

PEOPLE = [
    ("Ada", "Lisbon", "Oslo", "plays the cello", "plays the viola"),
    ("Bela", "Turin", "Ghent", "keeps bees", "keeps geese"),
    ("Chiara", "Riga", "Porto", "was born in 1984", "was born in 1948"),
    ("Dario", "Bergen", "Lyon", "speaks Finnish", "speaks Danish"),
    ("Edith", "Leeds", "Malmo", "repairs clocks", "repairs cameras"),
    ("Farid", "Graz", "Cadiz", "teaches chemistry", "teaches geography"),
    ("Greta", "Nantes", "Split", "owns a sailing boat", "owns a motor boat"),
    ("Hugo", "Bruges", "Varna", "is a night nurse", "is a day nurse"),
    ("Ines", "Tallinn", "Parma", "climbs mountains", "climbs towers"),
]
TRAINED = 18
"""Tasks of the split `train`; the rest is the split `test`."""


def _relation(person: str, city: str) -> dict:
    return {"from": person, "to": city, "relationType": "lives_in"}


def _start(number: int) -> dict:
    """Return a graph of a person, the next person in the list, and their cities."""
    entities, relations = [], []
    for person, home, _, fact, _ in (PEOPLE[number], PEOPLE[(number + 1) % len(PEOPLE)]):
        entities += [
            {"name": person, "entityType": "person", "observations": [fact]},
            {"name": home, "entityType": "city", "observations": []},
        ]
        relations.append(_relation(person, home))
    return {"entities": entities, "relations": relations}


def _moved(number: int) -> tuple[str, dict, list]:
    person, home, city, _, _ = PEOPLE[number]
    wanted = _start(number)
    wanted["relations"][0] = _relation(person, city)
    new = {"name": city, "entityType": "city", "observations": []}
    wanted["entities"].append(new)
    calls = [
        ("create_entities", {"entities": [new]}),
        ("delete_relations", {"relations": [_relation(person, home)]}),
        ("create_relations", {"relations": [_relation(person, city)]}),
    ]
    request = f"{person} moved from {home} to {city}, a new city without observations. Keep {home} in the graph."
    return request, wanted, calls


def _corrected(number: int) -> tuple[str, dict, list]:
    person, _, _, fact, right = PEOPLE[number]
    wanted = _start(number)
    wanted["entities"][0]["observations"] = [right]
    old = {"entityName": person, "observations": [fact]}
    calls = [
        ("delete_observations", {"deletions": [old]}),
        ("add_observations", {"observations": [{"entityName": person, "contents": [right]}]}),
    ]
    return f'"{person} {fact}" is wrong. Replace it: {person} {right}.', wanted, calls


def _forgotten(number: int) -> tuple[str, dict, list]:
    person = PEOPLE[number][0]
    wanted = _start(number)
    del wanted["entities"][0], wanted["relations"][0]
    request = f"Forget {person}, but keep the city where {person} lives."
    return request, wanted, [("delete_entities", {"entityNames": [person]})]


KINDS = {"move": _moved, "correct": _corrected, "forget": _forgotten}


def _task(number: int, kind: str) -> dict:
    request, wanted, solution = KINDS[kind](number)
    task = {"id": f"{kind}-{number}", "seed": 0, "request": request, "start": _start(number)}
    return json.loads(json.dumps({**task, "wanted": wanted, "solution": solution}))


_ALL = [_task(number, kind) for number in range(len(PEOPLE)) for kind in KINDS]
TASKS = {"train": _ALL[:TRAINED], "test": _ALL[TRAINED:]}
