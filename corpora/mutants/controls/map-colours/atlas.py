"""A map whose regions are to be coloured so that no border has one colour on both sides."""

import random
import re
from itertools import combinations

COLOURS = ("red", "green", "blue")
NAMES = "ABCDEFGHIJKLMNOP"
PAY = (1.0, 0.6, 0.3)  # for a right colouring on the first, second and third try
LINE = re.compile(r"\s*([A-Za-z])\s*:\s*([A-Za-z]+)\s*")


class InvalidAction(Exception):
    """The text cannot be taken as a colouring; the agent is told why and may try again."""


def make_borders(rng: random.Random, regions: str, count: int) -> list[tuple[str, str]]:
    """Borders between regions of different hidden colours, a triangle and every region among them."""
    order = list(regions)
    rng.shuffle(order)
    hidden = {region: place % len(COLOURS) for place, region in enumerate(order)}
    possible = [pair for pair in combinations(regions, 2) if hidden[pair[0]] != hidden[pair[1]]]
    borders = {tuple(sorted(pair)) for pair in combinations(order[:3], 2)}
    for place in range(3, len(order)):  # each further region has a border with an earlier one
        others = [region for region in order[:place] if hidden[region] != hidden[order[place]]]
        borders.add(tuple(sorted((order[place], rng.choice(others)))))
    rng.shuffle(possible)
    for pair in possible:
        if len(borders) >= count:
            break
        borders.add(pair)
    return sorted(borders)


class MapColours:
    """One map. `reward` is paid by the submission that ends the episode."""

    def __init__(self, task: dict, seed: int) -> None:
        """Draw a map of `task["regions"]` regions with `task["borders"]` borders."""
        self.regions = NAMES[: task["regions"]]
        self.borders = make_borders(random.Random(seed), self.regions, task["borders"])
        self.tries_left = len(PAY)
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        """The regions and their borders."""
        borders = ", ".join(f"{a}-{b}" for a, b in self.borders)
        return (
            f"The regions are {', '.join(self.regions)}.\nBorders: {borders}.\n"
            f"Tries left: {self.tries_left}."
        )

    def submit_colouring(self, colouring: str) -> str:
        """Take a complete colouring; a wrong one uses a try and is told its bad borders."""
        if self.done:
            raise InvalidAction("The episode is over; no more colourings are taken.")
        colours = self._read(colouring)
        bad = [f"{a}-{b}" for a, b in self.borders if colours[a] == colours[b]]
        self.tries_left -= 1
        if not bad:
            self.reward = PAY[len(PAY) - 1 - self.tries_left]
            self.done = True
            return "Right: no border has the same colour on both sides."
        self.done = not self.tries_left
        end = " The episode is over." if self.done else ""
        return (
            f"Wrong: the same colour is on both sides of {', '.join(bad)}. "
            f"Tries left: {self.tries_left}.{end}"
        )

    def _read(self, text: str) -> dict[str, str]:
        """The colour of every region. Raises InvalidAction that names the line to mend."""
        colours: dict[str, str] = {}
        for number, line in enumerate(text.splitlines(), 1):
            if not line.strip():
                continue
            match = LINE.fullmatch(line)
            region, colour = (match[1].upper(), match[2].lower()) if match else ("", "")
            if not region or region not in self.regions or colour not in COLOURS:
                raise InvalidAction(
                    f"Line {number} cannot be read. Write REGION: COLOUR, with a region of "
                    f"{self.regions[0]} to {self.regions[-1]} and a colour of {', '.join(COLOURS)}. "
                    "No try was used."
                )
            if region in colours:
                raise InvalidAction(
                    f"Line {number} colours {region} a second time; write one line per region. "
                    "No try was used."
                )
            colours[region] = colour
        missing = [region for region in self.regions if region not in colours]
        if missing:
            raise InvalidAction(
                f"There is no line for {', '.join(missing)}; colour every region. No try was used."
            )
        return colours
