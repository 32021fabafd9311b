"""Kinship terms: the relation is derived from the family tree of the row."""
import re

ORDINALS = {1: ("first", "1st"), 2: ("second", "2nd"), 3: ("third", "3rd"), 4: ("fourth", "4th")}
TIMES = {1: ("once",), 2: ("twice",), 3: ("three times",), 4: ("four times",)}


def last_boxed(text):
    """Content of the last \\boxed{...}, with nested braces."""
    start = text.rfind("\\boxed{")
    if start < 0:
        return None
    depth, begin = 0, start + len("\\boxed")
    for i in range(begin, len(text)):
        if text[i] == "{":
            depth += 1
        elif text[i] == "}":
            depth -= 1
            if depth == 0:
                return text[begin + 1:i]
    return None


def squeeze(term):
    """Letter case, hyphens, commas, full stop and spacing carry no meaning here."""
    term = term.strip()
    wrapped = re.fullmatch(r"\\text\{(.*)\}", term, re.S)
    if wrapped:
        term = wrapped.group(1)
    return re.sub(r"[\s,\-\u2010\u2011\u2013]+", "", term.strip().rstrip(".")).lower()


def climb(person, family):
    """Distance in generations from a person to each ancestor (and to themselves)."""
    parents = {child: f["parents"] for f in family for child in f["children"]}
    seen, layer, steps = {}, [person], 0
    while layer:
        for p in layer:
            seen.setdefault(p, steps)
        layer = [q for p in layer for q in parents.get(p, [])]
        steps += 1
    return seen


def direct(steps, noun):
    if steps == 1:
        return {noun}
    return {"great " * (steps - 2) + "grand" + noun}


def collateral(steps, noun):
    """Aunt, uncle, niece or nephew; steps = 1 for the plain term."""
    if steps == 1:
        return {noun}
    return {"great " * (steps - 1) + noun, "great " * (steps - 2) + "grand" + noun}


def terms(up_who, up_of, female):
    """Right terms for `who` seen from `of`, given both distances to the common ancestor."""
    if up_who == 0:
        return direct(up_of, "mother" if female else "father")
    if up_of == 0:
        return direct(up_who, "daughter" if female else "son")
    if up_who == up_of == 1:
        return {"sister" if female else "brother"}
    if up_who == 1:
        return collateral(up_of - 1, "aunt" if female else "uncle")
    if up_of == 1:
        return collateral(up_who - 1, "niece" if female else "nephew")
    degree, removed = min(up_who, up_of) - 1, abs(up_who - up_of)
    cousins = {f"{o} cousin" for o in ORDINALS[degree]}
    if not removed:
        return cousins
    return {f"{c} {t} removed" for c in cousins for t in TIMES[removed]}


def reward(completion, family, sex, who, of, **row):
    answer = last_boxed(completion)
    if answer is None:
        return 0.0
    mine, theirs = climb(who, family), climb(of, family)
    common = min(mine.keys() & theirs.keys(), key=lambda p: mine[p] + theirs[p])
    right = terms(mine[common], theirs[common], sex[who] == "f")
    return 1.0 if squeeze(answer) in {squeeze(t) for t in right} else 0.0
