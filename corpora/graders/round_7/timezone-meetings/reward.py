"""Time zone conversion: <answer>YYYY-MM-DD HH:MM</answer>, 24-hour local time."""
import re
from datetime import datetime

ANSWER = re.compile(r"<answer>(.*?)</answer>", re.S | re.I)
FORMATS = (
    "%Y-%m-%d %H:%M",
    "%Y-%m-%dT%H:%M",
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%dT%H:%M:%S",
)


def parse_local(text):
    """A naive datetime from the text of an answer, or None."""
    text = " ".join(text.strip().strip("`*").split())
    for fmt in FORMATS:
        try:
            return datetime.strptime(text, fmt)
        except ValueError:
            continue
    return None


def extract(completion):
    """The text of the only answer tag; several different answers count as none."""
    found = {" ".join(x.split()) for x in ANSWER.findall(completion)}
    return found.pop() if len(found) == 1 else None


def reward(completion, answer, **_):
    text = extract(completion)
    if text is None:
        return 0.0
    got = parse_local(text)
    if got is None:
        return 0.0
    want = parse_local(answer)
    return 1.0 if got == want else 0.0
