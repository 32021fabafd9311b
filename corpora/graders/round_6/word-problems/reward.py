import re
from fractions import Fraction

FINAL = re.compile(r"^\s*\**\s*####[ \t]*(.*?)\s*$", re.M)
NUMBER = re.compile(r"-?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?")


def _number(text):
    text = text.replace("\u2212", "-").strip().strip("*").strip()
    text = re.sub(r"\\?[$\u20ac\u00a3]", "", text).strip()
    if text.endswith("."):
        text = text[:-1]
    if len(text) > 40 or not NUMBER.fullmatch(text) or not text.isascii():
        return None
    return Fraction(text.replace(",", ""))


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    """1.0 when the number on the last '####' line equals the answer."""
    found = FINAL.findall(solution_str)
    if not found:
        return 0.0
    got = _number(found[-1])
    return 1.0 if got is not None and got == _number(str(ground_truth)) else 0.0
