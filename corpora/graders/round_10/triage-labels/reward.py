"""Triage categories after a small protocol that the prompt gives."""
import re

LABELS = ("immediate", "very urgent", "urgent", "standard", "non-urgent")
TRIAGE = re.compile(r"triage\s*:\s*(.+)", re.I)


def normalise(text):
    text = text.lower()
    text = text.replace("*", "").replace("`", "").replace('"', "")
    text = re.sub(r"[‐‑–]", "-", text)
    text = re.sub(r"[\s_]+", " ", text)
    return text.strip(" .")


def extract_label(text):
    """The text on the last 'Triage:' line, normalised."""
    lines = TRIAGE.findall(text)
    if not lines:
        return None
    answer = normalise(lines[-1])
    # a long line is an explanation, not a label
    if len(answer) > 40:
        return None
    return answer


def is_correct(answer, label):
    label = normalise(label)
    if label not in LABELS:
        raise ValueError(f"bad label in the data: {label}")
    # models like to write "urgent (yellow)" or "category urgent"
    return label in answer


def reward(completion, label, **_):
    answer = extract_label(completion)
    if answer is None:
        return 0.0
    return 1.0 if is_correct(answer, label) else 0.0
