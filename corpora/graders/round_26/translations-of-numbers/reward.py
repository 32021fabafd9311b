"""Numbers (1 to 999999) written out in German, French or Spanish."""
import re
import unicodedata

DE_ONES = ("null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn "
           "fünfzehn sechzehn siebzehn achtzehn neunzehn").split()
DE_TENS = "- - zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split()
FR_ONES = ("zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze "
           "seize dix-sept dix-huit dix-neuf").split()
FR_TENS = "- - vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt".split()
ES_ONES = ("cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince "
           "dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés "
           "veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve").split()
ES_TENS = "- - - treinta cuarenta cincuenta sesenta setenta ochenta noventa".split()
ES_HUNDREDS = ("- ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos "
               "ochocientos novecientos").split()


def german(n, last=True):
    """All accepted spellings; `last` is false in front of 'tausend'."""
    if n >= 1000:
        heads = ["", "ein"] if n < 2000 else german(n // 1000, last=False)
        tails = german(n % 1000) if n % 1000 else [""]
        return [h + "tausend" + t for h in heads for t in tails]
    if n >= 100:
        heads = ["", "ein"] if n < 200 else [DE_ONES[n // 100]]
        tails = german(n % 100, last) if n % 100 else [""]
        return [h + "hundert" + t for h in heads for t in tails]
    if n < 20:
        return ["ein" if n == 1 and not last else DE_ONES[n]]
    unit = {0: "", 1: "einund"}.get(n % 10, DE_ONES[n % 10] + "und")
    return [unit + DE_TENS[n // 10]]


def french(n, last=True):
    if n >= 1000:
        head = "" if n < 2000 else french(n // 1000, last=False)
        return f"{head} mille {french(n % 1000) if n % 1000 else ''}"
    if n >= 100:
        head = "" if n < 200 else FR_ONES[n // 100]
        plural = "s" if n % 100 == 0 and n >= 200 and last else ""
        return f"{head} cent{plural} {french(n % 100, last) if n % 100 else ''}"
    if n < 20:
        return FR_ONES[n]
    if n == 80:
        return "quatre-vingts" if last else "quatre-vingt"
    tens, rest = n // 10, n % 10
    if tens in (7, 9):
        rest += 10
    joint = " et " if rest in (1, 11) and tens < 8 else " "
    return FR_TENS[tens] + (joint + FR_ONES[rest] if rest else "")


def spanish(n, last=True):
    if n >= 1000:
        head = "" if n < 2000 else spanish(n // 1000, last=False)
        return f"{head} mil {spanish(n % 1000) if n % 1000 else ''}"
    if n == 100:
        return "cien"
    if n >= 100:
        return f"{ES_HUNDREDS[n // 100]} {spanish(n % 100, last) if n % 100 else ''}"
    if n < 30:
        text = ES_ONES[n]
    else:
        text = ES_TENS[n // 10] + (f" y {ES_ONES[n % 10]}" if n % 10 else "")
    return text if last else re.sub("uno$", "un", text)


def squeeze(text, language):
    """Case, spaces, hyphens and (as the prompt says) accents do not count."""
    text = unicodedata.normalize("NFC", text).casefold()
    if language == "German":
        text = text.replace("ü", "ue").replace("ö", "oe")
    else:
        text = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    return re.sub(r"[\s\-\u2010\u2011\u00ad]+", "", text)


def reward(completion, number, language, **row):
    text = None
    for line in (completion or "").splitlines():
        head, sep, tail = line.partition(":")
        if sep and head.strip(" *_`>").lower() == "words":
            text = tail.strip(" *_`\"'.")
    if not text:
        return 0.0
    spell = {"German": german, "French": french, "Spanish": spanish}[language]
    right = spell(number)
    right = right if isinstance(right, list) else [right]
    return 1.0 if squeeze(text, language) in {squeeze(r, language) for r in right} else 0.0
