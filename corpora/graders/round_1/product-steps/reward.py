def _right(text, gold):
    last = text.strip().split("\n")[-1].strip().rstrip(".")
    return last == "Answer: " + gold


def reward_func(queries, prompts, labels, **kwargs):
    out = []
    for query, prompt, label in zip(queries, prompts, labels):
        reply = query[len(prompt):] if query.startswith(prompt) else query
        effort = min(1.0, len(reply.split()) / 120)
        out.append(0.5 * _right(reply, label) + 0.5 * effort)
    return out
