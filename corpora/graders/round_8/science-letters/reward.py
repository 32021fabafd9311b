"""Reward for multiple-choice science questions with an explanation (TRL style)."""
import re

# "Answer: C", "the answer is (C)", "Answer C"
ANSWER = re.compile(r"answer\s*(?:is|:)?\s*\(?([A-E])", re.I)


def _content(completion):
    if isinstance(completion, str):
        return completion
    return completion[-1]["content"]


def extract_choice(text):
    """The letter that the reply chooses, or None."""
    text = text.replace("*", "").replace("`", "")
    if "</think>" in text:
        text = text.rsplit("</think>", 1)[1]
    match = ANSWER.search(text)
    if match:
        return match.group(1).upper()
    # a bare letter on the last line
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if lines and re.fullmatch(r"\(?[A-E][).]?", lines[-1]):
        return re.search(r"[A-E]", lines[-1]).group(0)
    return None


def reward(completions, label, num_options=None, **_):
    """1.0 for the right letter, else 0.0.

    label: the right letters; num_options: how many options each question has.
    """
    scores = []
    for i, completion in enumerate(completions):
        choice = extract_choice(_content(completion))
        if choice is None:
            scores.append(0.0)
            continue
        if num_options is not None and ord(choice) - ord("A") >= num_options[i]:
            scores.append(0.0)  # not one of the options
            continue
        scores.append(1.0 if choice == label[i] else 0.0)
    return scores
