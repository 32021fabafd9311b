"""Grader for lists of persons named in a text, in several languages.

The list is a set: order and repetition do not matter. The score is the share of
right names among all names that are in the text or in the reply.
"""
import re
import unicodedata

BULLET = re.compile(r"^\s*(?:[-*•–]\s+|\d+[.)]\s+)")
QUOTES = "\"'“”„«»‘’`"


def fold(name):
    """Comparison key of a name: without accents, case, blanks and punctuation."""
    plain = unicodedata.normalize("NFKD", name)
    plain = plain.encode("ascii", "ignore").decode("ascii").lower()
    return "".join(re.findall(r"[a-z0-9]+", plain))


def names_block(completion):
    """Content of the last <names> element, or None."""
    found = re.findall(r"<names>(.*?)</names>", completion, flags=re.S | re.I)
    return found[-1] if found else None


def split_names(block):
    """One name per line, without bullets and quotation marks."""
    names = []
    for line in block.splitlines():
        name = BULLET.sub("", line).strip().strip(QUOTES).strip()
        if name:
            names.append(name)
    return names


def overlap(got, want):
    union = got | want
    return len(got & want) / len(union) if union else 0.0


def reward(completion, persons, **row) -> float:
    block = names_block(completion)
    if block is None:
        return 0.0
    got = {fold(name) for name in split_names(block)}
    want = {fold(name) for name in persons}
    if not got:
        return 0.0
    return overlap(got, want)
