"""Reward for multi-select questions with partial credit for cautious answers.

Scoring, as told in the prompt:
  all right options and no other  -> 1.0
  any wrong option                -> 0.0
  some of the right options only  -> 0.5 * (chosen / number of right options)
"""
import re

ANSWER_RE = re.compile(r"^[\s*_]*answer[\s*_]*:[\s*_]*(.*?)[\s*_.]*$", re.IGNORECASE | re.MULTILINE)
PARTIAL_WEIGHT = 0.5


def parse_choice(text, letters):
    """Set of letters, the empty set for 'none', or None when the line is malformed.

    The form is strict: letters of the question separated by commas and/or
    spaces (also 'and'), each at most once, so that prose is never read as a
    choice.
    """
    text = text.strip()
    if text.lower() == "none":
        return set()
    text = re.sub(r"\band\b", ",", text, flags=re.IGNORECASE)
    parts = [p.strip("()") for p in re.split(r"[\s,]+", text) if p]
    if not parts:
        return None
    chosen = set()
    for part in parts:
        letter = part.upper()
        if len(letter) != 1 or letter not in letters or letter in chosen:
            return None
        chosen.add(letter)
    return chosen


def score_choice(chosen, right):
    if chosen == right:
        return 1.0
    if chosen - right:
        return 0.0
    # only a proper subset of the right options is left here; it is empty for 'none'
    return PARTIAL_WEIGHT * len(chosen) / len(right)


def reward(completions, options, correct, **columns):
    scores = []
    for completion, opts, gold in zip(completions, options, correct):
        text = completion if isinstance(completion, str) else completion[-1]["content"]
        lines = ANSWER_RE.findall(text)
        if not lines:
            scores.append(0.0)
            continue
        letters = [chr(ord("A") + i) for i in range(len(opts))]
        chosen = parse_choice(lines[-1], letters)
        scores.append(0.0 if chosen is None else score_choice(chosen, set(gold)))
    return scores
