import re


def score(completion: str, n_words: int, first_letter: str, include: list, avoid_letter: str) -> float:
    """1.0 when the line keeps every rule, otherwise 0.0."""
    line = completion.strip()
    if len(line.splitlines()) != 1 or not line.endswith("."):
        return 0.0
    bare = [re.sub(r"^[\W_]+|[\W_]+$", "", token).lower() for token in line.split()]
    bare = [word for word in bare if word]
    keeps = (
        len(bare) == n_words
        and bare[0].startswith(first_letter.lower())
        and all(word.lower() in bare for word in include)
        and avoid_letter.lower() not in line.lower()
    )
    return 1.0 if keeps else 0.0
