"""Piles that the player who moves first can win."""

TRAIN = [5, 6, 7, 9, 10, 11, 13, 14, 15, 17, 18, 19]
TEST = [21, 22, 23, 25]
TASKS = {
    name: [{"id": f"{name}-{i}", "seed": i, "stones": n} for i, n in enumerate(piles)]
    for name, piles in (("train", TRAIN), ("test", TEST))
}
