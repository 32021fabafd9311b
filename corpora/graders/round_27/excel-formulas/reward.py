"""Spreadsheet formulas: a small evaluator, run on the sheet of the task and on copies with other numbers."""
import random
import re
from decimal import ROUND_HALF_UP, Decimal
from statistics import fmean as mean

TOKEN = re.compile(r'\s*(?:(\d+\.?\d*|\.\d+)|"([^"]*)"|(\$?[A-Z]\$?\d{1,3}(?!\d))|([A-Z]+)(?=\s*\()|(<=|>=|<>|[-+*/^%(),:<>=]))', re.I)
FORMULA = re.compile(r"^[ \t]*Formula:[ \t]*`?(=[^`\n]+)`?[ \t]*$", re.M | re.I)
COPIES = 3
LEVELS = (("=", "<>", "<", ">", "<=", ">="), ("+", "-"), ("*", "/"), ("^",))
_results = {}


def numbers(args):
    flat = [v for a in args for v in (a if isinstance(a, list) else [a])]
    return [v for v in flat if isinstance(v, (int, float)) and not isinstance(v, bool)]


def operate(op, a, b):
    a, b = (0 if a is None else a), (0 if b is None else b)
    if op in "+-*/^":
        return {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "/": lambda: a / b, "^": lambda: float(a) ** b}[op]()
    if isinstance(a, str) != isinstance(b, str):
        return op == "<>"
    if isinstance(a, str):
        a, b = a.lower(), b.lower()
    return {"=": a == b, "<>": a != b, "<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b}[op]


def matches(value, criterion):
    op, text = re.fullmatch(r"(<=|>=|<>|<|>|=)?(.*)", str(criterion), re.S).groups()
    target = float(text) if re.fullmatch(r"-?\d+(\.\d+)?", text) else text
    return value is not None and operate(op or "=", value, target)


def selected(keys, criterion, values=None):
    return numbers([[v for k, v in zip(keys, values or keys) if matches(k, criterion)]])


def rounded(x, places=0):
    unit = Decimal(1).scaleb(-int(places))
    return float((Decimal(repr(x)) / unit).quantize(Decimal(1), ROUND_HALF_UP) * unit)


FUNCTIONS = {
    "SUM": lambda *a: sum(numbers(a)), "AVERAGE": lambda *a: mean(numbers(a)),
    "MIN": lambda *a: min(numbers(a)), "MAX": lambda *a: max(numbers(a)), "COUNT": lambda *a: len(numbers(a)),
    "COUNTIF": lambda keys, criterion: sum(matches(k, criterion) for k in keys),
    "SUMIF": lambda *a: sum(selected(*a)), "AVERAGEIF": lambda *a: mean(selected(*a)),
    "SUMPRODUCT": lambda x, y: sum(p * q for p, q in zip(x, y)), "ROUND": rounded, "ABS": abs,
}


class Parser:
    """Recursive descent; every rule returns a function of the sheet, so IF stays lazy."""

    def __init__(self, text):
        self.tokens, pos = [], 0
        while text[pos:].strip():
            match = TOKEN.match(text, pos)
            if not match:
                raise ValueError(text[pos:])
            self.tokens.append((match.lastindex, match.group(match.lastindex)))
            pos = match.end()
        self.tokens.append((0, ""))

    def take(self, *texts):
        kind, text = self.tokens[0]
        return self.tokens.pop(0)[1] if kind == 5 and text in texts else None

    def expect(self, text):
        if not self.take(text):
            raise ValueError(f"{text} expected")

    def level(self, n=0):
        if n == len(LEVELS):
            return self.unary()
        left = self.level(n + 1)
        while op := self.take(*LEVELS[n]):
            left = (lambda op, f, g: lambda sheet: operate(op, f(sheet), g(sheet)))(op, left, self.level(n + 1))
        return left

    def unary(self):
        if sign := self.take("-", "+"):
            inner = self.unary()
            return lambda sheet: operate(sign, 0, inner(sheet))
        inner = self.atom()
        while self.take("%"):
            inner = (lambda f: lambda sheet: operate("/", f(sheet), 100))(inner)
        return inner

    def atom(self):
        if self.take("("):
            inner = self.level()
            self.expect(")")
            return inner
        kind, text = self.tokens.pop(0)
        if kind in (1, 2):
            return lambda sheet: float(text) if kind == 1 else text
        if kind == 3:
            first = text.replace("$", "").upper()
            if not self.take(":"):
                return lambda sheet: sheet.get(first)
            last = self.tokens.pop(0)[1].replace("$", "").upper()
            rows, columns = range(int(first[1:]), int(last[1:]) + 1), range(ord(first[0]), ord(last[0]) + 1)
            return lambda sheet: [sheet.get(f"{chr(c)}{r}") for r in rows for c in columns]
        if kind == 4 and self.take("("):
            name, args = text.upper(), [self.level()]
            while self.take(","):
                args.append(self.level())
            self.expect(")")
            if name == "IF":
                return lambda sheet: args[1](sheet) if args[0](sheet) else args[2](sheet)
            return lambda sheet: FUNCTIONS[name](*[f(sheet) for f in args])
        raise ValueError(text)


def evaluate(task_id, formula, sheet):
    """Value of a formula, remembered because all replies of a group share their task; None for an error."""
    key = (task_id, formula)
    if key not in _results:
        try:
            parser = Parser(formula[1:])
            run = parser.level()
            _results[key] = run(sheet) if len(parser.tokens) == 1 else None
        except (ArithmeticError, ValueError, TypeError, LookupError, RecursionError):
            _results[key] = None
    return _results[key]


def versions(task_id, sheet):
    yield sheet
    for k in range(COPIES):
        rng = random.Random(f"{task_id}/{k}")
        yield {c: v if isinstance(v, str) else max(1, v + rng.randint(-15, 25)) for c, v in sheet.items()}


def same(a, b):
    if a is None or isinstance(a, list) or isinstance(a, str) != isinstance(b, str):
        return False
    return a == b if isinstance(a, str) else abs(a - b) <= 1e-6 * max(1.0, abs(b))


def reward(completion, task_id, sheet, reference, **row):
    found = FORMULA.findall(completion.replace("\r", ""))
    if not found:
        return 0.0
    formula = found[-1].strip()
    return float(all(same(evaluate(task_id, formula, s), evaluate(task_id, reference, s)) for s in versions(task_id, sheet)))
