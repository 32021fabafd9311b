import re


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    """Quadratic (proper) scoring rule: 1 - 4 (p - t)^2, from +1 down to -3.

    A reply that is not a lone decimal in [0, 1] scores as badly as a sure miss.
    """
    m = re.fullmatch(r"\+?([0-9]{0,3}\.[0-9]{1,12}|[0-9]{1,3}\.?)", solution_str.strip().strip("*`"))
    if not m:
        return -3.0
    p = float(m.group(1))
    if not 0.0 <= p <= 1.0:
        return -3.0
    t = 1.0 if ground_truth == "true" else 0.0
    return 1.0 - 4.0 * (p - t) ** 2
