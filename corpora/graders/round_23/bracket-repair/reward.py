import re

PAIRS = {"(": ")", "[": "]", "{": "}"}
BRACKETS = set("()[]{}")


def is_balanced(text):
    expected = []
    for ch in text:
        if ch in PAIRS:
            expected.append(PAIRS[ch])
        elif ch in BRACKETS:
            if not expected or expected.pop() != ch:
                return False
    return not expected


def fewest_deletions(text):
    """Interval DP: cost[i][j] brackets must go from s[i:j] to leave it balanced."""
    s = [ch for ch in text if ch in BRACKETS]
    n = len(s)
    cost = [[0] * (n + 1) for _ in range(n + 1)]
    for size in range(1, n + 1):
        for i in range(n - size + 1):
            j = i + size
            best = cost[i + 1][j] + 1
            if s[i] in PAIRS:
                for k in range(i + 1, j):
                    if s[k] == PAIRS[s[i]]:
                        best = min(best, cost[i + 1][k] + cost[k + 1][j])
            cost[i][j] = best
    return cost[0][n]


def split_runs(text):
    """Alternate bracket runs and single other characters: 'a(b' -> (['', '(', ''], ['a', 'b'])."""
    runs, others = [""], []
    for ch in text:
        if ch in BRACKETS:
            runs[-1] += ch
        else:
            others.append(ch)
            runs.append("")
    return runs, others


def is_subsequence(short, long):
    rest = iter(long)
    return all(ch in rest for ch in short)


def only_brackets_removed(before, after):
    runs_before, others_before = split_runs(before)
    runs_after, others_after = split_runs(after)
    return others_before == others_after and all(map(is_subsequence, runs_after, runs_before))


def last_line(completion):
    lines = [line.strip() for line in completion.splitlines()]
    lines = [line for line in lines if line and not re.fullmatch(r"`{3,}\w*", line)]
    if not lines:
        return ""
    line = re.sub(r"^repaired\s*:", "", lines[-1], flags=re.IGNORECASE)
    return re.sub(r"\s+", "", line.replace("`", ""))


def reward(completion, broken, **row):
    fixed = last_line(completion)
    if not fixed or not only_brackets_removed(broken, fixed) or not is_balanced(fixed):
        return 0.0
    extra = len(broken) - len(fixed) - fewest_deletions(broken)
    if extra == 0:
        return 1.0
    return 0.25 if extra <= 2 else 0.0
