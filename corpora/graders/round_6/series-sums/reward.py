import re

BOX = re.compile(r"\\boxed\{(.+?)\}", re.S)


def _text(completion):
    if isinstance(completion, str):
        return completion
    return (completion[-1].get("content") or "") if completion else ""


def _tidy(value):
    value = value.replace("\\dfrac", "\\frac").replace("\\tfrac", "\\frac")
    return re.sub(r"\s+|\$|\\[,;!]", "", value)


def _final(text):
    found = BOX.findall(text)
    return _tidy(found[-1]) if found else None


def series_reward(prompts, completions, solution, **kwargs):
    """1.0 when the last boxed value equals the boxed value of the worked solution."""
    rewards = []
    for completion, reference in zip(completions, solution):
        got = _final(_text(completion))
        want = _final(reference)
        rewards.append(1.0 if got is not None and got == want else 0.0)
    return rewards
