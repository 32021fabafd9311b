import re
from fractions import Fraction

_SUM = re.compile(r"1\s*/\s*([0-9]{1,30})(?:\s*\+\s*1\s*/\s*[0-9]{1,30})*")


def egyptian_reward(answer, row):
    """Two to ten different unit fractions, any order, whose sum is the target."""
    text = answer.strip().strip("`$*").strip().rstrip(".").strip()
    target = Fraction(row["target"])
    # the target may be repeated on one side of an equals sign
    sides = [s.strip() for s in text.split("=")]
    if len(sides) == 2:
        if re.sub(r"\s", "", sides[0]) == row["target"]:
            text = sides[1]
        elif re.sub(r"\s", "", sides[1]) == row["target"]:
            text = sides[0]
    if len(text) > 500 or not _SUM.fullmatch(text):
        return 0.0
    below = [int(d) for d in re.findall(r"/\s*([0-9]+)", text)]
    if not 2 <= len(below) <= 10 or len(set(below)) != len(below) or 0 in below:
        return 0.0
    return 1.0 if sum(Fraction(1, d) for d in below) == target else 0.0
