"""Circuit satisfaction: any input vector that drives the output to the wanted value."""
import re

OPS = {
    "AND": lambda v: int(all(v)),
    "OR": lambda v: int(any(v)),
    "NAND": lambda v: int(not all(v)),
    "NOR": lambda v: int(not any(v)),
    "XOR": lambda v: sum(v) % 2,
    "XNOR": lambda v: 1 - sum(v) % 2,
    "NOT": lambda v: 1 - v[0],
}


def parse_inputs(text, names):
    """Assignment on the last `Inputs:` line, or None if it is not complete and clean."""
    lines = [l.strip().strip("*`") for l in text.splitlines()]
    lines = [l for l in lines if l.lower().startswith("inputs:")]
    if not lines:
        return None
    body = lines[-1].split(":", 1)[1].strip(" *`.,")
    values = {}
    for item in re.split(r"[,;\s]+", re.sub(r"\s*=\s*", "=", body)):
        m = re.fullmatch(r"([a-z]\w*)=([01])", item)
        if m is None or m.group(1) in values:
            return None
        values[m.group(1)] = int(m.group(2))
    return values if set(values) == set(names) else None


def simulate(gates, values):
    wires = dict(values)
    for out, op, args in gates:  # gates are listed in topological order
        wires[out] = OPS[op]([wires[a] for a in args])
    return wires


def reward(completion, inputs, gates, output, want, ones=None, **row):
    if not isinstance(completion, str):
        completion = completion[-1]["content"]
    values = parse_inputs(completion, inputs)
    if values is None:
        return 0.0
    if ones is not None and sum(values.values()) != ones:
        return 0.0
    return 1.0 if simulate(gates, values)[output] == want else 0.0
