"""Short-answer QA with alias lists, SQuAD-style normalisation (TRL signature)."""
import re
import unicodedata

ARTICLES = {"a", "an", "the"}
ANSWER_LINE = re.compile(r"^[ \t*]*answer[ \t*]*:[ \t]*(.*)$", re.IGNORECASE | re.MULTILINE)
LETTERS = str.maketrans({"ł": "l", "ø": "o", "ß": "ss", "æ": "ae"})


def normalize_answer(text):
    """Lower case, no accents, no punctuation, no leading article, single spaces."""
    text = text.lower().translate(LETTERS)
    text = unicodedata.normalize("NFKD", text)
    text = "".join(ch for ch in text if not unicodedata.combining(ch))
    text = text.replace("'", "").replace("\u2019", "")
    text = re.sub(r"[^a-z0-9]+", " ", text)
    words = text.split()
    while words and words[0] in ARTICLES:
        words = words[1:]
    return " ".join(words)


def extract_answer(completion):
    if not isinstance(completion, str):
        return None
    found = ANSWER_LINE.findall(completion)
    return found[-1] if found else None


def score_one(completion, answers):
    predicted = extract_answer(completion)
    if predicted is None:
        return 0.0
    predicted = normalize_answer(predicted)
    accepted = {normalize_answer(alias) for alias in answers}
    return 1.0 if predicted in accepted else 0.0


def reward(completions, answers, **columns):
    scores = []
    for completion, aliases in zip(completions, answers):
        scores.append(score_one(completion, aliases))
    return scores
