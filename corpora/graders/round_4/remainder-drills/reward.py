import re


def remainder_reward(answer, row):
    """Exact integer match."""
    said = answer.strip().rstrip(".").strip("*`$ ")
    said = said.replace("\u2212", "-")
    if not re.fullmatch(r"[-+]?[0-9]{1,12}", said):
        return 0.0
    return 1.0 if int(said) == row["remainder"] else 0.0
