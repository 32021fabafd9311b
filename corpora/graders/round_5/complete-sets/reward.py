import re
import unicodedata

BLOCK = re.compile(r"<list>(.*?)</list>", re.S | re.I)
BULLET = re.compile(r"^\s*(?:[-*\u2022\u2013]\s+|\(?[0-9]{1,2}[.)]\s*(?=[^\W\d]))")


def norm(s):
    s = unicodedata.normalize("NFKD", s)
    s = "".join(c for c in s if not unicodedata.combining(c)).casefold()
    s = re.sub(r"['\u2019]", "", s)
    s = re.sub(r"[\W_]+", " ", s).strip()
    return re.sub(r"^the ", "", s)


def split_items(block):
    items = []
    for line in block.splitlines():
        line = BULLET.sub("", line)
        # none of the items has a comma or an "and" of its own
        for part in re.split(r"[,;]|\band\b|&", line, flags=re.I):
            part = norm(BULLET.sub("", part))
            if part:
                items.append(part)
    return items


def set_reward(reply, row):
    """Every item once, nothing else, any order."""
    if not isinstance(reply, str) or len(re.findall("<list>", reply, re.I)) != 1:
        return 0.0
    blocks = BLOCK.findall(reply)
    if len(blocks) != 1:
        return 0.0
    names = {}
    for i, aliases in enumerate(row["items"]):
        for a in aliases:
            names[norm(a)] = i
    got = [names.get(x) for x in split_items(blocks[0])]
    if None in got or len(got) != len(row["items"]):
        return 0.0
    return 1.0 if len(set(got)) == len(got) else 0.0
