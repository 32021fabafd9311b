"""Selection of contract clauses, scored by F1 against the clauses that fit the question."""
import re

LINE = re.compile(r"^[ \t]*(?:\*\*)?Clauses:(?:\*\*)?(.*)$", re.M | re.I)
REFERENCE = re.compile(r"(?:clauses?|§§?|sections?)?\s*([0-9]{1,2}\.[0-9]{1,2})", re.I)
SEPARATOR = re.compile(r"\s*(?:,\s*and\b|,|;|\band\b)\s*", re.I)


def parse_references(text):
    """Clause numbers in the order in which they are listed; None if the line holds anything else."""
    text = text.strip().rstrip(".").strip()
    if not text:
        return None
    numbers = []
    for part in SEPARATOR.split(text):
        match = REFERENCE.fullmatch(part.strip())
        if match is None:
            return None
        numbers.append(match[1])
    return numbers


def final_line(completion):
    lines = LINE.findall(completion.replace("\r\n", "\n"))
    return lines[-1] if lines else None


def f1(listed, wanted):
    """Harmonic mean of precision and recall, in its closed form."""
    hits = sum(1 for number in listed if number in wanted)
    return 2 * hits / (len(listed) + len(wanted))


def reward(completion, clauses, relevant, **row):
    line = final_line(completion)
    if line is None:
        return 0.0
    listed = parse_references(line)
    if listed is None:
        return 0.0
    known = set(clauses)
    if any(number not in known for number in listed):
        return 0.0
    return f1(listed, set(relevant))
