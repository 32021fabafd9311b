import re

QUEUE = re.compile(r"^\W*queue\W*:\W*(\w+)\W*$", re.I | re.M)


def _text(completion):
    if isinstance(completion, str):
        return completion
    return (completion[-1].get("content") or "") if completion else ""


def routing_reward(prompts, completions, queue, **kwargs):
    """One score for each completion: 1.0 when its last queue line names the right queue."""
    lines = [QUEUE.findall(_text(completion)) for completion in completions]
    named = [found[-1].lower() for found in lines if found]
    scores = [1.0 if got == want else 0.0 for got, want in zip(named, queue)]
    return scores + [0.0] * (len(completions) - len(scores))
