"""Grader for vector problems: components within a tolerance, in a \\boxed answer."""
import re

TOLERANCE = 0.01
FRACTION = re.compile(r"\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}")
SPACING = re.compile(r"\\(?:left|right|,|;|!|quad|langle|rangle)(?![a-zA-Z])")
BRACKETS = {"(": ")", "[": "]"}


def last_boxed(text):
    """Content of the last \\boxed{...} with balanced braces, or None."""
    start = text.rfind(r"\boxed{")
    if start < 0:
        return None
    start += len(r"\boxed{")
    depth = 1
    for i in range(start, len(text)):
        if text[i] == "{":
            depth += 1
        elif text[i] == "}":
            depth -= 1
            if depth == 0:
                return text[start:i]
    return None


def to_number(token):
    """Decimal number or fraction of two decimal numbers."""
    token = token.strip().replace("−", "-")
    top, slash, bottom = token.partition("/")
    value = float(top)
    return value / float(bottom) if slash else value


def parse_vector(text):
    """List of components; ValueError when the text is no vector."""
    text = SPACING.sub("", text)
    text = FRACTION.sub(r"\1/\2", text).strip()
    if len(text) < 2 or BRACKETS.get(text[0]) != text[-1]:
        raise ValueError("brackets")
    return [to_number(token) for token in text[1:-1].split(",")]


def largest_error(got, want):
    return max(abs(g - w) for g, w in zip(got, want))


def reward(completion, target, **row) -> float:
    content = last_boxed(completion)
    if content is None:
        return 0.0
    try:
        components = parse_vector(content)
    except (ValueError, ZeroDivisionError):
        return 0.0
    if len(components) != len(target):
        return 0.0
    if largest_error(components, target) > TOLERANCE + 1e-9:
        return 0.0
    return 1.0
