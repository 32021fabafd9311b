"""Evidence for a claim: verbatim quotations from a passage, within a word budget."""
import re

QUOTE_LINE = re.compile(r"^> (.*)$", re.M)
TYPOGRAPHY = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00a0": " "})


def tidy(text):
    """Same typography and single spaces; letters and punctuation are kept."""
    return re.sub(r"\s+", " ", text.translate(TYPOGRAPHY)).strip()


def read_quotes(completion):
    quotes = []
    for raw in QUOTE_LINE.findall(completion):
        text = tidy(raw)
        if len(text) > 1 and text[0] == text[-1] == '"':
            text = text[1:-1].strip()
        if text:
            quotes.append(text)
    return quotes


def count_words(text):
    return len(re.findall(r"[^\W_]+(?:['-][^\W_]+)*", text))


def is_verbatim(quote, passage):
    """The quotation stands in the passage and is not cut inside a word."""
    pattern = re.escape(quote)
    if quote[0].isalnum():
        pattern = r"(?<!\w)" + pattern
    if quote[-1].isalnum():
        pattern = pattern + r"(?!\w)"
    return re.search(pattern, passage) is not None


def fits_budget(quote, max_words):
    return count_words(quote) <= max_words


def covers(quotes, fact):
    """Some quotation holds one of the wordings of the fact."""
    return any(tidy(wording) in quote for wording in fact for quote in quotes)


def reward(completion, passage, facts, max_words, **row) -> float:
    if not isinstance(completion, str):
        return 0.0
    quotes = read_quotes(completion)
    if not quotes:
        return 0.0
    source = tidy(passage)
    for quote in quotes:
        if not is_verbatim(quote, source):
            return 0.0
        if not fits_budget(quote, max_words):
            return 0.0
    found = sum(covers(quotes, fact) for fact in facts)
    return 1.0 if found == len(facts) else 0.0
