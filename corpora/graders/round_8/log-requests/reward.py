"""Reward for picking request ids out of a log, with partial credit.

The score is the one that the prompts state: |listed and right| / |listed or right|.
An id that the log does not have makes the whole reply worthless.
"""
import re

BLOCK = re.compile(r"<ids>(.*?)</ids>", re.DOTALL)
ID = re.compile(r"req-[0-9a-f]{4}")


def parse_ids(text):
    """Set of ids in the last <ids> block; None if there is none or it is malformed."""
    blocks = BLOCK.findall(text)
    if not blocks:
        return None
    body = blocks[-1].strip()
    if body.lower() == "none":
        return set()
    ids = [token for token in re.split(r"[,\s]+", body) if token]
    if not ids or not all(ID.fullmatch(token) for token in ids):
        return None
    return set(ids)


def score_ids(listed, right):
    if not listed and not right:
        return 1.0
    return len(listed & right) / len(listed | right)


def reward(completions, answer, log_ids, **kwargs):
    scores = []
    for completion, right, known in zip(completions, answer, log_ids):
        if isinstance(completion, list):  # chat format
            completion = completion[-1]["content"]
        listed = parse_ids(completion)
        if listed is None or not listed <= set(known):
            scores.append(0.0)
        else:
            scores.append(score_ids(listed, set(right)))
    return scores
