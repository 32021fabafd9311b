"""Quote a list of arguments on one command line."""
import re
import shlex

FENCE = re.compile(r"^```(?:sh|bash)[ \t]*\n(.*?)^```[ \t]*$", re.S | re.M)
UNTIDY = 0.5


def command_line(completion):
    """The only non-blank line of the last sh block, else None."""
    text = completion.replace("\r\n", "\n")
    blocks = FENCE.findall(text)
    if not blocks:
        return None
    lines = [line for line in blocks[-1].split("\n") if line.strip()]
    return lines[0] if len(lines) == 1 else None


def split_line(line):
    try:
        return shlex.split(line)
    except ValueError:
        return None


def within_rules(line, max_chars, forbidden):
    if len(line) > max_chars:
        return False
    return not any(ch in line for ch in forbidden)


def reward(completion, argv, max_chars, forbidden, **row) -> float:
    """forbidden is a string of characters that the line must do without."""
    line = command_line(completion)
    if line is None:
        return 0.0
    if split_line(line) != list(argv):
        return 0.0
    if not within_rules(line, max_chars, forbidden):
        return UNTIDY
    return 1.0
