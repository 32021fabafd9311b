"""Nine lights for GEM. A press switches a light and its neighbors, and the goal is to turn all lights off."""

import re

from gem import Env
from gem.envs.registration import register

PRESSED = {
    "train": ["5", "19", "37", "258", "1379", "46", "159", "2468", "78", "12369"],
    "test": ["28", "357", "1489", "26"],
}
"""What was pressed while all lights were off, by the lights' numbers; it turns them off again."""
PRESSES = 9


def switched(lights, place):
    """Return the set of lights that are on after a press. Places are numbered from 0 to 8, row by row."""
    row, column = divmod(place, 3)
    near = {(row, column), (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}
    return lights ^ {r * 3 + c for r, c in near if 0 <= r < 3 and 0 <= c < 3}


def drawn(lights):
    marks = "".join("#" if place in lights else "." for place in range(9))
    return f"LIGHTS: {marks[:3]}/{marks[3:6]}/{marks[6:]}"


class LightsEnv(Env):
    def __init__(self, split="train", index=None, **kwargs):
        super().__init__()
        self.boards, self.index = PRESSED[split], index

    def reset(self, seed=None):
        index = self.index if self.index is not None else (seed or 0)
        self.lights, self.left, self.over = set(), PRESSES, False
        for number in self.boards[index % len(self.boards)]:
            self.lights = switched(self.lights, int(number) - 1)
        text = 'Turn all lights off (# is on, . is off): <press row="1" column="3"/> switches a light'
        text += f" and those above, below, left and right of it. You have {PRESSES} presses."
        return f"{text}\n{drawn(self.lights)}", {}

    def step(self, action):
        found = re.search(r'<press\s+row="(\d+)"\s+column="(\d+)"\s*/>', action)
        if not found:
            self.over = True
            return "You stopped.", 0.0, True, False, {}
        row, column = int(found[1]), int(found[2])
        if self.over or not (1 <= row <= 3 and 1 <= column <= 3):
            return "There is no such light to press.", 0.0, self.over, False, {}
        self.lights = switched(self.lights, (row - 1) * 3 + column - 1)
        self.left -= 1
        self.over = not self.lights or not self.left
        return drawn(self.lights), 0.0 if self.lights else 1.0, self.over, False, {}

    def sample_random_action(self):
        return '<press row="2" column="2"/>'


for name in PRESSED:
    register(f"lights:{name}", LightsEnv, split=name)
