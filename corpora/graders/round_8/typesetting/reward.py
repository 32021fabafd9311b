"""Reward for copy-editing a line: the typeset line must equal the reference."""
import re
import unicodedata

TAG = re.compile(r"<line>(.*?)</line>", re.DOTALL)


def as_text(completion):
    if isinstance(completion, list):
        return completion[-1]["content"]
    return completion


def normalise(line):
    """Same form for composed and decomposed accents; outer spaces do not count."""
    return unicodedata.normalize("NFKC", line).strip()


def extract(text):
    """The content of the last pair of tags, or None if there is none."""
    found = TAG.findall(text)
    return found[-1] if found else None


def reward(completions, typeset, **kwargs):
    """1.0 for each reply whose line has exactly the asked characters, else 0.0."""
    scores = []
    for completion, reference in zip(completions, typeset):
        line = extract(as_text(completion))
        if line is None:
            scores.append(0.0)
        elif normalise(line) == normalise(reference):
            scores.append(1.0)
        else:
            scores.append(0.0)
    return scores
