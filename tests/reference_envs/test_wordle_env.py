"""Wordle's data: no answer can be told from a leak."""

from __future__ import annotations

import re

from skill_tools.frameworks.rules import load
from tests.conftest import WORDLE


def test_no_answer_is_in_the_words_that_the_game_says() -> None:
    prompt = load(WORDLE).prompt
    said = f"{prompt.system} {prompt.user} {(WORDLE / 'game.py').read_text('utf-8')}".lower()
    words = set(re.findall("[a-z]{5,}", said))
    answers = set((WORDLE / "answers.txt").read_text("ascii").split())
    assert len(answers) > 1000
    assert answers & words == set()
