"""Reward for retiming SubRip subtitles.

The row holds the original file and the list of edits; the edited file is
worked out here and compared cue by cue with the file in the reply.
"""
import re
from fractions import Fraction

FENCE = re.compile(r"```[^\n`]*\n(.*?)```", re.DOTALL)
STAMP = r"([0-9]{2,}):([0-5][0-9]):([0-5][0-9]),([0-9]{3})"
TIMES = re.compile(rf"{STAMP}\s+-->\s+{STAMP}")


def to_ms(h, m, s, ms):
    return ((int(h) * 60 + int(m)) * 60 + int(s)) * 1000 + int(ms)


def parse_srt(text):
    """List of (number, start, end, lines); ValueError if malformed."""
    lines = [line.strip() for line in text.replace("\r\n", "\n").split("\n")]
    cues, block = [], []
    for line in lines + [""]:
        if line:
            block.append(line)
            continue
        if not block:
            continue
        if len(block) < 3 or not re.fullmatch(r"[0-9]+", block[0]):
            raise ValueError("cue without number, times or text")
        m = TIMES.fullmatch(block[1])
        if not m:
            raise ValueError("bad times: " + block[1])
        g = m.groups()
        cues.append((int(block[0]), to_ms(*g[:4]), to_ms(*g[4:]), block[2:]))
        block = []
    return cues


def round_half_up(x):
    return (2 * x.numerator + x.denominator) // (2 * x.denominator)


def apply_edits(cues, edits):
    """Edits in order; times stay exact until the end."""
    items = [[n, Fraction(a), Fraction(b), lines] for n, a, b, lines in cues]
    for edit in edits:
        if edit["op"] == "shift":
            begin = edit.get("from_cue", 1)
            for item in items:
                if item[0] >= begin:
                    item[1] += edit["ms"]
                    item[2] += edit["ms"]
        elif edit["op"] == "scale":
            factor = Fraction(edit["num"], edit["den"])
            for item in items:
                item[1] *= factor
                item[2] *= factor
        elif edit["op"] == "drop":
            items = [item for item in items if item[0] not in edit["cues"]]
    kept = [item for item in items if item[2] > 0]
    out = []
    for number, (_, start, end, lines) in enumerate(kept, 1):
        start = max(start, Fraction(0))
        out.append((number, round_half_up(start), round_half_up(end), lines))
    return out


def reward(completion, srt, edits, **row):
    blocks = FENCE.findall(completion.replace("\r\n", "\n"))
    if not blocks:
        return 0.0
    try:
        got = parse_srt(blocks[-1])
    except ValueError:
        return 0.0
    want = apply_edits(parse_srt(srt), edits)
    slack = 1 if any(e["op"] == "scale" for e in edits) else 0
    if len(got) != len(want):
        return 0.0
    for (gn, gs, ge, gl), (wn, ws, we, wl) in zip(got, want):
        if gn != wn or gl != wl:
            return 0.0
        if abs(gs - ws) > slack or abs(ge - we) > slack:
            return 0.0
    return 1.0
