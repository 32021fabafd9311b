"""The reply is a string literal; it has to denote exactly the wanted characters."""
import re

TAG = re.compile(r"<literal>(.*?)</literal>", re.S)
SIMPLE = set("ntr\\\"")
HEX = "0123456789abcdefABCDEF"
WIDTH = {"x": 2, "u": 4, "U": 8}


def literal_body(completion):
    """Text between the outer double quotes of the last literal, or None."""
    found = TAG.findall(completion)
    if not found:
        return None
    text = found[-1].strip()
    if len(text) < 2 or text[0] != '"' or text[-1] != '"':
        return None
    return text[1:-1]


def well_formed(body):
    """Only permitted escapes, no bare quote, no raw control character."""
    i = 0
    while i < len(body):
        ch = body[i]
        if ch == '"' or ord(ch) < 0x20 or ord(ch) == 0x7F:
            return False
        if ch != "\\":
            i += 1
            continue
        if i + 1 >= len(body):
            return False
        kind = body[i + 1]
        if kind in SIMPLE:
            i += 2
        elif kind in WIDTH:
            digits = body[i + 2:i + 2 + WIDTH[kind]]
            if len(digits) != WIDTH[kind] or any(d not in HEX for d in digits):
                return False
            i += 2 + WIDTH[kind]
        else:
            return False
    return True


def evaluate(body):
    try:
        return body.encode("utf-8").decode("unicode_escape")
    except (UnicodeDecodeError, UnicodeEncodeError):
        return None


def reward(completion, codepoints, max_length, **row):
    body = literal_body(completion)
    if body is None or not well_formed(body):
        return 0.0
    wanted = "".join(chr(int(cp[2:], 16)) for cp in codepoints)
    if evaluate(body) != wanted:
        return 0.0
    return 1.0 if len(body) <= max_length else 0.5
