"""Physics results as plain numbers: 'Answer: 3.0e8', unit fixed by the prompt."""
import math
import re

SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
REL_TOL = 0.02
ABS_TOL = 1e-6  # for rounding noise
ANSWER = re.compile(r"^\W*answer\W*?:\W*?(?P<value>[-+]?[\d.].*)$", re.I | re.M)
VALUE = re.compile(
    r"(?P<mantissa>[-+]?(?:\d+(?:,\d{3})*(?:\.\d*)?|\.\d+))"
    r"(?:e(?P<e>[-+]?\d+)"
    r"|(?:\\times|×|x|\*)10(?:\^|\*\*)[{(]?(?P<p>[-+]?\d+)[})]?)?"
)


def clean(text):
    text = text.replace("−", "-").replace("$", "").replace("`", "")
    text = re.sub(
        "10([⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)",
        lambda m: "10^" + m.group(1).translate(SUPERSCRIPT),
        text,
    )
    return re.sub(r"\s+", "", text).rstrip("*.").lower()


def to_float(text):
    m = VALUE.fullmatch(clean(text))
    if m is None:
        return None
    exponent = int(m.group("e") or m.group("p") or 0)
    if abs(exponent) > 200:
        return None
    return float(m.group("mantissa").replace(",", "")) * 10.0 ** exponent


def score(completion, answer):
    found = ANSWER.findall(completion.replace("−", "-"))
    if not found:
        return 0.0
    value = to_float(found[-1])
    if value is None:
        return 0.0
    return float(math.isclose(value, answer, rel_tol=REL_TOL, abs_tol=ABS_TOL))


def reward(completions, answer, **_):
    texts = [c if isinstance(c, str) else c[-1]["content"] for c in completions]
    return [score(text, gold) for text, gold in zip(texts, answer)]
