"""Reads the source with the standard library's parser."""

import re
from html.parser import HTMLParser

from .world import ShownText


class Reader(HTMLParser):
    """The shown text of one paragraph."""

    def __init__(self, wanted: str) -> None:
        super().__init__(convert_charrefs=True)
        self.wanted, self.inside, self.text = wanted, False, ""

    def handle_starttag(self, tag, attrs) -> None:
        if tag == "p":
            self.inside = dict(attrs)["id"] == self.wanted

    def handle_endtag(self, tag) -> None:
        if tag == "p":
            self.inside = False

    def handle_data(self, data) -> None:
        if self.inside:
            self.text += data


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    source, _, question = ShownText(task, seed).observe().rpartition("\n\n")
    reader = Reader(re.search(r"p[0-9]+(?=\?$)", question)[0])
    reader.feed(source)
    reader.close()
    return [("hand_in", {"text": " ".join(reader.text.split())})]
