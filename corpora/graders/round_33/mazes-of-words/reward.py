"""Letter mazes: which of the listed words can be walked through the grid?"""
import re
from functools import lru_cache

LINE = re.compile(r"^\W*words\W*?:[ \t*]*(.+)$", re.I | re.M)


def neighbours(r, c):
    return (r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)


class Maze:
    """A grid with the candidate words that can be walked in it."""

    def __init__(self, rows, candidates):
        self.cells = {(r, c): ch for r, line in enumerate(rows) for c, ch in enumerate(line)}
        self.open = [w for w in candidates if self.walkable(w)]

    def walkable(self, word):
        return any(self._walk(word, cell, frozenset()) for cell in self.cells)

    def _walk(self, word, cell, visited):
        if cell in visited or self.cells.get(cell) != word[0]:
            return False
        if len(word) == 1:
            return True
        seen = visited | {cell}
        return any(self._walk(word[1:], step, seen) for step in neighbours(*cell))

    def cross_off(self, word):
        """Take a word off the list; False if it was not on it."""
        if word not in self.open:
            return False
        self.open.remove(word)
        return True

    @property
    def finished(self):
        return not self.open


@lru_cache(maxsize=4096)
def load_maze(rows, candidates):
    # The walk is the expensive part and every prompt is graded many times.
    return Maze(rows, candidates)


def parse_words(completion):
    """Words of the last `Words:` line, upper case; None without such a line."""
    lines = LINE.findall(completion)
    if not lines:
        return None
    text = lines[-1].strip().rstrip(".").strip("*` ").rstrip(".")
    if text.casefold() == "none":
        return []
    return [w.strip().upper() for w in text.split(",")]


def reward(completion, grid, candidates, **row):
    words = parse_words(completion)
    if words is None or len(set(words)) != len(words):
        return 0.0
    maze = load_maze(tuple(grid), tuple(candidates))
    if not all(maze.cross_off(word) for word in words):
        return 0.0
    return 1.0 if maze.finished else 0.0
