"""Simulate a netlist written by the model against a truth table."""
import itertools
import re

GATES = {
    "NOT": (1, lambda a: 1 - a),
    "AND": (2, lambda a, b: a & b),
    "OR": (2, lambda a, b: a | b),
    "XOR": (2, lambda a, b: a ^ b),
    "NAND": (2, lambda a, b: 1 - (a & b)),
    "NOR": (2, lambda a, b: 1 - (a | b)),
    "XNOR": (2, lambda a, b: 1 - (a ^ b)),
}
LINE = re.compile(r"([a-z][a-z0-9_]*)\s*=\s*([A-Za-z]+)\s*\(([^()]*)\)\s*;?", re.ASCII)


class NetlistError(ValueError):
    pass


def last_block(completion):
    blocks = re.findall(r"^[ \t]*```[^\n]*\n(.*?)^[ \t]*```", completion, re.S | re.M)
    if not blocks:
        raise NetlistError("no code block")
    return blocks[-1]


def parse_netlist(text, inputs, allowed):
    """List of (wire, gate, operands), every operand an input or an earlier wire."""
    known, netlist = set(inputs), []
    for raw in text.splitlines():
        line = raw.split("#", 1)[0].strip()
        if not line:
            continue
        match = LINE.fullmatch(line)
        if match is None:
            raise NetlistError(f"unreadable line {raw!r}")
        wire, gate = match.group(1), match.group(2).upper()
        operands = [o.strip() for o in match.group(3).split(",")]
        if gate not in allowed:
            raise NetlistError(f"gate {gate} may not be used")
        if len(operands) != GATES[gate][0]:
            raise NetlistError(f"wrong number of operands in {raw!r}")
        if wire in known:
            raise NetlistError(f"{wire} is driven twice")
        if any(o not in known for o in operands):
            raise NetlistError(f"undefined operand in {raw!r}")
        known.add(wire)
        netlist.append((wire, gate, operands))
    if "out" not in known:
        raise NetlistError("no wire called out")
    return netlist


def simulate(netlist, values):
    wires = dict(values)
    for wire, gate, operands in netlist:
        wires[wire] = GATES[gate][1](*(wires[o] for o in operands))
    return wires["out"]


def matches_table(netlist, inputs, ones):
    """True when out is 1 for exactly the input patterns listed in ones."""
    wanted = set(ones)
    for bits in itertools.product((0, 1), repeat=len(inputs)):
        pattern = "".join(map(str, bits))
        if simulate(netlist, zip(inputs, bits)) != (pattern in wanted):
            return False
    return True


def reward(completion, inputs, ones, allowed, max_gates, **row):
    try:
        netlist = parse_netlist(last_block(completion), inputs, allowed)
    except NetlistError:
        return 0.0
    if not matches_table(netlist, inputs, ones):
        return 0.0
    return 1.0 if len(netlist) <= max_gates else 0.5
