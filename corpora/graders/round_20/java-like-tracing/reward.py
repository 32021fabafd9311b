"""Trace the output of a short Java-like program. The program of the row is run here."""
import re

MAX_STEPS = 20000


class Int32:
    """A Java int: arithmetic wraps at 32 bits."""

    __slots__ = ("v",)

    def __init__(self, v):
        v = v.v if isinstance(v, Int32) else v
        self.v = (v + 2 ** 31) % 2 ** 32 - 2 ** 31

    def __add__(self, o): return Int32(self.v + Int32(o).v)
    def __sub__(self, o): return Int32(self.v - Int32(o).v)
    def __mul__(self, o): return Int32(self.v * Int32(o).v)

    def __truediv__(self, o):
        d = Int32(o).v
        q = abs(self.v) // abs(d)
        return Int32(q if (self.v < 0) == (d < 0) else -q)

    def __mod__(self, o): return Int32(self.v % Int32(o).v)
    def __neg__(self): return Int32(-self.v)
    def __lt__(self, o): return self.v < Int32(o).v
    def __le__(self, o): return self.v <= Int32(o).v
    def __gt__(self, o): return self.v > Int32(o).v
    def __ge__(self, o): return self.v >= Int32(o).v
    def __eq__(self, o): return self.v == Int32(o).v
    def __ne__(self, o): return self.v != Int32(o).v


def expression(text):
    """Java-like expression -> Python expression over Int32."""
    text = text.replace("&&", " and ").replace("||", " or ")
    return re.sub(r"\b(\d+)\b", r"Int32(\1)", text)


def statement(text):
    text = re.sub(r"^int\s+", "", text.strip())
    if m := re.fullmatch(r"(\w+)(\+\+|--)", text):
        return f"{m[1]} = {m[1]} {m[2][0]} Int32(1)"
    if m := re.fullmatch(r"(\w+)\s*([-+*/%])=\s*(.+)", text):
        return f"{m[1]} = {m[1]} {m[2]} ({expression(m[3])})"
    if m := re.fullmatch(r"print\((.+)\)", text):
        return f"emit({expression(m[1])})"
    if m := re.fullmatch(r"(\w+)\s*=\s*(.+)", text):
        return f"{m[1]} = Int32({expression(m[2])})"
    raise ValueError(f"cannot read statement {text!r}")


def translate(program):
    out, depth, closers = [], 0, []

    def put(line):
        out.append("    " * depth + line)

    for raw in program.splitlines():
        line = raw.strip()
        if not line:
            continue
        if line.startswith("}"):
            if step := closers.pop():
                put(step)
            depth -= 1
            if line == "}":
                continue
            line = line[1:].strip()
        if m := re.fullmatch(r"for \((.+); (.+); (.+)\) \{", line):
            put(statement(m[1]))
            put(f"while {expression(m[2])}:")
            closers.append(statement(m[3]))
        elif m := re.fullmatch(r"(while|if) \((.+)\) \{", line):
            put(f"{m[1]} {expression(m[2])}:")
            closers.append("")
        elif line == "else {":
            put("else:")
            closers.append("")
        else:
            put(statement(line.rstrip(";")))
            continue
        depth += 1
        put("tick()")
    return "\n".join(out)


def run(program):
    printed, steps = [], 0

    def tick():
        nonlocal steps
        steps += 1
        if steps > MAX_STEPS:
            raise RuntimeError("program does not end")

    scope = {"Int32": Int32, "tick": tick, "emit": lambda x: printed.append(str(Int32(x).v))}
    exec(translate(program), scope)
    return printed


def read_output(completion):
    blocks = re.findall(r"```output[ \t\r]*\n(.*?)```", completion, re.DOTALL)
    if not blocks:
        return None
    return [line.strip() for line in blocks[-1].splitlines() if line.strip()]


def reward(completion, program, **row) -> float:
    given = read_output(completion)
    return 1.0 if given is not None and given == run(program) else 0.0
