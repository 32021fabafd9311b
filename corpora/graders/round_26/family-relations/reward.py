"""Kinship terms, compared after bringing spellings to one form."""
import re

ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3}
TIMES = {"once": 1, "one time": 1, "1 time": 1, "1x": 1, "twice": 2, "two times": 2,
         "2 times": 2, "2x": 2, "three times": 3, "thrice": 3, "3 times": 3, "3x": 3}

COUSIN = re.compile(
    r"(?P<degree>%s)[ -]cousin(?:,? (?P<times>%s) removed)?"
    % ("|".join(ORDINALS), "|".join(sorted(TIMES, key=len, reverse=True)))
)
SIMPLE = {
    "sibling": "sibling", "brother": "sibling", "sister": "sibling",
    "parent": "parent", "father": "parent", "mother": "parent",
    "child": "child", "son": "child", "daughter": "child",
    "aunt": "aunt", "uncle": "aunt", "niece": "niece", "nephew": "niece",
}
EITHER = re.compile(r"((?:great[- ]?|grand[- ]?)*)([a-z]+)(?: or | ?/ ?)(?:\1)?([a-z]+)")
PREFIX = re.compile(r"((?:great[- ]?)*)(grand[- ]?)?(.+)")


def canonical(term):
    """Tuple for a kinship term, None when the term is not understood."""
    term = re.sub(r"\s+", " ", term.lower()).strip(" .*_`\"'")
    term = re.sub(r"^(?:an?|the|his|her|their) ", "", term)
    match = COUSIN.fullmatch(term)
    if match:
        return "cousin", ORDINALS[match["degree"]], TIMES.get(match["times"], 0)
    match = EITHER.fullmatch(term)
    if match and match[2] in SIMPLE and SIMPLE[match[2]] == SIMPLE.get(match[3]):
        term = match[1] + match[2]
    match = PREFIX.fullmatch(term)
    if not match:
        return None
    greats, grand, base = match[1].count("great"), bool(match[2]), SIMPLE.get(match[3])
    if base in ("parent", "child"):
        if greats and not grand:
            return None
        return base, greats + grand
    if base in ("aunt", "niece"):
        return base, greats + grand
    if base == "sibling" and not greats and not grand:
        return ("sibling",)
    return None


def final_term(completion):
    found = None
    for line in completion.splitlines():
        match = re.match(r"[\s*_`>-]*relation[\s*_`]*:(.+)", line, re.IGNORECASE)
        if match:
            found = match.group(1)
    return found


def reward(completion, relation, **row):
    term = final_term(completion or "")
    if term is None:
        return 0.0
    given = canonical(term)
    return 1.0 if given is not None and given == canonical(relation) else 0.0
