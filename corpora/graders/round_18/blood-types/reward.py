"""Reward for the blood group inheritance tasks: which ABO/Rh types can the next child have?"""
import re
from itertools import product

ABO_GENOTYPES = {"A": ["AA", "AO"], "B": ["BB", "BO"], "AB": ["AB"], "O": ["OO"]}
RH_GENOTYPES = {"+": ["DD", "Dd"], "-": ["dd"]}
SIGNS = str.maketrans({"\u2212": "-", "\u2013": "-", "\uff0b": "+"})
TYPE = re.compile(r"(AB|A|B|O)\s*([+-])")
NEAR_MISS = 0.5


def phenotype(abo, rh):
    letters = "".join(sorted(set(abo) - {"O"})) or "O"
    return letters + ("+" if "D" in rh else "-")


def genotypes_of_type(blood_type):
    if blood_type is None:
        groups, signs = list(ABO_GENOTYPES), list(RH_GENOTYPES)
    else:
        groups, signs = [blood_type[:-1]], [blood_type[-1]]
    abos = [g for group in groups for g in ABO_GENOTYPES[group]]
    rhs = [g for sign in signs for g in RH_GENOTYPES[sign]]
    return set(product(abos, rhs))


def offspring(first, second):
    """All (ABO, Rh) genotypes that two known genotypes can produce."""
    abos = {"".join(sorted(p)) for p in product(first[0], second[0])}
    rhs = {"".join(sorted(p)) for p in product(first[1], second[1])}
    return set(product(abos, rhs))


def genotypes_of_person(person):
    """Genotypes open to a person, given the own type and what is known of the person's parents."""
    own = genotypes_of_type(person["type"])
    known = person.get("parents") or []
    if not known:
        return own
    father, mother = (list(known) + [None, None])[:2]
    reachable = set()
    for f, m in product(genotypes_of_type(father), genotypes_of_type(mother)):
        reachable |= offspring(f, m)
    return own & reachable


def possible_children(mother, father, children):
    types = set()
    for m, f in product(genotypes_of_person(mother), genotypes_of_person(father)):
        here = {phenotype(*g) for g in offspring(m, f)}
        if all(child in here for child in children):
            types |= here
    return types


def read_types(completion):
    """The set on the last 'Types:' line, or None if there is none that can be read."""
    lines = [ln.strip(" \t*`_") for ln in completion.splitlines()]
    lines = [ln for ln in lines if ln.startswith("Types:")]
    if not lines:
        return None
    found = set()
    text = lines[-1][len("Types:"):].translate(SIGNS).removesuffix(".")
    for token in text.split(","):
        match = TYPE.fullmatch(token.strip(" \t*`_"))
        if not match:
            return None
        found.add(match.group(1) + match.group(2))
    return found


def reward(completion, mother, father, children, **row):
    answer = read_types(completion)
    if answer is None:
        return 0.0
    wrong = answer ^ possible_children(mother, father, children)
    if not wrong:
        return 1.0
    return NEAR_MISS if len(wrong) == 1 else 0.0
