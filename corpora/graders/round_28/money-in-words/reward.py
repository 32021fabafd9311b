"""Amounts on cheques: dollars and cents written out in English words."""
import re

LINE = re.compile(r"^[ \t>*]*In words:[ \t*]*(.+?)[ \t*]*$", re.M | re.I)
UNITS = {
    w: i
    for i, w in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen "
        "fourteen fifteen sixteen seventeen eighteen nineteen".split()
    )
}
TENS = {w: 10 * i for i, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}


def below_hundred(words):
    if len(words) == 1:
        return UNITS.get(words[0], TENS.get(words[0]))
    if len(words) == 2 and words[0] in TENS and 1 <= UNITS.get(words[1], 0) <= 9:
        return TENS[words[0]] + UNITS[words[1]]
    return None


def below_thousand(words):
    """['four', 'hundred', 'and', 'six'] -> 406; the 'and' may be left out."""
    if "hundred" not in words:
        return below_hundred(words)
    cut = words.index("hundred")
    if cut != 1 or not 1 <= UNITS.get(words[0], 0) <= 9:
        return None
    rest = words[2:]
    if rest[:1] == ["and"]:
        rest = rest[1:]
        if not rest:
            return None
    low = below_hundred(rest) if rest else 0
    return None if low is None or (rest and low == 0) else UNITS[words[0]] * 100 + low


def number(words):
    """Value of a cardinal number below one million, or None."""
    if "thousand" not in words:
        return below_thousand(words)
    cut = words.index("thousand")
    high = below_thousand(words[:cut])
    rest = words[cut + 1:]
    if rest[:1] == ["and"]:
        rest = rest[1:]
        if not rest or "hundred" in rest:
            return None
    low = below_thousand(rest) if rest else 0
    if not high or low is None or (rest and low == 0):
        return None
    return high * 1000 + low


def sum_in_cents(text):
    """'twelve dollars and five cents' -> 1205, or None."""
    text = re.sub(r"[\s\-]+", " ", text.lower().replace(",", " ")).strip(" .")
    text = re.sub(r" only$", "", text)
    head, joint, tail = text.rpartition(" and ")
    total, seen = 0, []
    for part in ([head, tail] if joint else [tail]):
        *words, unit = part.split() or [""]
        value = number(words)
        if not value or unit not in ("dollar", "dollars", "cent", "cents"):
            return None
        if unit.endswith("s") == (value == 1):
            return None
        kind = unit.rstrip("s")
        if kind == "cent" and value > 99:
            return None
        total += value * (100 if kind == "dollar" else 1)
        seen.append(kind)
    return total if seen in (["dollar"], ["cent"], ["dollar", "cent"]) else None


def reward(completion, cents, **row) -> float:
    if not isinstance(completion, str):
        return 0.0
    lines = LINE.findall(completion)
    if not lines:
        return 0.0
    return 1.0 if sum_in_cents(lines[-1]) == cents else 0.0
