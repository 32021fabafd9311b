"""Which catalogue numbers have to be shipped? Read from an office memo, answered as a JSON array."""
import json
import re

NUMBER = re.compile(r"\b([A-Z]{2})[ -]?([0-9]{4})(?:/([A-Z]))?(?![0-9A-Za-z/])", re.I)
LINE = re.compile(r"^[ \t]*Ship:[ \t]*(.*?)[ \t]*$", re.M)


def canonical(letters, digits, suffix):
    code = f"{letters.upper()}-{digits}"
    return f"{code}/{suffix.upper()}" if suffix else code


def numbers_in(text):
    """All catalogue numbers of a text in canonical spelling."""
    return {canonical(*m.groups()) for m in NUMBER.finditer(text)}


def parse_entry(entry):
    match = NUMBER.fullmatch(entry.strip())
    return canonical(*match.groups()) if match else None


def parse_list(completion):
    """Canonical numbers of the last Ship line, or None if it is missing, malformed or repeats itself."""
    lines = LINE.findall(completion.replace("\r\n", "\n"))
    if not lines:
        return None
    try:
        data = json.loads(lines[-1])
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, list) or not all(isinstance(x, str) for x in data):
        return None
    codes = [parse_entry(x) for x in data]
    if None in codes or len(set(codes)) != len(codes):
        return None
    return set(codes)


def reward(completion, memo, ship, **row) -> float:
    answer = parse_list(completion)
    if not answer:
        return 0.0
    wanted = {parse_entry(code) for code in ship}
    stray = answer - numbers_in(memo)
    if stray:
        return 0.0
    return len(answer & wanted) / len(wanted)
