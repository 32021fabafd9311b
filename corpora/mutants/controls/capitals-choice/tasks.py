"""A country per task; the answer is hidden, and one of the options."""

TRAIN = {
    "Australia": "Canberra",
    "Canada": "Ottawa",
    "Turkey": "Ankara",
    "Kenya": "Nairobi",
    "Peru": "Lima",
    "Norway": "Oslo",
    "Austria": "Vienna",
    "Vietnam": "Hanoi",
    "Latvia": "Riga",
    "Ecuador": "Quito",
    "Morocco": "Rabat",
    "Ghana": "Accra",
    "Bangladesh": "Dhaka",
    "Estonia": "Tallinn",
}
TEST = {
    "Poland": "Warsaw",
    "Portugal": "Lisbon",
    "Spain": "Madrid",
    "Greece": "Athens",
    "Ireland": "Dublin",
    "Hungary": "Budapest",
    "Finland": "Helsinki",
    "Cuba": "Havana",
}


def questions(split: str, table: dict, first: int) -> list[dict]:
    return [
        {"id": f"{split}-{n}", "seed": first + n, "country": country, "answer": answer}
        for n, (country, answer) in enumerate(table.items())
    ]


TASKS = {"train": questions("train", TRAIN, 0), "test": questions("test", TEST, 500)}
