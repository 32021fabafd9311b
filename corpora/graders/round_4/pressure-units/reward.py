import re

PASCAL = {"Pa": 1.0, "hPa": 100.0, "kPa": 1000.0, "MPa": 1e6, "mbar": 100.0, "bar": 1e5, "atm": 101325.0}
_LINE = re.compile(r"[*_ ]*pressure[*_ ]*=[*_ ]*(.*)", re.IGNORECASE)
_NUM = (r"([+-]?(?:[0-9]{1,3}(?:[,   ][0-9]{3})+|[0-9]{1,15})(?:\.[0-9]{1,15})?)"
        r"(?:[eE]([+-]?[0-9]{1,2})|\s*[x×*·]\s*10\^\{?([+-]?[0-9]{1,2})\}?)?")
_SUP = {ord(c): d for c, d in zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")}
_QTY = re.compile(_NUM + r"\s*(Pa|hPa|kPa|MPa|mbar|bar|atm)")


def _pascal(line):
    """The pressure stated by a line of the asked form, else None."""
    head = _LINE.fullmatch(line)
    if not head:
        return None
    text = head.group(1).strip().strip("*_`$").rstrip(".").strip()
    text = re.sub(r"10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda m: "10^" + m.group(1).translate(_SUP), text)
    m = _QTY.fullmatch(text)
    if not m:
        return None
    value = float(re.sub(r"[,   ]", "", m.group(1)))
    return value * 10.0 ** int(m.group(2) or m.group(3) or 0) * PASCAL[m.group(4)]


def reward_func(queries, prompts, labels):
    """Last line 'Pressure = number unit'; label is the value in pascal; 1 % either way."""
    out = []
    for query, prompt, label in zip(queries, prompts, labels):
        reply = query[len(prompt):] if query.startswith(prompt) else query
        lines = [ln.strip() for ln in reply.strip().splitlines() if ln.strip()]
        values = [_pascal(ln) for ln in lines]
        want = float(label)
        # the last line counts; an earlier line of the same form must not contradict it
        good = bool(values) and values[-1] is not None and all(
            v is None or abs(v - want) <= 0.01 * abs(want) * (1 + 1e-9) for v in values)
        out.append(1.0 if good else 0.0)
    return out
