import re

_LINE = re.compile(r"^[ \t*_>#]*formula[ \t*_]*:(.*)$", re.IGNORECASE | re.MULTILINE)
_ELEMENTS = set(
    "H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc "
    "Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi "
    "Po At Rn Fr Ra Ac Th Pa U Np Pu".split())
_SUBSCRIPT = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_TOKEN = re.compile(r"([A-Z][a-z]?)([0-9]{0,3})|(\()|\)([0-9]{0,3})")


def _strip_markup(s):
    s = s.strip().translate(_SUBSCRIPT)
    s = s.strip("*`_. \t")
    m = re.fullmatch(r"\$+(.*?)\$+", s)
    s = (m.group(1) if m else s).strip()
    m = re.fullmatch(r"\\(?:ce|mathrm|text)\{(.*)\}", s)
    s = (m.group(1) if m else s).strip()
    s = re.sub(r"_\{([0-9]{1,3})\}|_([0-9])", lambda m: m.group(1) or m.group(2), s)
    s = re.sub(r"<sub>([0-9]{1,3})</sub>", r"\1", s)
    return s


def atoms(formula):
    """Counts of atoms of a neutral formula, or None. Case matters: Co is not CO."""
    s = _strip_markup(formula)
    if not s or len(s) > 60:
        return None
    stack, pos = [{}], 0
    while pos < len(s):
        m = _TOKEN.match(s, pos)
        if not m:
            return None
        pos = m.end()
        if m.group(1):
            if m.group(1) not in _ELEMENTS:
                return None
            group, digits = {m.group(1): 1}, m.group(2)
        elif m.group(3):
            stack.append({})
            continue
        else:
            if len(stack) < 2 or not stack[-1]:
                return None
            group, digits = stack.pop(), m.group(4)
        if digits.startswith("0"):
            return None
        k = int(digits) if digits else 1
        for el, n in group.items():
            stack[-1][el] = stack[-1].get(el, 0) + n * k
    return stack[0] if len(stack) == 1 and stack[0] else None


def reward_func(queries, prompts, labels, **kwargs):
    rewards = []
    for query, prompt, label in zip(queries, prompts, labels):
        reply = query[len(prompt):]
        lines = _LINE.findall(reply)
        got = atoms(lines[0]) if len(lines) == 1 else None
        rewards.append(1.0 if got is not None and got == atoms(label) else 0.0)
    return rewards
