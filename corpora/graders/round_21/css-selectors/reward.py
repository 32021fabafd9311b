"""Runs a CSS selector from a small subset of CSS on a document and compares what it matches."""
import re
from html.parser import HTMLParser

VOID = {"br", "hr", "img", "input"}
SIMPLE = re.compile(
    r"""\.(?P<cls>[A-Za-z][\w-]*)
      | \[\s*(?P<attr>[A-Za-z][\w-]*)\s*
          (?:(?P<op>[~^$*]?=)\s*(?:"(?P<dq>[^"]*)"|'(?P<sq>[^']*)'|(?P<bare>[A-Za-z][\w-]*))\s*)?\]
      | :(?P<edge>first-child|last-child)
      | :nth-child\(\s*(?P<nth>odd|even|[1-9]\d{0,3})\s*\)
    """,
    re.VERBOSE | re.ASCII,
)
TYPE = re.compile(r"\*|[A-Za-z][A-Za-z0-9]*", re.ASCII)
GAP = re.compile(r"\s*")
COMBINATOR = re.compile(r"\s*([>+~])\s*|\s+")


class Node:
    def __init__(self, tag, attrs, parent):
        self.tag, self.attrs, self.parent = tag, attrs, parent
        self.children = []
        if parent is not None:
            parent.children.append(self)

    @property
    def before(self):
        siblings = self.parent.children if self.parent else [self]
        return siblings[: siblings.index(self)]

    @property
    def ancestors(self):
        return [self.parent, *self.parent.ancestors] if self.parent else []


class Tree(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.nodes, self.open = [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        parent = self.open[-1] if self.open else None
        self.nodes.append(Node(tag, {k: v or "" for k, v in attrs}, parent))
        if tag not in VOID:
            self.open.append(self.nodes[-1])

    def handle_endtag(self, tag):
        self.open.pop()


def attribute_test(name, op, wanted):
    def test(node):
        have = node.attrs.get(name)
        if have is None or op is None:
            return have is not None
        if op == "=":
            return have == wanted
        if op == "~=":
            return wanted in have.split()
        return wanted != "" and {"^=": have.startswith, "$=": have.endswith, "*=": have.__contains__}[op](wanted)
    return test


def simple_test(match):
    if match["cls"]:
        return attribute_test("class", "~=", match["cls"])
    if match["attr"]:
        if match["attr"].lower() == "id":
            raise ValueError("ids are not allowed")
        wanted = next((match[g] for g in ("dq", "sq", "bare") if match[g] is not None), None)
        return attribute_test(match["attr"].lower(), match["op"], wanted)
    if match["edge"] == "last-child":
        return lambda node: node.parent is None or node.parent.children[-1] is node
    if match["nth"] in ("odd", "even"):
        return lambda node: len(node.before) % 2 == (match["nth"] == "even")
    return lambda node: len(node.before) + 1 == int(match["nth"] or 1)


def compound(text, pos, nested=False):
    """One compound selector at pos: (list of tests, position behind it)."""
    tests, start = [], pos
    kind = TYPE.match(text, pos)
    if kind:
        pos = kind.end()
        if kind.group() != "*":
            tests.append(lambda node, tag=kind.group().lower(): node.tag == tag)
    while True:
        match = SIMPLE.match(text, pos)
        if match:
            tests.append(simple_test(match))
            pos = match.end()
        elif not nested and text.startswith(":not(", pos):
            inner, pos = compound(text, GAP.match(text, pos + 5).end(), nested=True)
            pos = GAP.match(text, pos).end()
            if text[pos:pos + 1] != ")":
                raise ValueError("unclosed :not")
            pos += 1
            tests.append(lambda node, inner=inner: not all(t(node) for t in inner))
        elif pos == start:
            raise ValueError(f"selector expected at {pos}")
        else:
            return tests, pos


def parse(text):
    tests, pos = compound(text, 0)
    chain = [(None, tests)]
    while pos < len(text):
        if not (link := COMBINATOR.match(text, pos)):
            raise ValueError(f"unexpected text at {pos}")
        tests, pos = compound(text, link.end())
        chain.append((link.group(1) or " ", tests))
    return chain


def matches(node, chain):
    link, tests = chain[-1]
    if not all(test(node) for test in tests):
        return False
    if link is None:
        return True
    if link == ">":
        pool = [node.parent] if node.parent else []
    elif link == "+":
        pool = node.before[-1:]
    elif link == "~":
        pool = node.before
    else:
        pool = node.ancestors
    return any(matches(candidate, chain[:-1]) for candidate in pool)


def reward(completion, html, targets, max_parts, **row) -> float:
    lines = re.findall(r"^[ \t]*Selector:[ \t]*(\S.*?)[ \t]*$", completion, re.MULTILINE)
    if not lines:
        return 0.0
    text = lines[-1]
    if len(text) > 2 and text[0] == text[-1] == "`":
        text = text[1:-1].strip()
    try:
        chain = parse(text)
    except ValueError:
        return 0.0
    if len(chain) > max_parts:
        return 0.0
    found = [node.attrs["id"] for node in Tree(html).nodes if matches(node, chain)]
    return 1.0 if sorted(found) == sorted(targets) else 0.0
