"""Reward for register decoding and encoding tasks."""
import re

NUMBER = re.compile(
    r"(?P<sign>[+-]?)(?:0x(?P<hex>[0-9a-f]+(?:_[0-9a-f]+)*)|0b(?P<bin>[01]+(?:_[01]+)*)"
    r"|(?P<dec>[0-9]+(?:_[0-9]+)*))",
    re.IGNORECASE,
)
ANSWER = re.compile(r"answer\s*:(.*)", re.IGNORECASE)


def parse_number(text):
    """Decimal, 0x or 0b literal with an optional sign; underscores only between digits."""
    text = text.strip().replace("\u2212", "-")
    m = NUMBER.fullmatch(text)
    if m is None or len(text) > 80:
        return None
    if m["hex"]:
        value = int(m["hex"], 16)
    elif m["bin"]:
        value = int(m["bin"], 2)
    else:
        value = int(m["dec"])
    return -value if m["sign"] == "-" else value


def answer_line(completion):
    found = None
    for line in completion.splitlines():
        m = ANSWER.fullmatch(line.replace("*", "").replace("`", "").strip())
        if m:
            found = m[1].strip()
    return found


def field_value(word, field):
    width = field["hi"] - field["lo"] + 1
    raw = (word >> field["lo"]) & ((1 << width) - 1)
    if field["signed"] and raw >> (width - 1):
        raw -= 1 << width
    return raw


def pack(fields, values):
    word = 0
    for f in fields:
        width = f["hi"] - f["lo"] + 1
        word |= (values[f["name"]] & ((1 << width) - 1)) << f["lo"]
    return word


def parse_pairs(text):
    pairs = {}
    for part in text.split(","):
        name, eq, value = part.partition("=")
        name = name.strip().upper()
        if not eq or name in pairs:
            return None
        pairs[name] = parse_number(value)
    return pairs


def reward(completion, kind, fields, word=None, values=None, **row):
    answer = answer_line(completion)
    if answer is None:
        return 0.0

    if kind == "encode":
        return 1.0 if parse_number(answer) == pack(fields, values) else 0.0

    pairs = parse_pairs(answer)
    if pairs is None or set(pairs) != {f["name"] for f in fields}:
        return 0.0
    target = int(word, 16)
    hits = sum(pairs[f["name"]] == field_value(target, f) for f in fields)
    return hits / len(fields)
