"""Compare a corrected sentence with the corrections that the annotators accepted."""
import re
import string
import unicodedata

QUOTES = str.maketrans({
    "\u2018": "'", "\u2019": "'", "\u02bc": "'", "`": "'",
    "\u201c": '"', "\u201d": '"', "\u201e": '"',
})
PUNCTUATION = str.maketrans("", "", string.punctuation)


def extract(completion):
    """Content of the last <fixed> pair; None if there is none or it is empty."""
    found = re.findall(r"<fixed>(.*?)</fixed>", completion, re.S | re.I)
    if not found:
        return None
    return found[-1].strip() or None


def words(sentence):
    """Words of a sentence, free of case, layout and typographic variants."""
    text = unicodedata.normalize("NFC", sentence).translate(QUOTES)
    text = re.sub(r"[-\u2010-\u2015/]", " ", text)
    text = text.replace("\u2026", " ")
    text = text.translate(PUNCTUATION)
    return text.casefold().split()


def reward(completion, accepted, **row):
    sentence = extract(completion)
    if sentence is None:
        return 0.0
    got = words(sentence)
    if not got:
        return 0.0
    for reference in accepted:
        if got == words(reference):
            return 1.0
    return 0.0
