"""Evidence selection: which numbered sentences of a passage are needed for the answer.

Score = F1 of the chosen sentences against the annotated ones.
"""
import re

LABEL = re.compile(r"^\W*evidence\W*:\W*(?P<list>.*)$", re.IGNORECASE)
RANGE = re.compile(r"(\d{1,3})\s*[-–]\s*(\d{1,3})")
PREFIX = re.compile(r"\b(?:sentences?|lines?|nos?\.?)\s*", re.IGNORECASE)


def evidence_text(completion):
    """Body of the last 'Evidence:' line."""
    body = None
    for line in completion.splitlines():
        m = LABEL.match(line.strip())
        if m:
            body = m["list"]
    return body


def expand_ranges(text, limit):
    """'2-4' -> '2, 3, 4'; a range that leaves the passage is left for the validity check."""
    def spell(m):
        first, last = int(m[1]), int(m[2])
        if first > last or last > limit:
            return "0"
        return ", ".join(str(i) for i in range(first, last + 1))

    return RANGE.sub(spell, text)


def parse_numbers(text, limit):
    """Sentence numbers in the order given, or None when the list is not a clean one."""
    text = PREFIX.sub("", text)
    text = re.sub(r"[\[\]().*]", " ", text)
    text = re.sub(r"\band\b|&", ",", text, flags=re.IGNORECASE)
    text = expand_ranges(text, limit)
    numbers = []
    for part in re.split(r"[,;\s]+", text.strip()):
        if not part:
            continue
        if not re.fullmatch(r"\d{1,3}", part):
            return None
        number = int(part)
        if not 1 <= number <= limit:
            return None
        numbers.append(number)
    return numbers


def f1(chosen, wanted):
    hits = sum(1 for number in chosen if number in wanted)
    if hits == 0:
        return 0.0
    precision = hits / len(chosen)
    recall = min(1.0, hits / len(wanted))
    return 2 * precision * recall / (precision + recall)


def reward(completion, sentences, evidence, **row) -> float:
    body = evidence_text(completion)
    if body is None:
        return 0.0
    chosen = parse_numbers(body, len(sentences))
    if not chosen:
        return 0.0
    return round(f1(chosen, set(evidence)), 4)
