"""Compares the boxed amount with the amount due at the till, to the cent."""
import re
from decimal import Decimal, InvalidOperation

AMOUNT = re.compile(r"(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?")


def boxed(text):
    """Content of the last \\boxed{...} with balanced braces, or None."""
    at = text.rfind("\\boxed{")
    if at < 0:
        return None
    depth = 0
    for i in range(at + len("\\boxed"), len(text)):
        if text[i] == "{":
            depth += 1
        elif text[i] == "}":
            depth -= 1
            if depth == 0:
                return text[at + len("\\boxed{"):i]
    return None


def strip_currency(content):
    content = content.strip()
    m = re.fullmatch(r"\\text\{([^{}]*)\}", content)
    if m:
        content = m.group(1).strip()
    content = content.replace("\\$", "$").replace("\\,", "").replace("{,}", ",")
    content = re.sub(r"^(?:USD|US\$|\$)\s*", "", content, flags=re.I)
    content = re.sub(r"\s*(?:USD|dollars?|\\text\{\s*(?:USD|dollars?)\s*\})$", "", content, flags=re.I)
    return content.strip()


def amount(content):
    text = strip_currency(content)
    if not AMOUNT.fullmatch(text):
        return None
    try:
        return Decimal(text.replace(",", ""))
    except InvalidOperation:
        return None


def reward(completion, due, **row):
    content = boxed(completion)
    if content is None:
        return 0.0
    value = amount(content)
    if value is None:
        return 0.0
    return 1.0 if value == Decimal(due) else 0.0
