"""Functions that find rules for extracting the answer from the prompt.

The rules are learned on half of the questions and tested on the other half.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from skill_tools.evidence.grading.explanations import Shortcut
from skill_tools.evidence.grading.shares import Share
from skill_tools.graders.extraction_rules import ASKS, HOLDS, Rule, find_rules, same
from skill_tools.graders.templates.question import Question

LEAST = 6
"""Minimum number of questions for learning and testing a rule: half of a smaller number is only a handful."""


def find_shortcut(questions: Sequence[Question]) -> Shortcut | None:
    """Return the simplest rule that extracts right answers from prompts, if there is such a rule.

    Answers that are letters, or yes or no, are left out, because with few different answers some rule is often
    right by chance.
    """
    told = [each for each in questions if each.kind not in ("choice", "boolean") and each.gold]
    if len(told) < LEAST or len({_plain(each.gold) for each in told}) < LEAST // 2:
        return None
    learned, tried = told[::2], told[1::2]
    usual = Counter(_plain(each.gold) for each in tried).most_common(1)[0][1] / len(tried)
    pairs = [(each.prompt, each.gold) for each in learned]
    # Most prompts ask for computing with their numbers.
    for rule in find_rules(pairs, "the prompt", computed=False):
        share = Share(rule.right([(each.prompt, each.gold) for each in tried]), len(tried))
        if share.value >= max(HOLDS, usual + 0.1):
            shown = _first(rule, tried)
            asked = bool(ASKS.search(shown.prompt))
            return Shortcut(rule.words, share, shown.label, shown.gold[:80], asked)
    return None


def _first(rule: Rule, questions: Sequence[Question]) -> Question:
    return next(each for each in questions if same(rule.take(each.prompt), each.gold))


def _plain(text: str) -> str:
    return text.strip().strip(".").casefold()
