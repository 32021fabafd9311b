import json
import re
import unicodedata
from decimal import Decimal

TOL = Decimal("0.02")
SUP = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
LINE = re.compile(
    r"ANSWER\s*[:=]\s*"
    r"(?P<sign>[-+]?)(?P<num>[0-9]{1,3}(?:[ ,][0-9]{3})+(?:\.[0-9]{1,20})?|[0-9]{1,20}(?:\.[0-9]{1,20})?|\.[0-9]{1,20})"
    r"(?:[eE](?P<e>[-+]?[0-9]{1,3})(?![0-9])|\s*[x×·*]\s*10\s*\^\s*(?P<p>\{[-+]?[0-9]{1,3}\}|\([-+]?[0-9]{1,3}\)|[-+]?[0-9]{1,3})(?![0-9]))?"
    r"\s*(?P<unit>[^\s0-9.,+-].*?)", re.I)


def canon_unit(u):
    u = u.translate(SUP).replace("\u2126", "\u03a9").replace("\u2212", "-")
    u = re.sub(r"\s*/\s*", "/", u.replace("^", "").strip(" []"))
    return re.sub(r"\s*[\u00b7\u22c5*]\s*|\s+", "\u00b7", u)


def read_answer(text):
    lines = [ln.strip() for ln in text.splitlines() if ln.strip()]
    if not lines:
        return None
    line = re.sub(r"10\s*\*\*\s*(?=[-+\u2212]?[0-9])", "10^", lines[-1])
    line = re.sub(r"\*\*|`", "", line).strip().rstrip(".")
    # 10⁵ -> 10^5
    line = re.sub(r"(?<=10)([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda m: "^" + m.group(1).translate(SUP), line)
    line = line.replace("\u2212", "-").replace("\u00a0", " ").replace("\u202f", " ")
    m = LINE.fullmatch(line)
    if not m:
        return None
    value = Decimal(re.sub("[ ,]", "", m["num"]))
    exp = m["e"] or (m["p"] or "0").strip("{}()")
    value = value.scaleb(int(exp))
    return (-value if m["sign"] == "-" else value), canon_unit(m["unit"])


def reward_func(queries, prompts, labels):
    rewards = []
    for query, prompt, label in zip(queries, prompts, labels):
        gold = json.loads(label) if isinstance(label, str) else label
        reply = query[len(prompt):] if query.startswith(prompt) else query
        got = read_answer(reply)
        if got is None:
            rewards.append(0.0)
            continue
        value, unit = got
        want = Decimal(str(gold["value"]))
        ok = abs(value - want) <= TOL * abs(want) and unit in [canon_unit(u) for u in gold["units"]]
        rewards.append(1.0 if ok else 0.0)
    return rewards
