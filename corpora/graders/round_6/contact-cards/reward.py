import json
import re
import unicodedata

FENCE = re.compile(r"```(?:json)?[ \t]*\n(.*?)```", re.S | re.I)


def _load(completion):
    fenced = FENCE.findall(completion)
    try:
        value = json.loads(fenced[-1] if fenced else completion.strip())
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _plain(field, value):
    if field == "phone":
        return re.sub(r"[\s().\-/]", "", value)
    value = " ".join(unicodedata.normalize("NFC", value).split())
    return value.lower() if field == "email" else value


def score(completion: str, record: dict) -> float:
    """A quarter for each right field, a quarter off for each unknown key, not below 0."""
    card = _load(completion)
    if card is None:
        return 0.0
    right = sum(
        isinstance(card.get(field), str)
        and _plain(field, card[field]) == _plain(field, value)
        for field, value in record.items()
    )
    unknown = len(set(card) - set(record))
    return max(0.0, (right - unknown) / len(record))
