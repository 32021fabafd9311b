"""Pictures of squares, and the word that they stand for."""

import random
import struct
import zlib

COLORS = {
    "A": (220, 30, 30),
    "E": (30, 160, 60),
    "N": (40, 70, 220),
    "R": (240, 210, 40),
    "S": (10, 10, 10),
    "T": (250, 250, 250),
}
SIDE = 24
"""Pixels of a square's side."""


class InvalidAction(Exception):
    """The episode is over."""


def square(letter: str) -> bytes:
    """A PNG of one color, with a gray frame, so that white can be seen."""
    frame, inside = bytes((128, 128, 128)), bytes(COLORS[letter])
    full = b"\0" + frame * SIDE
    row = b"\0" + frame + inside * (SIDE - 2) + frame
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", SIDE, SIDE, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(full + row * (SIDE - 2) + full, 9)),
        (b"IEND", b""),
    ]
    made = b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + made


class ColorCodeword:
    """One word, two letters of it in each message."""

    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed}/{task['pairs']}")
        self.word = "".join(rng.choices(list(COLORS), k=2 * task["pairs"]))
        self.at, self.reward, self.done = 0, 0.0, False

    def observe(self) -> list:
        """The first two squares."""
        return self._next()

    def message(self, text: str) -> str | list:
        """Show the next squares, or take the word."""
        if self.done:
            raise InvalidAction("the word was said")
        if text.strip() == "NEXT" and self.at < len(self.word):
            return self._next()
        self.done = True
        self.reward = float(text.strip() == self.word)
        return "That was the word." if self.reward else "That was not the word."

    def _next(self) -> list:
        pair = self.word[self.at : self.at + 2]
        self.at += 2
        number = self.at // 2
        return [f"Squares {2 * number - 1} and {2 * number}:", *map(square, pair)]
