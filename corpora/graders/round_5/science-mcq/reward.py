# remote RM for OpenRLHF (--remote_rm_url reward.py)
import re

ANSWER_LINE = re.compile(r"^[ \t]*\*{0,2}answer:\*{0,2}[ \t]*\*{0,2}\(?([A-D])\)?\.?\*{0,2}[ \t]*$", re.I | re.M)


def get_choice(text):
    """The letter of the last 'Answer: X' line."""
    letters = ANSWER_LINE.findall(text)
    return letters[-1].upper() if letters else None


def reward_func(queries, prompts, labels):
    rewards = []
    for query, label in zip(queries, labels):
        choice = get_choice(query.replace("\r\n", "\n"))
        rewards.append(1.0 if choice == label else 0.0)
    return rewards
