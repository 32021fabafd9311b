"""Games: the words on the list, each player's lucky letter, and who begins."""

import random

POOL = (  # noqa: SIM905 - a list would take a line for each word
    "tent train table tree toast tulip trumpet tower token river rabbit ring rose road rain needle nest night net "
    "noodle number nail napkin eagle engine egg event east ear eel error engineer elephant lemon letter ladder lion "
    "lamp light leader land lizard legend label garden goat gold grass glass guitar gate grape ginger ground door "
    "desert dragon dinner diamond dog doll dress deer dolphin salt stone star sugar spoon sand silver spider string "
    "seed sun snail square pencil pepper plate planet paper pirate pen pear parrot prince panther pool pond"
).split()
LETTERS = "aeinorst"
SEEDS = {
    "train": [2, 3, 4, 7, 8, 9, 10, 11, 13, 14, 15, 20],
    "test": [21, 27, 29, 33, 35, 36],
}
"""Numbers of games that can be won."""


def make(number):
    rng = random.Random(f"duel {number}")
    lucky, theirs = rng.sample(LETTERS, 2)
    return {
        "id": f"duel-{number}",
        "words": sorted(rng.sample(POOL, 26)),
        "lucky": lucky,
        "theirs": theirs,
        "first": "opponent" if number % 2 else "agent",
    }


TASKS = {split: [make(number) for number in numbers] for split, numbers in SEEDS.items()}
