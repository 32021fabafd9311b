"""Reward for reckoning with historical years: spans, anniversaries and years before or after an event."""
import re

ANSWER = re.compile(r"^[ \t*]*Answer:[ \t*]*(.+?)[ \t*]*$", re.M)
SPAN = re.compile(r"(\d{1,3}(?:,\d{3})+|\d+)(?:\s+years?)?\.?", re.A | re.I)
BEFORE = ("BC", "BCE")
AFTER = ("AD", "CE")
YEAR = re.compile(
    r"(?:(?P<pre>AD|CE|BCE|BC)\s*)?(?P<year>\d{1,4})(?:\s*(?P<post>AD|CE|BCE|BC))?\.?",
    re.A | re.I,
)


def read_answer(completion):
    lines = ANSWER.findall(completion)
    if not lines:
        return None
    # B.C.E. and A.D. are written with points by some
    return re.sub(r"\b([ABC])\.\s?([CD])\.(?:\s?(E)\.)?",
                  lambda m: "".join(g for g in m.groups() if g), lines[-1]).strip()


def read_span(text):
    match = SPAN.fullmatch(text)
    return int(match.group(1).replace(",", "")) if match else None


def read_year(text):
    """(year, era) with era 'BC' or 'AD'; a year without an era is AD."""
    match = YEAR.fullmatch(text)
    if not match or (match.group("pre") and match.group("post")):
        return None
    era = (match.group("pre") or match.group("post") or "AD").upper()
    year = int(match.group("year"))
    if year == 0:
        return None
    if era in BEFORE:
        return year, "BC"
    return (year, "AD") if era in AFTER else None


def reward(completion, kind, label, **row):
    text = read_answer(completion)
    if text is None:
        return 0.0
    if kind == "span":
        return 1.0 if read_span(text) == int(label) else 0.0
    if kind == "year":
        said = read_year(text)
        return 1.0 if said is not None and said == read_year(label) else 0.0
    raise ValueError(f"unknown kind {kind!r}")
