import re

STRICT = re.compile(r"^<reasoning>\n.*?\n</reasoning>\n<answer>\n.*?\n</answer>\n?$", re.S)


def _xml_count(text):
    total = 0.0
    if text.count("<reasoning>\n") == 1:
        total += 0.25
    if text.count("\n</reasoning>\n") == 1:
        total += 0.25
    if text.count("\n<answer>\n") == 1:
        total += 0.25
    if text.count("\n</answer>") == 1:
        total += 0.25
    return total


def _answer(text):
    return text.split("<answer>")[-1].split("</answer>")[0].strip()


def reward(prompts, completions, answer, **kwargs):
    scores = []
    for text, gold in zip(completions, answer):
        guess = _answer(text)
        score = _xml_count(text)
        score += 1.0 if STRICT.match(text) else 0.0
        score += 0.5 if re.fullmatch(r"-?[0-9]+", guess) else 0.0
        score += 0.5 if guess == gold else 0.0
        scores.append(score)
    return scores
