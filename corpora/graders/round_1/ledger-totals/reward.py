import re

BOX = re.compile(r"\\boxed\{([^{}]*)\}")
PLAIN_INT = re.compile(r"-?(?:0|[1-9][0-9]*)")


def reward(prompts, completions, answer, **kwargs):
    """1.0 when the last \\boxed{} holds the expected plain integer."""
    scores = []
    for completion, gold in zip(completions, answer):
        boxes = BOX.findall(completion)
        if not boxes:
            scores.append(0.0)
            continue
        value = boxes[-1].strip(" ")
        ok = PLAIN_INT.fullmatch(value) is not None and value == gold
        scores.append(1.0 if ok else 0.0)
    return scores
