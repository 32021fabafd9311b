"""Elements by number; no task has a seed."""

TRAIN = {
    26: "iron", 50: "tin", 47: "silver", 79: "gold", 80: "mercury", 29: "copper", 82: "lead",
    30: "zinc", 74: "tungsten", 51: "antimony", 11: "sodium", 19: "potassium", 10: "neon",
}  # fmt: skip
TEST = {
    2: "helium",
    3: "lithium",
    6: "carbon",
    8: "oxygen",
    78: "platinum",
    83: "bismuth",
    28: "nickel",
}


def asked(split: str, table: dict) -> list[dict]:
    return [{"id": f"{split}-{n}", "number": n, "name": name} for n, name in table.items()]


TASKS = {"train": asked("train", TRAIN), "test": asked("test", TEST)}
