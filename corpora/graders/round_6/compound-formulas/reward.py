import re

LINE = re.compile(r"^\W*formula\W*?:\s*(.+?)\s*$", re.I | re.M)
SUBSCRIPTS = str.maketrans("\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089", "0123456789")


def score(completion: str, formula: str) -> float:
    """Check the stated formula; `formula` holds the accepted spellings, parted by |."""
    found = LINE.findall(completion)
    if not found:
        return 0.0
    given = found[-1].translate(SUBSCRIPTS)
    given = re.sub(r"[\s*`$_]", "", given).rstrip(".")
    return 1.0 if re.fullmatch(formula, given) else 0.0
