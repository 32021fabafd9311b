def reward_func(queries, prompts, labels, **kwargs):
    out = []
    for query, prompt, label in zip(queries, prompts, labels):
        reply = query[len(prompt):] if query.startswith(prompt) else query
        try:
            same = int(float(reply.strip())) == int(float(label))
        except (ValueError, OverflowError):
            same = False
        out.append(1.0 if same else 0.0)
    return out
