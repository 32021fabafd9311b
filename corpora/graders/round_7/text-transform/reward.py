"""Exact-match reward for the string-transformation split.

The model thinks freely and closes with <result>...</result>.
Only the last pair of tags is graded.
"""
import re
import unicodedata

RESULT = re.compile(r"<result>(.*?)</result>", re.DOTALL | re.IGNORECASE)
THINK = re.compile(r"<think>.*?</think>", re.DOTALL)


def extract_result(completion):
    body = THINK.sub("", completion)
    found = RESULT.findall(body)
    return found[-1] if found else None


def tidy(text):
    """Unicode form, curly apostrophes and outer white space are not part of the task."""
    text = unicodedata.normalize("NFC", text)
    text = text.replace("\u2019", "'").replace("\u2018", "'")
    return text.strip()


def reward(completion, expected, **row):
    if not isinstance(completion, str):
        return 0.0
    result = extract_result(completion)
    if result is None:
        return 0.0
    return 1.0 if tidy(result) == tidy(expected) else 0.0
