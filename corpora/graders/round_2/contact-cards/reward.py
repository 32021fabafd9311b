import json

FIELDS = ("name", "phone", "city")


def card_reward(prompts, completions, card, **kwargs):
    """Share of the fields that are right; the object must have no other keys."""
    rewards = []
    for text, gold in zip(completions, card):
        text = text.strip()
        if text.startswith("```") and text.endswith("```") and "\n" in text:
            text = text.split("\n", 1)[1][:-3]
        try:
            # keep the pairs as they come: values of other types must not blow up on hashing
            pairs = json.loads(text, object_pairs_hook=lambda p: p)
        except (ValueError, RecursionError):
            rewards.append(0.0)
            continue
        if not isinstance(pairs, list) or not all(isinstance(p, tuple) for p in pairs) or {p[0] for p in pairs} != set(FIELDS):
            rewards.append(0.0)
            continue
        hits = sum((f, gold[f]) in pairs for f in FIELDS)
        rewards.append(hits / len(FIELDS))
    return rewards
