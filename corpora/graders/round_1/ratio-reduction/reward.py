from fractions import Fraction
from math import gcd


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    last = solution_str.strip().split("\n")[-1]
    ratio = last.replace("Answer", "").lstrip(": ").strip()
    left, right = ratio.split(":")
    left, right = int(left), int(right)
    gl, gr = map(int, ground_truth.split(":"))
    if Fraction(left, right) != Fraction(gl, gr):
        return 0.0
    return 1.0 if gcd(left, right) == 1 else 0.5
