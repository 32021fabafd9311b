"""Split a set of whole numbers into groups that obey a rule."""
import re
from itertools import combinations
from math import gcd, isqrt, prod

ANSWER = re.compile(r"<answer>(.*?)</answer>", re.S | re.I)
GROUP = r"\{\s*\d{1,6}(?:\s*,\s*\d{1,6})*\s*\}"


def read_groups(completion):
    found = ANSWER.findall(completion)
    if not found:
        return None
    body = found[-1].strip()
    if not re.fullmatch(rf"{GROUP}(?:\s*[,;|]?\s*{GROUP})*", body, re.A):
        return None
    return [[int(n) for n in re.findall(r"\d+", g)] for g in re.findall(GROUP, body)]


def equal_sums(groups, _):
    return len({sum(g) for g in groups}) == 1


def sum_free(groups, _):
    """No group holds a, b and a + b with a and b different."""
    return not any(
        a + b in set(g) for g in groups for a, b in combinations(g, 2)
    )


def coprime(groups, _):
    return all(gcd(a, b) == 1 for g in groups for a, b in combinations(g, 2))


def square_products(groups, _):
    return all(isqrt(prod(g)) ** 2 == prod(g) for g in groups)


def spread_out(groups, least):
    return all(abs(a - b) >= least for g in groups for a, b in combinations(g, 2))


def divisible(groups, modulus):
    return all(sum(g) % modulus == 0 for g in groups)


RULES = {
    "equal_sums": equal_sums,
    "sum_free": sum_free,
    "coprime": coprime,
    "square_products": square_products,
    "spread_out": spread_out,
    "divisible": divisible,
}


def reward(completion, elements, groups, rule, value=None, sizes=None, **row) -> float:
    if not isinstance(completion, str):
        return 0.0
    given = read_groups(completion)
    if given is None or len(given) != groups:
        return 0.0
    if sorted(n for g in given for n in g) != sorted(elements):
        return 0.0
    if sizes is not None and sorted(map(len, given)) != sorted(sizes):
        return 0.0
    return 1.0 if RULES[rule](given, value) else 0.0
