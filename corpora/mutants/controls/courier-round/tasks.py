"""Towns with no, one or two streets' worth of fuel to spare."""


def rounds(split: str, seeds: range) -> list[dict]:
    return [{"id": f"{split}-{n}", "seed": s, "spare": n % 3} for n, s in enumerate(seeds)]


TASKS = {"train": rounds("train", range(24)), "test": rounds("test", range(900, 912))}
