"""Games by split: the opponent, whether its bids are shown, and how many cards there are."""

# (opponent, shows, cards)
LEVELS = (
    ("eager", True, 5),
    ("random", True, 7),
    ("eager", False, 7),
    ("random", False, 9),
    ("eager", False, 9),
)


def games(split: str, seeds: range) -> list[dict]:
    """One game per seed, going round the levels."""
    tasks = []
    for number, seed in enumerate(seeds):
        opponent, shows, cards = LEVELS[number % len(LEVELS)]
        tasks.append(
            {
                "id": f"{split}-{number:03}",
                "seed": seed,
                "opponent": opponent,
                "shows": shows,
                "cards": cards,
            }
        )
    return tasks


TASKS = {"train": games("train", range(60)), "test": games("test", range(8000, 8020))}
