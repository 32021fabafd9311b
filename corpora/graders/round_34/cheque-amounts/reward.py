"""Amount line of a cheque: dollars in words, cents over a hundred."""
import re

ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen "
    "fourteen fifteen sixteen seventeen eighteen nineteen"
).split()
TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()
SCALES = [(1_000_000, "million"), (1_000, "thousand")]
BIG = {"hundred", "thousand", "million"}

LINE = re.compile(r"^[ \t]*pay:(.*)$", re.IGNORECASE | re.MULTILINE)
AMOUNT = re.compile(r"^([a-z ]+) and ([0-9]{2}) ?/ ?100( dollars?)?$")


def below_thousand(n):
    words = []
    if n >= 100:
        words += [ONES[n // 100], "hundred"]
        n %= 100
    if n >= 20:
        words.append(TENS[n // 10])
        n %= 10
        if n:
            words.append(ONES[n])
    elif n:
        words.append(ONES[n])
    return words


def in_words(n):
    if n == 0:
        return ["zero"]
    words = []
    for size, name in SCALES:
        if n >= size:
            words += below_thousand(n // size) + [name]
            n %= size
    return words + below_thousand(n)


def pay_line(text):
    found = LINE.findall(text.replace("*", ""))
    return found[-1] if found else None


def tidy(line):
    line = line.lower().strip()
    if line.endswith("."):
        line = line[:-1]
    line = re.sub(r"[-\u2010\u2011\u2013,]", " ", line)
    return " ".join(line.split())


def drop_british_and(tokens):
    kept = []
    for i, token in enumerate(tokens):
        inner = 0 < i < len(tokens) - 1
        if token == "and" and inner and tokens[i - 1] in BIG:
            continue
        kept.append(token)
    return kept


def reward(completion, cents, **row):
    line = pay_line(completion)
    if line is None:
        return 0.0
    match = AMOUNT.match(tidy(line))
    if match is None:
        return 0.0
    tokens = match.group(1).split()
    if tokens and tokens[-1] in ("dollar", "dollars"):
        if match.group(3):
            return 0.0
        tokens.pop()
    dollars, rest = divmod(cents, 100)
    if int(match.group(2)) != rest:
        return 0.0
    return 1.0 if drop_british_and(tokens) == in_words(dollars) else 0.0
