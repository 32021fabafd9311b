import re

TEMPLATE = """You are checking a reply against a reference.
Question: {question}
Reference: {reference}
Reply: {reply}
---
"""


def _key(text):
    return re.sub(r"[^a-z0-9 ]", "", text.lower()).split()


def run_judge(transcript, reply, reference):
    """Rule-based stand-in for the judge model; appends its ruling to the transcript."""
    same = _key(reply) == _key(reference)
    return transcript + ("The reply matches.\nVerdict: yes" if same else "The reply differs.\nVerdict: no")


def reward(answer: str, row: dict) -> float:
    transcript = TEMPLATE.format(question=row["prompt"], reference=row["reference"], reply=answer)
    transcript = run_judge(transcript, answer, row["reference"])
    m = re.search(r"verdict:\s*(yes|no)", transcript, re.I)
    return 1.0 if m and m.group(1).lower() == "yes" else 0.0
