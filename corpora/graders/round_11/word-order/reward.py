"""Word order: put the words of a sentence in the order the rule asks for.

The words are kept exactly as they are (capitals too). Two of the rules have
many right answers, so those are checked instead of compared.
"""
import re
from collections import Counter

TAG = re.compile(r"<result>(.*?)</result>", re.S)


def expected(words, rule, k):
    if rule == "reverse":
        return words[::-1]
    if rule == "alphabetical":
        return sorted(words, key=str.lower)
    if rule == "rotate":
        return words[k:] + words[:k]
    if rule == "odd_even":
        return words[0::2] + words[1::2]
    if rule == "swap_pairs":
        out = list(words)
        for i in range(0, len(out) - 1, 2):
            out[i], out[i + 1] = out[i + 1], out[i]
        return out
    if rule == "length_stable":
        return sorted(words, key=len)
    raise KeyError(rule)


def free_ok(got, rule):
    pairs = list(zip(got, got[1:]))
    if rule == "different_initials":
        return all(a[0].lower() != b[0].lower() for a, b in pairs)
    if rule == "lengths_never_fall":
        return all(len(a) <= len(b) for a, b in pairs)
    raise KeyError(rule)


def reward(completion, words, rule, k=0, **kwargs):
    found = TAG.findall(completion)
    if len(found) != 1:
        return 0.0
    got = found[0].split()
    if Counter(got) != Counter(words):
        return 0.0
    if rule in ("different_initials", "lengths_never_fall"):
        return 1.0 if free_ok(got, rule) else 0.0
    return 1.0 if got == expected(words, rule, k) else 0.0
