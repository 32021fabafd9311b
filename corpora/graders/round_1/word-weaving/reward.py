import re


def reward(prompts, completions, keywords, **kwargs):
    """Share of the wanted words present, or 0.0 when the form of the line is off."""
    scores = []
    for text, wanted in zip(completions, keywords):
        line = text.strip()
        words = re.findall(r"[A-Za-z']+", line)
        form = (
            "\n" not in line
            and 8 <= len(words) <= 20
            and line.endswith(".")
            and line.count(".") == 1
            and line[:1].isupper()
        )
        if not form:
            scores.append(0.0)
            continue
        have = {w.lower() for w in words}
        scores.append(sum(w in have for w in wanted) / len(wanted))
    return scores
