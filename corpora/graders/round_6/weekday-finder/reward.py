import re

DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
SHORT = {"tues": "tuesday", "thur": "thursday", "thurs": "thursday"}
SHORT.update({day[:3]: day for day in DAYS})
ANSWER = re.compile(r"<answer>(.*?)</answer>", re.S | re.I)


def _day(text):
    word = text.strip().strip(".*!").strip().lower()
    word = SHORT.get(word, word)
    return word if word in DAYS else None


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    """1.0 for the right day of the week between the last answer tags."""
    found = ANSWER.findall(solution_str)
    if not found:
        return 0.0
    day = _day(found[-1])
    return 1.0 if day is not None and day == _day(ground_truth) else 0.0
