"""Reward for normalising phone numbers, account numbers and other identifiers."""
import re
import unicodedata

RESULT = re.compile(r"^\W*result\W*?:\s*(.+?)\s*$", re.I | re.M)
DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-")


def _last_result(completion):
    """The text after the last 'Result:' line, without markdown around it."""
    found = RESULT.findall(completion)
    if not found:
        return None
    value = found[-1].strip()
    for mark in ("**", "`", '"', "'"):
        if value.startswith(mark) and value.endswith(mark) and len(value) > 2 * len(mark):
            value = value[len(mark):-len(mark)].strip()
    return value


def _clean(value):
    """Canonical form, so that look-alike characters do not cost the model its reward."""
    value = unicodedata.normalize("NFKC", value).translate(DASHES)
    value = value.casefold()
    return re.sub(r"[^0-9a-z]", "", value)


def reward(completion, answer, kind="phone", **_):
    """1.0 if the reply's result is the normalised identifier, else 0.0.

    answer: the identifier in the form that the prompt asks for.
    kind:   phone, iban, isbn, mac, uuid, card, vat, plate (for the logs only).
    """
    if isinstance(completion, list):
        completion = completion[-1]["content"]
    value = _last_result(completion)
    if value is None:
        return 0.0
    if len(value) > 80:
        return 0.0
    got, want = _clean(value), _clean(answer)
    if not got:
        return 0.0
    return 1.0 if got == want else 0.0
