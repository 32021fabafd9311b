"""Look-ups in a table of film credits; answers are sets, scored by F1 (see the prompt)."""
import re

TAG = re.compile(r"<answer>(.*?)</answer>", re.S | re.I)


def text_of(completion):
    return completion if isinstance(completion, str) else completion[-1]["content"]


def norm(entry):
    entry = entry.replace("\u2019", "'").replace("\u201c", '"').replace("\u201d", '"')
    entry = re.sub(r"\s+", " ", entry).strip()
    return entry.strip("\"*_`. ").casefold()


def parse(completion):
    found = TAG.findall(text_of(completion))
    if not found:
        return None
    return {n for n in (norm(e) for e in found[-1].split(";")) if n}


def f1(given, gold):
    hit = len(given & gold)
    if hit == 0:
        return 0.0
    precision = hit / len(given)
    recall = hit / len(gold)
    return 2 * precision * recall / (precision + recall)


def reward(completions, answers, **_):
    """answers: per row, the list of right entries (empty: the reply must be 'none')."""
    scores = []
    for completion, answer in zip(completions, answers):
        given = parse(completion)
        gold = {norm(a) for a in answer}
        if given is None:
            scores.append(0.0)
        elif not gold:
            scores.append(1.0 if given == {"none"} else 0.0)
        else:
            scores.append(f1(given, gold))
    return scores
