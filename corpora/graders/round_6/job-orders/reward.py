import re

ANSWER = re.compile(r"<answer>(.*?)</answer>", re.S | re.I)


def _text(completion):
    if isinstance(completion, str):
        return completion
    return (completion[-1].get("content") or "") if completion else ""


def _steps(text):
    found = ANSWER.findall(text)
    if not found:
        return []
    return [" ".join(step.split()).strip("'\"").lower() for step in found[-1].strip().rstrip(".").split(",")]


def _valid(steps, jobs, before):
    if sorted(steps) != sorted(jobs):
        return False
    place = {job: position for position, job in enumerate(steps)}
    return all(place[first] < place[second] for first, second in before)


def order_reward(prompts, completions, jobs, before, **kwargs):
    """1.0 for an order of all jobs that respects every 'before' pair."""
    return [
        1.0 if _valid(_steps(_text(completion)), names, pairs) else 0.0
        for completion, names, pairs in zip(completions, jobs, before)
    ]
