import re

FENCE = re.compile(r"```(?:text)?\n(.*?)\n```", re.S)


def reward(prompts, completions, target, **kwargs):
    scores = []
    for messages, picture in zip(completions, target):
        blocks = FENCE.findall(messages[-1]["content"])
        scores.append(1.0 if len(blocks) == 1 and blocks[0] == picture else 0.0)
    return scores
