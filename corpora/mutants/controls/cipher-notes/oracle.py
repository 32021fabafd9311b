"""Sets every open letter to its meaning, which it takes from the hidden field, and hands in."""

from .cipher import CipherNotes


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    """The calls of a solved note."""
    world = CipherNotes(task, seed)
    meaning = dict(zip(task["text"], task["plain"], strict=True))
    letters = sorted(set(task["text"]) - {" "} - set(world.given))
    plain = "".join(meaning[letter] for letter in letters)
    return [("assign", {"note_letters": "".join(letters), "meanings": plain}), ("hand_in", {})]
