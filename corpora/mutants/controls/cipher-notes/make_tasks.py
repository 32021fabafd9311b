"""Writes tasks/*.jsonl: `python -m cipher_notes.make_tasks` from the folder above. Not shipped."""

import json
import random
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase

GIVEN = (8, 5, 3)
NOTES = {
    "train": """the old lighthouse keeper painted every step of the stairs in a different colour
our neighbour grows tomatoes on the roof and sells them from a blue bicycle
nobody noticed that the museum clock had been running backwards since autumn
she packed seven sandwiches a compass and her grandfathers broken telescope
the ferry leaves at dawn unless the fog is thicker than the captains coffee
a good carpenter measures the board twice and cuts it only once
they buried the letters under the third birch tree behind the railway station
in winter the lake freezes so hard that the bakers drive their vans across it
the violin was worth less than the spider that had been living inside it
my uncle swears that the best soup is made on the day after a thunderstorm
every evening the librarian feeds two foxes through the kitchen window
the map was accurate except for the mountains which had been added for beauty
when the orchestra stopped playing the parrot finished the melody alone
it took eleven people and one very patient horse to move the piano uphill
the weather station on the island has reported sunshine for nine years
please return the ladder before the cherries ripen or the birds will have them
a stranger left a suitcase full of buttons at the door of the theatre
the recipe asks for a pinch of salt and an hour of complete silence
two brothers built a bridge from opposite banks and met slightly beside the middle
the train to the coast stops wherever somebody waves a yellow scarf
her first invention was an umbrella that opened only when it was dry
we counted forty swans on the canal and one rubber duck leading them
the professor wrote the answer on a napkin and then wiped his glasses with it
after the flood the village moved its market square to the top of the hill""",
    "test": """the gardener talks to her roses in french and to her cabbages in danish
someone has been repairing the broken benches in the park at night
the smallest planet in his model of the heavens was a dried green pea
on sundays the barber cuts hair for free provided you sing for him
a rope a lantern and plenty of chocolate are all that a cave explorer needs
the postman knew every dog by name and every owner by the barking
her telescope pointed at the bakery because the stars could wait until later
the mayor promised a tunnel and delivered a very long covered staircase
no two windows in the castle are alike because the builders never agreed
he learned to swim at seventy and crossed the bay on his next birthday
the tailor sewed a secret pocket into each coat and never told a soul
before the elevator came the tenants hoisted their shopping up in baskets""",
}


def make(split: str, number: int, plain: str) -> dict:
    """One note, its letters exchanged; the most frequent ones are given."""
    rng = random.Random(f"{split} {number}")
    key = dict(zip(ascii_lowercase, rng.sample(ascii_uppercase, 26), strict=True))
    letters = sorted(set(plain) - {" "}, key=lambda letter: (-plain.count(letter), letter))
    given = letters[: GIVEN[number % len(GIVEN)]]
    return {
        "id": f"{split}-{number:02}",
        "seed": number,
        "text": "".join(key.get(letter, letter) for letter in plain),
        "given": {key[letter]: letter for letter in sorted(given, key=key.__getitem__)},
        "plain": plain,
    }


if __name__ == "__main__":
    for split, notes in NOTES.items():
        lines = [json.dumps(make(split, n, note)) for n, note in enumerate(notes.splitlines())]
        file = Path(__file__).parent / "tasks" / f"{split}.jsonl"
        file.write_text("\n".join(lines) + "\n", "ascii")
