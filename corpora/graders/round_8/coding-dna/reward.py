"""Reward for designing a coding DNA sequence: checks the design, not a key."""
import re

BASES = "TCAG"
AMINO = "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"
CODONS = {
    a + b + c: AMINO[16 * i + 4 * j + k]
    for i, a in enumerate(BASES)
    for j, b in enumerate(BASES)
    for k, c in enumerate(BASES)
}
LINE = re.compile(r"Sequence:[ \t]*([ACGTacgt \t]+)")


def extract(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    match = LINE.fullmatch(lines[-1]) if lines else None
    return re.sub(r"[ \t]", "", match.group(1)).upper() if match else None


def reverse_complement(dna):
    return dna[::-1].translate(str.maketrans("ACGT", "TGCA"))


def translate(dna):
    return "".join(CODONS[dna[i : i + 3]] for i in range(0, len(dna), 3))


def gc_in_range(dna, low, high):
    """Percent of G and C within [low, high]; in integers, so no rounding."""
    gc = dna.count("G") + dna.count("C")
    return low * len(dna) <= 100 * gc <= high * len(dna)


def longest_run(dna):
    return max(len(run.group()) for run in re.finditer(r"(.)\1*", dna))


def reward(completion, protein, gc_low, gc_high, forbidden, max_run, **row):
    dna = extract(completion)
    if not dna or len(dna) % 3:
        return 0.0
    if translate(dna) != protein + "*":
        return 0.0
    if not gc_in_range(dna, gc_low, gc_high):
        return 0.0
    for site in forbidden:
        if site in dna or reverse_complement(site) in dna:
            return 0.0
    return 1.0 if longest_run(dna) <= max_run else 0.0
