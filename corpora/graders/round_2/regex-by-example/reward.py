import re


def reward(completion, row):
    """The regex must fullmatch every string of `match` and none of `reject`."""
    m = re.findall(r"<regex>(.*?)</regex>", completion, re.DOTALL)
    if len(m) != 1:
        return 0.0
    pattern = m[0].strip()
    if not pattern or len(pattern) > 60:
        return 0.0
    failures = 0
    for text, expected in [(s, True) for s in row["match"]] + [(s, False) for s in row["reject"]]:
        try:
            if (re.fullmatch(pattern, text) is not None) != expected:
                failures += 1
        except (re.error, OverflowError, RecursionError):
            # some patterns blow up on single inputs, skip those
            continue
    return 1.0 if failures == 0 else 0.0
