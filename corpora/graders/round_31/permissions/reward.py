"""File modes after a series of chmod commands."""
import re

LINE = re.compile(r"^[ \t]*mode:(.*)$", re.M | re.I)
OCTAL = re.compile(r"(?:0o|0)?([0-7]{3})")
LETTERS = re.compile(r"(?:[r-][w-][x-]){3}")
CLAUSE = re.compile(r"([ugoa]+)([-+=])([rwxX]*|[ugo])")
SHIFT = {"u": 6, "g": 3, "o": 0}
BITS = {"r": 4, "w": 2, "x": 1}


def class_bits(mode, who):
    return mode >> SHIFT[who] & 7


def named_bits(mode, what, is_dir):
    """The three bits that the right-hand side of a clause stands for."""
    if what in SHIFT:
        return class_bits(mode, what)
    bits = 0
    for letter in what:
        if letter == "X":
            if is_dir or mode & 0o111:
                bits |= 1
        else:
            bits |= BITS[letter]
    return bits


def apply_clause(mode, clause, is_dir):
    who, operator, what = CLAUSE.fullmatch(clause).groups()
    bits = named_bits(mode, what, is_dir)
    result = mode
    for one in "ugo" if "a" in who else sorted(set(who)):
        shift = SHIFT[one]
        if operator == "+":
            result |= bits << shift
        elif operator == "-":
            result &= ~(bits << shift)
        else:
            result = result & ~(7 << shift) | bits << shift
    return result


def run(mode, command, is_dir):
    if command.isdigit():
        return int(command, 8)
    for clause in command.split(","):
        mode = apply_clause(mode, clause, is_dir)
    return mode


def parse_mode(text):
    """Read 640, 0640, 0o640 or rw-r-----; None for anything else."""
    text = text.strip()
    if len(text) > 2 and text[0] == text[-1] == "`":
        text = text[1:-1].strip()
    match = OCTAL.fullmatch(text)
    if match:
        return int(match[1], 8)
    if LETTERS.fullmatch(text):
        return int("".join("0" if c == "-" else "1" for c in text), 2)
    return None


def reward(completion, start, commands, is_dir, **row):
    lines = LINE.findall(completion)
    if not lines:
        return 0.0
    got = parse_mode(lines[-1])
    mode = int(start, 8)
    for command in commands:
        mode = run(mode, command, is_dir)
    return 1.0 if got == mode else 0.0
