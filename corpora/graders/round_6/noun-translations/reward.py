import re
import unicodedata

ANSWER = re.compile(r"<answer>(.*?)</answer>", re.S | re.I)
ARTICLES = {
    "german": ("der ", "die ", "das "),
    "french": ("le ", "la ", "les ", "l'"),
    "spanish": ("el ", "la ", "los ", "las "),
    "italian": ("il ", "lo ", "la ", "l'"),
    "russian": (),
}


def _word(text, language):
    text = unicodedata.normalize("NFC", text).replace("\u2019", "'")
    text = " ".join(text.split()).strip(" .!\"*").casefold()
    for article in ARTICLES[language]:
        if text.startswith(article):
            text = text[len(article):].strip()
            break
    if language == "russian":
        text = text.replace("\u0451", "\u0435")
    return text


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    """1.0 when the answer is one of the accepted words (an article is optional)."""
    found = ANSWER.findall(solution_str)
    if not found:
        return 0.0
    language = extra_info["language"]
    got = _word(found[-1], language)
    return 1.0 if got and got in {_word(word, language) for word in ground_truth} else 0.0
