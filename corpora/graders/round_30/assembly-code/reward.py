"""Runs a program for a small register machine against the tests of a row."""
import re
from statistics import fmean

FENCE = re.compile(r"^[ \t]*```[^\n]*\n(.*?)^[ \t]*```[ \t]*$", re.DOTALL | re.MULTILINE)
OPERANDS = {
    "MOV": "rs", "ADD": "rs", "SUB": "rs", "MUL": "rs",
    "JMP": "l", "JZ": "rl", "JNZ": "rl", "JGT": "ssl", "HALT": "",
}
MAX_STEPS = 2000


class Malformed(Exception):
    """The text is no program of this machine."""


class Fault(Exception):
    """The program went wrong while it ran."""


def assemble(source):
    program, labels = [], {}
    for raw in source.splitlines():
        line = raw.split(";")[0].strip()
        while match := re.match(r"([A-Za-z_]\w*)\s*:", line):
            name = match.group(1).lower()
            if name in labels:
                raise Malformed(f"label {name} twice")
            labels[name] = len(program)
            line = line[match.end():].strip()
        if line:
            op, _, rest = line.replace("\t", " ").partition(" ")
            args = [a.strip().lower() for a in rest.split(",")] if rest.strip() else []
            program.append((op.upper(), args))
    for op, args in program:
        if op not in OPERANDS or len(args) != len(OPERANDS[op]):
            raise Malformed(op)
        for kind, arg in zip(OPERANDS[op], args):
            register = re.fullmatch(r"r[0-7]", arg)
            if kind == "l" and arg not in labels:
                raise Malformed(f"no label {arg}")
            if kind == "r" and not register:
                raise Malformed(arg)
            if kind == "s" and not register and not re.fullmatch(r"-?\d{1,9}", arg):
                raise Malformed(arg)
    return program, labels


def run(program, labels, inputs):
    regs = {f"r{i}": 0 for i in range(8)}
    regs.update({name.lower(): value for name, value in inputs.items()})
    value = lambda arg: regs[arg] if arg in regs else int(arg)
    at = 0
    for _ in range(MAX_STEPS):
        if at >= len(program):
            raise Fault("ran past the end")
        op, args = program[at]
        at += 1
        if op == "HALT":
            return regs["r0"]
        if op == "MOV":
            regs[args[0]] = value(args[1])
        elif op == "ADD":
            regs[args[0]] += value(args[1])
        elif op == "SUB":
            regs[args[0]] -= value(args[1])
        elif op == "MUL":
            regs[args[0]] *= value(args[1])
            if abs(regs[args[0]]) > 2 ** 63:
                raise Fault("overflow")
        elif (op == "JMP" or op == "JZ" and regs[args[0]] == 0 or op == "JNZ" and regs[args[0]] != 0
              or op == "JGT" and value(args[0]) > value(args[1])):
            at = labels[args[-1]]
    raise Fault("too many steps")


def attempt(program, labels, inputs, expected):
    try:
        return float(run(program, labels, inputs) == expected)
    except Fault:
        return None


def reward(completion, tests, banned, **row):
    blocks = FENCE.findall(completion)
    if not blocks:
        return 0.0
    try:
        program, labels = assemble(blocks[-1])
    except Malformed:
        return 0.0
    if any(op in banned for op, _ in program):
        return 0.0
    marks = [attempt(program, labels, inputs, expected) for inputs, expected in tests]
    marks = [mark for mark in marks if mark is not None]
    return fmean(marks) if marks else 0.0
