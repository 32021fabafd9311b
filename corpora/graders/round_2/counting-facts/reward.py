import re

_ONES = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
         "seventeen eighteen nineteen").split()
_TENS = "zero ten twenty thirty forty fifty sixty seventy eighty ninety".split()


def _below_100(n):
    if n < 20:
        return _ONES[n]
    return _TENS[n // 10] + (" " + _ONES[n % 10] if n % 10 else "")


def _below_1000(n, link):
    if n < 100:
        return _below_100(n)
    rest = n % 100
    return _ONES[n // 100] + " hundred" + (link + _below_100(rest) if rest else "")


def _spellings(n):
    """English spellings of 0 <= n < 1,000,000 (with and without "and", and "seventeen hundred and sixty")."""
    out = set()
    for link in (" ", " and "):
        if n < 1000:
            out.add(_below_1000(n, link))
        else:
            hi, lo = divmod(n, 1000)
            tails = [""] if lo == 0 else [(link if lo < 100 else " ") + _below_1000(lo, link)]
            out.update(_below_1000(hi, link) + " thousand" + t for t in tails)
            if n < 10000 and 0 < n // 100 % 10:
                rest = n % 100
                out.add(_below_100(n // 100) + " hundred" + (link + _below_100(rest) if rest else ""))
    out |= {"a" + w[3:] for w in out if re.match(r"one (hundred|thousand)", w)}
    return out


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    spans = re.findall(r"<answer>([^<>]*)</answer>", solution_str, re.IGNORECASE)
    if len(spans) != 1:
        return 0.0
    said = spans[0].strip().strip("*").rstrip(".").strip().lower()
    gold = int(ground_truth)
    if re.fullmatch(r"[0-9]{1,3}(,[0-9]{3})+|[0-9]{1,12}", said):
        return 1.0 if int(said.replace(",", "")) == gold else 0.0
    said = re.sub(r"(?<=[a-z])[-‐‑](?=[a-z])", " ", said)         # forty-two
    said = re.sub(r"(?<=[a-z]),(?= )", "", said)                  # one thousand, four hundred
    said = re.sub(r"\s+", " ", said)
    return 1.0 if said in _spellings(gold) else 0.0
