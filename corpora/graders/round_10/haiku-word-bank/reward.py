"""Short poems from a word bank with syllable counts; all rules must hold."""
import re

WORD = re.compile(r"[a-z]+")


def _lines(text):
    return [l.strip().lower() for l in text.strip().splitlines() if l.strip()]


def _words(line):
    """The words of a line, or None if it holds anything but words and light punctuation."""
    words = []
    for token in line.split():
        token = token.strip(".,;:!?-–—…")
        if not token:
            continue                    # a free-standing dash
        if not WORD.fullmatch(token):
            return None
        words.append(token)
    return words


def reward(completions, bank, pattern, free_words, must_use, first_word, last_word, **_):
    """TRL style: one score per completion, 1.0 if every rule of the prompt holds."""
    scores = []
    for i, text in enumerate(completions):
        ok = check(text, bank[i], pattern[i], free_words[i], must_use[i], first_word[i], last_word[i])
        scores.append(1.0 if ok else 0.0)
    return scores


def check(text, bank, pattern, free_words, must_use, first_word, last_word):
    lines = _lines(text)
    if len(lines) != len(pattern):
        return False
    poem = []
    for line, syllables in zip(lines, pattern):
        words = _words(line)
        if not words:
            return False
        if any(w not in bank and w not in free_words for w in words):
            return False
        # free words are all of one syllable
        if sum(bank.get(w, 1) for w in words) != syllables:
            return False
        poem += words
    from_bank = [w for w in poem if w not in free_words]
    if len(set(from_bank)) != len(from_bank):
        return False                    # each bank word at most once
    if any(a == b for a, b in zip(poem, poem[1:])):
        return False                    # no word twice in a row
    if sum(w in free_words for w in poem) > len(from_bank):
        return False
    if any(w not in from_bank for w in must_use):
        return False
    if first_word and poem[0] != first_word:
        return False
    if last_word and poem[-1] != last_word:
        return False
    return True
