"""Judge verdicts on propositional arguments, with a checked counterexample."""
import itertools
import re

TOKEN = re.compile(r"\s*(<->|->|[~&|()]|[a-z])")
LEVELS = [["<->"], ["->"], ["|"], ["&"]]
APPLY = {
    "<->": lambda a, b: a == b,
    "->": lambda a, b: (not a) or b,
    "|": lambda a, b: a or b,
    "&": lambda a, b: a and b,
}
TRUTH = {"t": True, "true": True, "1": True, "f": False, "false": False, "0": False}


def tokenize(text):
    tokens, pos = [], 0
    text = text.strip()
    while pos < len(text):
        match = TOKEN.match(text, pos)
        if match is None:
            raise ValueError(f"cannot read formula at {text[pos:]!r}")
        tokens.append(match.group(1))
        pos = match.end()
    return tokens


class Formula:
    """A parsed formula; call it with a dict of letters to get its value."""

    def __init__(self, text):
        self.tokens = tokenize(text)
        self.letters = {t for t in self.tokens if t.isalpha()}
        self.pos = 0
        self.tree = self._binary(0)
        if self.pos != len(self.tokens):
            raise ValueError(f"trailing input in {text!r}")

    def _peek(self):
        return self.tokens[self.pos] if self.pos < len(self.tokens) else None

    def _next(self):
        token = self._peek()
        self.pos += 1
        return token

    def _binary(self, level):
        if level == len(LEVELS):
            return self._unary()
        left = self._binary(level + 1)
        while self._peek() in LEVELS[level]:
            op = self._next()
            left = (op, left, self._binary(level + 1))
        return left

    def _unary(self):
        token = self._next()
        if token == "~":
            return ("~", self._unary())
        if token == "(":
            inner = self._binary(0)
            if self._next() != ")":
                raise ValueError("missing bracket")
            return inner
        if token is None or not token.isalpha():
            raise ValueError(f"unexpected {token!r}")
        return token

    def __call__(self, env, node=None):
        node = self.tree if node is None else node
        if isinstance(node, str):
            return env[node]
        if node[0] == "~":
            return not self(env, node[1])
        return APPLY[node[0]](self(env, node[1]), self(env, node[2]))


def refutes(env, premises, conclusion):
    return all(p(env) for p in premises) and not conclusion(env)


def read_verdict(completion):
    """('VALID', None), ('INVALID', {letter: bool}) or None."""
    found = None
    for line in completion.splitlines():
        match = re.match(r"\s*\**verdict\**\s*:[\s*]*(.*?)[\s.*]*$", line, re.I)
        if match:
            found = match.group(1).strip()
    if found is None:
        return None
    if found.upper() == "VALID":
        return "VALID", None
    match = re.fullmatch(r"INVALID\s*:?\s*\(?\s*([^()]*?)\s*\)?", found, re.I)
    if match is None or not match.group(1):
        return None
    env = {}
    for part in re.split(r"\s*,\s*|\s+", re.sub(r"\s*=\s*", "=", match.group(1))):
        letter, _, value = part.partition("=")
        if letter in env or value.lower() not in TRUTH:
            return None
        env[letter] = TRUTH[value.lower()]
    return "INVALID", env


def reward(completion, premises, conclusion, **row):
    verdict = read_verdict(completion)
    if verdict is None:
        return 0.0
    parsed = [Formula(p) for p in premises]
    goal = Formula(conclusion)
    letters = sorted(goal.letters.union(*(p.letters for p in parsed)))
    kind, env = verdict
    if kind == "INVALID":
        ok = set(env) == set(letters) and refutes(env, parsed, goal)
        return 1.0 if ok else 0.0
    for values in itertools.product([True, False], repeat=len(letters)):
        if refutes(dict(zip(letters, values)), parsed, goal):
            return 0.0
    return 1.0
