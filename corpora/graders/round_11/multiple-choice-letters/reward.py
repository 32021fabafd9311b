"""Multiple choice with several right letters (TRL reward function)."""
import logging
import re

logger = logging.getLogger(__name__)

ANSWER = re.compile(r"^[\s>*_#]*answer[\s*_]*:[\s*_]*(.*?)[\s*_.]*$", re.I | re.M)
SEPARATORS = re.compile(r"[\s,;/&()\[\]{}$*_`]+|\band\b", re.I)


def to_text(completion):
    if isinstance(completion, str):
        return completion
    return completion[-1]["content"]


def parse_letters(line, options):
    """The set of letters on an answer line, e.g. 'A, C' or 'A and C' or 'ACD'."""
    body = SEPARATORS.sub("", line)
    letters = [c.upper() for c in body]
    bad = [c for c in letters if c not in options]
    if bad:
        raise ValueError(f"not an option: {bad[0]!r}")
    return set(letters)


def reward(completions, answer, options, **kwargs):
    """1.0 if exactly the right letters are chosen, else 0.0."""
    scores = []
    chosen = set()
    for completion, gold, opts in zip(completions, answer, options):
        try:
            line = ANSWER.findall(to_text(completion))[-1]
            chosen = parse_letters(line, opts)
        except (IndexError, ValueError) as exc:
            logger.debug("unreadable answer: %s", exc)
        scores.append(1.0 if chosen == set(gold) else 0.0)
    return scores
