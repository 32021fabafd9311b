"""Finite-state machines: final state and the lamp signals given on the way."""
import re

STATE = re.compile(r"^[ \t]*State:[ \t]*([A-Za-z]+)[ \t]*$", re.M)
LAMPS = re.compile(r"^[ \t]*Lamps:[ \t]*(.*?)[ \t]*$", re.M)
RULE = re.compile(r"(\w+) --(\w+)--> (\w+) \[(\w+)\]")

_TABLES = {}


def transition_table(machine, rules):
    """(state, event) -> (next state, lamp). Parsed once per machine, machines come up in many rows."""
    if machine not in _TABLES:
        table = {}
        for rule in rules:
            state, event, target, lamp = RULE.fullmatch(rule).groups()
            table[state, event] = (target, lamp)
        _TABLES[machine] = table
    return _TABLES[machine]


def run(table, start, events):
    """Final state and the list of lamps; 'none' is not a signal and leaves no trace."""
    state, lamps = start, []
    for event in events:
        if (state, event) not in table:
            continue
        state, lamp = table[state, event]
        if lamp != "none":
            lamps.append(lamp)
    return state, lamps


def parse_state(completion):
    found = STATE.findall(completion)
    return found[-1].lower() if found else None


def parse_lamps(completion):
    """Lamps of the last Lamps line in order; a lone dash means that none lit up."""
    found = LAMPS.findall(completion)
    if not found:
        return None
    body = found[-1].lower()
    if body == "-":
        return []
    lamps = [part.strip() for part in body.split(",")]
    return lamps if all(re.fullmatch(r"[a-z]+", lamp) for lamp in lamps) else None


def reward(completion, machine, rules, start, events, **row) -> float:
    text = completion.replace("\r\n", "\n")
    state, lamps = run(transition_table(machine, rules), start, events)
    score = 0.0
    if parse_state(text) == state:
        score += 0.5
    if parse_lamps(text) == lamps:
        score += 0.5
    return score
