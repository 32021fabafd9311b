"""Reward for translating numbers between digits, Roman numerals and English words."""
import re

ONES = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
fifteen sixteen seventeen eighteen nineteen""".split()
TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()
ROMAN = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
         (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]
AND = "(?:and )?"


def to_roman(number):
    out = ""
    for value, symbol in ROMAN:
        count, number = divmod(number, value)
        out += symbol * count
    return out


def words_pattern(number):
    """Regular expression of the English words for 0 < number < 1 000 000, `and` being optional."""
    if number < 20:
        return ONES[number]
    if number < 100:
        tens, rest = divmod(number, 10)
        return TENS[tens] + (" " + ONES[rest] if rest else "")
    if number < 1000:
        hundreds, rest = divmod(number, 100)
        return ONES[hundreds] + " hundred" + (" " + AND + words_pattern(rest) if rest else "")
    thousands, rest = divmod(number, 1000)
    tail = ""
    if rest:
        tail = " " + (AND if rest < 100 else "") + words_pattern(rest)
    return words_pattern(thousands) + " thousand" + tail


def final_answer(completion):
    lines = [line for line in completion.strip().splitlines() if line.strip()]
    match = re.match(r"[\s*]*answer[\s*]*:(.*)", lines[-1], re.IGNORECASE) if lines else None
    return match.group(1).strip(" \t*`\"'.") if match else None


def reward(completion, kind, number, **row):
    answer = final_answer(completion)
    if answer is None:
        return 0.0
    if kind == "roman":
        return float(answer == to_roman(number))
    if kind == "digits":
        return float(answer in (str(number), f"{number:,}"))
    words = " ".join(re.sub(r"[-,\u2010\u2011]", " ", answer.lower()).split())
    return float(re.fullmatch(words_pattern(number), words) is not None)
