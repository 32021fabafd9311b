def _ok(text, spec):
    text = text.strip().strip("*`. ").lower().replace("\u2192", "->")
    if "\n" in text or len(text) > 300:
        return False
    steps = [w.strip(" \t") for w in text.split("->")]
    allowed = set(spec["words"])
    if not 2 <= len(steps) <= spec["limit"] or len(set(steps)) != len(steps):
        return False
    if steps[0] != spec["first"] or steps[-1] != spec["last"]:
        return False
    if any(w not in allowed for w in steps):
        return False
    return all(len(a) == len(b) and sum(x != y for x, y in zip(a, b)) == 1
               for a, b in zip(steps, steps[1:]))


def ladder_reward(prompts, completions, ladder, **kwargs):
    """Any valid ladder counts; it is checked, not compared."""
    return [1.0 if _ok(c, spec) else 0.0 for c, spec in zip(completions, ladder)]
