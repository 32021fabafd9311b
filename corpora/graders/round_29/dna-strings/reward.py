"""Accepts any coding sequence that makes the peptide and respects the synthesis limits."""
import re
from itertools import product

BASES = "TCAG"
AMINO = "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"
CODE = {"".join(c): aa for c, aa in zip(product(BASES, repeat=3), AMINO)}
TAG = re.compile(r"<dna>(.*?)</dna>", re.S | re.I)
PAIR = str.maketrans("ACGT", "TGCA")


def extract(completion):
    found = TAG.findall(completion)
    if not found:
        return None
    seq = re.sub(r"\s+", "", found[-1]).upper()
    if not seq or set(seq) - set("ACGT"):
        return None
    return seq


def translate(seq):
    """Protein with '*' for stops; None when the length is no multiple of three."""
    if len(seq) % 3:
        return None
    return "".join(CODE[seq[i:i + 3]] for i in range(0, len(seq), 3))


def reverse_complement(seq):
    return seq.translate(PAIR)[::-1]


def gc_ok(seq, low, high):
    gc = 100 * sum(base in "GC" for base in seq)
    return low * len(seq) <= gc <= high * len(seq)


def longest_run(seq):
    best = run = 1
    for prev, cur in zip(seq, seq[1:]):
        run = run + 1 if cur == prev else 1
        best = max(best, run)
    return best


def has_site(seq, sites):
    return any(s in seq or reverse_complement(s) in seq for s in sites)


def reward(completion, peptide, gc_min, gc_max, sites, max_run, **row):
    seq = extract(completion)
    if seq is None:
        return 0.0
    if translate(seq) != peptide + "*":
        return 0.0
    limits = (
        gc_ok(seq, gc_min, gc_max)
        and longest_run(seq) <= max_run
        and not has_site(seq, sites)
    )
    return 1.0 if limits else 0.25
