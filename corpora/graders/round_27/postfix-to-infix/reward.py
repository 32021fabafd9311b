"""Postfix to infix with as few parentheses as possible. The tree has to stay the same."""
import re

PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}
SPELLINGS = [("**", "^"), ("×", "*"), ("·", "*"), ("÷", "/"), ("−", "-")]
TOKEN = re.compile(r"\s*([0-9]+|[A-Za-z](?![A-Za-z0-9])|[-+*/^()])")
TAG = re.compile(r"<answer>(.*?)</answer>", re.S | re.I)


def tree_of_postfix(text):
    stack = []
    for token in text.split():
        if token in PRECEDENCE:
            right = stack.pop()
            left = stack.pop()
            stack.append((token, left, right))
        else:
            stack.append(token)
    (tree,) = stack
    return tree


def tokenize(text):
    tokens, pos = [], 0
    text = text.strip()
    while pos < len(text):
        match = TOKEN.match(text, pos)
        if not match:
            raise ValueError(f"unexpected text at {pos}")
        tokens.append(match.group(1))
        pos = match.end()
    return tokens


def tree_of_infix(tokens):
    """Precedence climbing; ^ groups to the right, everything else to the left."""
    pos = 0

    def peek():
        return tokens[pos] if pos < len(tokens) else None

    def primary():
        nonlocal pos
        token = peek()
        pos += 1
        if token == "(":
            inner = expression(1)
            if peek() != ")":
                raise ValueError("missing )")
            pos += 1
            return inner
        if token is None or token in PRECEDENCE or token == ")":
            raise ValueError("operand expected")
        return token

    def expression(lowest):
        nonlocal pos
        left = primary()
        while peek() in PRECEDENCE and PRECEDENCE[peek()] >= lowest:
            operator = peek()
            pos += 1
            level = PRECEDENCE[operator]
            right = expression(level if operator == "^" else level + 1)
            left = (operator, left, right)
        return left

    tree = expression(1)
    if pos != len(tokens):
        raise ValueError("text after the expression")
    return tree


def needed_pairs(tree):
    if isinstance(tree, str):
        return 0
    operator, left, right = tree
    level = PRECEDENCE[operator]
    count = needed_pairs(left) + needed_pairs(right)
    if not isinstance(left, str):
        inner = PRECEDENCE[left[0]]
        count += inner < level or (inner == level and operator == "^")
    if not isinstance(right, str):
        inner = PRECEDENCE[right[0]]
        count += inner < level or (inner == level and operator != "^")
    return count


def reward(completion, postfix, **row):
    answers = TAG.findall(completion)
    if not answers:
        return 0.0
    text = answers[-1]
    for spelling, operator in SPELLINGS:
        text = text.replace(spelling, operator)
    try:
        tokens = tokenize(text)
        tree = tree_of_infix(tokens)
    except (ValueError, RecursionError):
        return 0.0
    wanted = tree_of_postfix(postfix)
    if tree != wanted:
        return 0.0
    return 1.0 if tokens.count("(") == needed_pairs(wanted) else 0.5
