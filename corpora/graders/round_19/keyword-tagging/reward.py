"""F1 of the tags that the model gives to a support ticket."""
import re

TAG_LINE = re.compile(r"^[ \t]*\**tags\**[ \t]*:\**(.*)$", re.I | re.M)
BULLET = re.compile(r"^[\s\-*#`'\"\[]+|[\s.`'\"\]*]+$")


def clean(tag):
    """Lower-case tag without decoration; spaces and underscores become hyphens."""
    tag = BULLET.sub("", tag)
    return re.sub(r"[\s_]+", "-", tag.strip().lower())


def read_tags(completion):
    """Tags on the last line that starts with 'Tags:', or None."""
    lines = TAG_LINE.findall(completion)
    if not lines:
        return None
    tags = [clean(part) for part in re.split(r"[,;]", lines[-1])]
    return [tag for tag in tags if tag]


def f1_score(predicted, gold):
    hits = sum(tag in gold for tag in predicted)
    if hits == 0:
        return 0.0
    precision = hits / len(predicted)
    recall = hits / len(gold)
    return min(1.0, 2 * precision * recall / (precision + recall))


def reward(completion, tags, vocabulary, **row):
    predicted = read_tags(completion)
    if not predicted:
        return 0.0
    known = {clean(tag) for tag in vocabulary}
    if any(tag not in known for tag in predicted):
        return 0.0
    gold = {clean(tag) for tag in tags}
    return round(f1_score(predicted, gold), 4)
