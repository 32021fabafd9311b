"""Names from a film's credits, scored by F1 against the people asked for."""
import re
import unicodedata

TAG = re.compile(r"<people>(.*?)</people>", re.S | re.I)
BULLET = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")


def fold(name):
    """Case, accents, full stops and doubled spaces do not matter."""
    name = unicodedata.normalize("NFKD", name)
    name = "".join(ch for ch in name if not unicodedata.combining(ch))
    name = re.sub(r"[.\u2019']", "", name.casefold())
    return re.sub(r"[\s\-]+", " ", name).strip()


def swap_comma(name):
    """'Okafor, Ada' -> 'Ada Okafor'."""
    parts = [part.strip() for part in name.split(",")]
    if len(parts) == 2 and all(parts):
        return f"{parts[1]} {parts[0]}"
    return name


def read_names(completion):
    found = TAG.findall(completion)
    if not found:
        return None
    names = []
    for line in found[-1].splitlines():
        line = BULLET.sub("", line).strip()
        if line:
            names.append(swap_comma(line))
    return names


def build_index(people):
    index = {}
    for person in people:
        index[fold(person)] = person
        words = fold(person).split()
        if len(words) > 2:
            index[" ".join(w for w in words if len(w) > 1)] = person
    return index


def resolve(names, people):
    """The people meant by the names; a name given twice counts once."""
    index = build_index(people)
    meant = set()
    for name in names:
        person = index.get(fold(name))
        if person is not None:
            meant.add(person)
    return meant


def f1(given, wanted):
    hits = len(given & wanted)
    if not hits:
        return 0.0
    precision = hits / len(given)
    recall = hits / len(wanted)
    return 2 * precision * recall / (precision + recall)


def reward(completion, wanted, **row) -> float:
    if not isinstance(completion, str):
        return 0.0
    names = read_names(completion)
    if names is None:
        return 0.0
    target = set(wanted)
    return round(f1(resolve(names, wanted), target), 4)
