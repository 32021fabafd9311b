"""Series/parallel resistor networks: any network that meets the target is right."""
import re
from fractions import Fraction


class Network:
    """Recursive descent over  expr = par ('+' par)*;  par = atom ('|' atom)*."""

    def __init__(self, text):
        self.tokens = re.findall(r"\d+|[+|()]", text)
        if "".join(self.tokens) != re.sub(r"\s+", "", text) or re.search(r"\d\s+\d", text):
            raise ValueError("unexpected character")
        self.used = []
        self.resistance = self.expr()
        if self.tokens:
            raise ValueError("trailing " + self.tokens[0])

    def peek(self):
        return self.tokens[0] if self.tokens else ""

    def expr(self):
        value = self.par()
        while self.peek() == "+":
            self.tokens.pop(0)
            value += self.par()
        return value

    def par(self):
        value = self.atom()
        while self.peek() == "|":
            self.tokens.pop(0)
            other = self.atom()
            value = value * other / (value + other)
        return value

    def atom(self):
        token = self.peek()
        if token == "(":
            self.tokens.pop(0)
            value = self.expr()
            if self.peek() != ")":
                raise ValueError("unbalanced parenthesis")
            self.tokens.pop(0)
            return value
        if not token.isdigit() or int(token) == 0:
            raise ValueError("resistor expected")
        self.tokens.pop(0)
        self.used.append(int(token))
        return Fraction(int(token))


def reward(completion, stock, target, max_parts, percent, **_):
    found = re.findall(r"<network>(.*?)</network>", completion, flags=re.S)
    if len(found) != 1 or len(found[0]) > 200:
        return 0.0
    try:
        network = Network(found[0].strip())
    except ValueError:
        return 0.0
    if len(network.used) > max_parts or not set(network.used) <= set(stock):
        return 0.0
    error = abs(network.resistance - target)
    return 1.0 if error * 100 <= Fraction(str(percent)) * target else 0.0
