"""Charts with more months, and questions about more bars; the axis differs."""

LEVELS = ((4, "one", 500), (6, "both", 1500), (6, "one", 800), (8, "all", 2000))


def charts(split: str, seeds: range) -> list[dict]:
    tasks = []
    for number, seed in enumerate(seeds):
        months, ask, top = LEVELS[number % len(LEVELS)]
        tasks.append({"id": f"{split}-{number:02}", "seed": seed, "months": months, "ask": ask, "top": top})
    return tasks


TASKS = {"train": charts("train", range(20)), "test": charts("test", range(4100, 4112))}
