"""Words that do not read the same backwards."""

TRAIN = [
    "apple",
    "river",
    "stone",
    "cloud",
    "bread",
    "horse",
    "music",
    "paper",
    "green",
    "sugar",
    "tiger",
    "knife",
]
TEST = ["planet", "silver", "garden", "rocket", "bottle"]
TASKS = {
    name: [{"id": f"{name}-{i}", "seed": i, "word": word} for i, word in enumerate(words)]
    for name, words in (("train", TRAIN), ("test", TEST))
}
