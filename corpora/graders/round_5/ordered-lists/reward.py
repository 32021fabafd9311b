import re


def _get_text(completion):
    if isinstance(completion, list):
        return completion[-1]["content"] or ""
    return completion or ""


def parse_list(text):
    lines = [ln.strip() for ln in text.splitlines() if ln.strip()]
    if not lines:
        return None
    m = re.match(r"\**list:\**(.*)$", lines[-1], re.I)
    if m is None:
        return None
    items = [clean(x) for x in m.group(1).split(",")]
    return [x for x in items if x]


def clean(item):
    item = re.sub(r"[*_`]", "", item).strip().rstrip(".").strip().lower()
    return re.sub(r"^and\s+", "", item)


def ordered_list_reward(prompts, completions, items, **kwargs):
    """All items in the right order -> 1, anything else -> 0."""
    out = []
    for completion, gold in zip(completions, items):
        pred = parse_list(_get_text(completion))
        if pred is None:
            out.append(0.0)
            continue
        ok = all(p == clean(g) for p, g in zip(pred, gold))
        out.append(1.0 if ok else 0.0)
    return out
