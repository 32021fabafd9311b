"""Writes plain sentences, and bends them until they follow the instructions."""

from .rules import CHECKS, is_prose

LINES = [
    "once there were many stories about {0}",
    "people still like {0} today",
    "some of them live near a quiet town",
    "an old friend said so last winter",
    "nobody knows when it all began",
    "children draw them with blue chalk",
    "we should look after what is left",
    "my neighbour has seen more than I have",
]


def drafts(topic: str, count: int, parts: int) -> list[str]:
    """Texts of some sentences in some paragraphs, from every line as the first."""
    found = []
    for first in range(len(LINES)):
        said = [LINES[(first + n) % len(LINES)].format(topic).lower() + "." for n in range(count)]
        size = -(-count // parts)
        found.append("\n\n".join(" ".join(said[at : at + size]) for at in range(0, count, size)))
    return found


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    """The first draft that follows every instruction."""
    asked = dict(map(tuple, task["instructions"]))
    tries = [(asked["sentences"], 1)] if "sentences" in asked else [(6, asked.get("paragraphs", 1))]
    tries += [(8, asked.get("paragraphs", 1)), (7, asked.get("paragraphs", 1))]
    for count, parts in tries:
        for draft in drafts(task["topic"], count, parts):
            for text in bent(draft, asked):
                good = all(CHECKS[kind](text, value) for kind, value in task["instructions"])
                if good and is_prose(text, task["topic"]):
                    return [("message", {"text": text})]
    raise ValueError(f"no draft follows {task['instructions']}")


def bent(text: str, asked: dict) -> list[str]:
    """A draft with the words that must or must not be in it."""
    if "begin" in asked:
        text = f"{asked['begin']} {text}"
    if "end" in asked:
        text = text.rstrip(".") + "; " + asked["end"]
    if "mention" in asked:
        text = text.replace("a quiet town", "an old town")
    return [text, text.replace(" they ", " people ")]
