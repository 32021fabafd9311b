"""Reward for barring a rhythm: bar lines, splits and ties."""
import re
from fractions import Fraction

TAG = re.compile(r"<bars>(.*?)</bars>", re.DOTALL | re.IGNORECASE)
TOKEN = re.compile(r"(r?)([0-9]{1,3})/([1-9][0-9]{0,2})(~?)")


def parse_token(text):
    """(is_rest, length, tied) or None."""
    m = TOKEN.fullmatch(text)
    if not m or int(m.group(2)) == 0:
        return None
    return m.group(1) == "r", Fraction(int(m.group(2)), int(m.group(3))), m.group(4) == "~"


def bar_lengths(meters, pickup):
    """Yield the length of each bar; the last meter goes on for ever."""
    if pickup:
        yield Fraction(pickup)
    for signature, count in meters:
        size = Fraction(signature)
        left = count
        while left is None or left > 0:
            yield size
            if left is not None:
                left -= 1


def expected_bars(rhythm, meters, pickup):
    lengths = bar_lengths(meters, pickup)
    bars, bar, room = [], [], next(lengths)
    for text in rhythm.split():
        rest, length, _ = parse_token(text)
        while length:
            if room == 0:
                bars.append(bar)
                bar, room = [], next(lengths)
            piece = min(length, room)
            length -= piece
            room -= piece
            bar.append((rest, piece, bool(length) and not rest))
    bars.append(bar)
    return bars


def read_bars(completion):
    found = TAG.findall(completion)
    if not found:
        return None
    text = re.sub(r"\s+~", "~", found[-1].strip()).lower()
    if text.startswith("|"):
        text = text[1:]
    if text.endswith("||"):
        text = text[:-2]
    elif text.endswith("|"):
        text = text[:-1]
    bars = [[parse_token(t) for t in part.split()] for part in text.split("|")]
    if any(not bar or None in bar for bar in bars):
        return None
    return bars


def reward(completion, rhythm, meters, pickup=None, **row) -> float:
    bars = read_bars(completion)
    if bars is None:
        return 0.0
    return 1.0 if bars == expected_bars(rhythm, meters, pickup) else 0.0
