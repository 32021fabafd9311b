"""R1-style reward for OpenRLHF (remote_rm / --reward_func).

1.0  the reply follows the template and the answer is right
0.2  the reply follows the template, the answer is wrong
0.0  the reply does not follow the template
"""
import re

TEMPLATE = re.compile(
    r"<think>\s*\S.*?</think>\s*<answer>.*?</answer>\s*\Z", re.DOTALL
)
ANSWER = re.compile(r"<answer>(.*?)</answer>", re.DOTALL)
END_TOKENS = ("<|im_end|>", "<|endoftext|>", "</s>")


def _clean(query):
    query = query.rstrip()
    for tok in END_TOKENS:
        if query.endswith(tok):
            query = query[: -len(tok)].rstrip()
    return query


def _norm(ans):
    ans = ans.strip().lower().rstrip(".")
    if re.fullmatch(r"[+-]?[0-9]{1,3}(,[0-9]{3})+", ans):
        ans = ans.replace(",", "")
    if re.fullmatch(r"[+-]?[0-9]{1,30}", ans):
        ans = str(int(ans))
    return ans


def reward_func(queries, prompts, labels):
    rewards = []
    for query, label in zip(queries, labels):
        query = _clean(query)
        # one pair of tags in the instructions, one pair in the reply
        tags_ok = all(
            query.count(t) <= 2
            for t in ("<think>", "</think>", "<answer>", "</answer>")
        )
        answers = ANSWER.findall(query) if tags_ok else []
        if len(answers) != 2 or not TEMPLATE.search(query):
            rewards.append(0.0)
        elif _norm(answers[-1]) == _norm(str(label)):
            rewards.append(1.0)
        else:
            rewards.append(0.2)
    return rewards
