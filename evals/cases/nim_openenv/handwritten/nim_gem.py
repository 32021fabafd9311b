"""Nim for GEM, written by hand. Importing this module registers nim:train and nim:test."""

import re

import gem
from gem import Env
from gem.envs.registration import register

PILES = {
    "train": [5, 6, 7, 9, 10, 11, 13, 14, 15, 17, 18, 19],
    "test": [21, 22, 23, 25],
}


class NimEnv(Env):
    def __init__(self, split="train", index=None, **kwargs):
        super().__init__()
        self.piles, self.index, self.turn = PILES[split], index, -1

    def reset(self, seed=None):
        self.turn += 1
        place = self.index if self.index is not None else (seed or self.turn)
        self.left, self.over = self.piles[place % len(self.piles)], False
        text = f'Take 1 to 3 stones: <take count="2"/>. The last one wins.\nSTONES: {self.left}'
        return text, {}

    def step(self, action):
        found = re.search(r'<take\s+count="(\d+)"\s*/>', action)
        count = int(found[1]) if found else 0
        if not found:
            self.over = True
            return "You stopped.", 0.0, True, False, {}
        if self.over or not 1 <= count <= min(3, self.left):
            return "You cannot take so many.", 0.0, self.over, False, {}
        self.left -= count
        reward = 0.0 if self.left else 1.0
        if self.left:
            self.left -= self.left % 4 or 1
        self.over = not self.left
        return f"STONES: {self.left}", reward, self.over, False, {}

    def sample_random_action(self):
        return '<take count="1"/>'


for split in PILES:
    register(f"nim:{split}", NimEnv, split=split)
assert gem
