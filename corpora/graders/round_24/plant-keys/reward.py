"""Identify a plant with a dichotomous key."""
import re

LINE = re.compile(r"^[ \t*_#>-]*species[ \t*_]*:(.*)$", re.I | re.M)
NO_MATCH = "not in key"


def tidy(text):
    """Lower case, hyphens as spaces, straight apostrophes, single spaces, no markup."""
    text = re.sub(r"[*_`]", "", text.casefold()).replace("\u2019", "'")
    text = re.sub(r"[-\u2010\u2011\u2013]", " ", text)
    return " ".join(text.split())


def final_line(completion):
    lines = LINE.findall(completion)
    return tidy(lines[-1]) if lines else ""


def mentions(line, name):
    return re.search(rf"(?<!\w){re.escape(tidy(name))}(?!\w)", line) is not None


def mask_longer(line, name, others):
    """Blank out names that contain this one, such as 'hairy bittercress' for 'bittercress'."""
    short = tidy(name)
    for other in sorted(map(tidy, others), key=len, reverse=True):
        if short != other and re.search(rf"(?<!\w){re.escape(short)}(?!\w)", other):
            line = re.sub(rf"(?<!\w){re.escape(other)}(?!\w)", " ", line)
    return line


def names_of(entry):
    return [entry["common"], entry["latin"]]


def identified(line, species):
    """Common names of the species that the line names, in either language."""
    everything = [name for entry in species for name in names_of(entry)]
    found = set()
    for entry in species:
        for name in names_of(entry):
            if mentions(mask_longer(line, name, everything), name):
                found.add(entry["common"])
    return found


def reward(completion, species, answer, **row) -> float:
    """species: all end points of the key; answer: a common name, or 'not in key'."""
    line = final_line(completion)
    if not line:
        return 0.0
    found = identified(line, species)
    if answer == NO_MATCH:
        return 1.0 if mentions(line, NO_MATCH) and not found else 0.0
    return 1.0 if answer in found else 0.0
