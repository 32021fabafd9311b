"""Seven, nine or eleven ballots, drawn here; nothing is hidden."""

import random


def votes(split: str, seeds: range) -> list[dict]:
    tasks = []
    for n, seed in enumerate(seeds):
        rng = random.Random(f"{seed} ballots")
        ballots = [rng.sample(("Ada", "Bo", "Cy", "Di"), 4) for _ in range((7, 9, 11)[n % 3])]
        tasks.append({"id": f"{split}-{n}", "seed": seed, "ballots": ballots})
    return tasks


TASKS = {"train": votes("train", range(24)), "test": votes("test", range(40, 52))}
