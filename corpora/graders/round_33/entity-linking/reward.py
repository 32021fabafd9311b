"""Entity linking: F1 of (mention, id) pairs."""
import re
import unicodedata

BLOCK = re.compile(r"<links>(.*?)</links>", re.S | re.I)
LINE = re.compile(r"(?:[-*•]\s+|[0-9]+[.)]\s+)?(.+?)\s*(?:=>|->)\s*([A-Za-z][0-9]+)")


def clean(mention):
    text = unicodedata.normalize("NFKC", mention).strip().strip("\"'`*“”‘’").strip()
    return " ".join(text.split()).casefold()


def parse_links(completion):
    """Mapping mention -> id from the last block; None when the block is unusable."""
    blocks = BLOCK.findall(completion)
    if not blocks:
        return None
    links = {}
    for line in blocks[-1].splitlines():
        line = line.strip()
        if not line:
            continue
        found = LINE.fullmatch(line)
        if not found:
            return None
        mention, ident = clean(found.group(1)), found.group(2).upper()
        if links.get(mention, ident) != ident:
            return None
        links[mention] = ident
    return links


def f1(hits, n_predicted, n_relevant):
    if not hits:
        return 0.0
    precision, recall = hits / n_predicted, hits / n_relevant
    return 2 * precision * recall / (precision + recall)


def reward(completion, gold_links, **row):
    links = parse_links(completion)
    if not links:
        return 0.0
    gold = {clean(mention): ident for mention, ident in gold_links.items()}
    found = {m: ident for m, ident in gold.items() if m in links}
    hits = sum(links[m] == ident for m, ident in found.items())
    return round(f1(hits, len(links), len(found)), 4)
