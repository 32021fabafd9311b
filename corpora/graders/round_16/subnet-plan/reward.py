"""Address plans: every named segment gets a block of the base network."""
import ipaddress
import re

HEADER = re.compile(r"^[ \t]*Plan:[ \t]*$", re.M | re.I)
ITEM = re.compile(
    r"(?:[-*][ ]+)?(?P<name>[A-Za-z][A-Za-z0-9-]*)[ ]*[:=][ ]*"
    r"(?P<block>[0-9]{1,3}(?:\.[0-9]{1,3}){3}/[0-9]{1,2})"
)


def smallest_prefix(hosts):
    """Longest prefix whose block has `hosts` usable addresses besides network and broadcast."""
    prefix = 30
    while 2 ** (32 - prefix) - 2 < hosts:
        prefix -= 1
    return prefix


def parse_plan(completion):
    """name -> network of the last plan, None when it is malformed."""
    text = completion.replace("\r\n", "\n")
    headers = list(HEADER.finditer(text))
    if not headers:
        return None
    plan = {}
    for line in text[headers[-1].end():].splitlines():
        line = line.strip()
        if not line or line.startswith("```"):
            continue
        match = ITEM.fullmatch(line)
        if match is None:
            return None
        name = match["name"].lower()
        if name in plan:
            return None
        try:
            plan[name] = ipaddress.IPv4Network(match["block"], strict=True)
        except ValueError:
            return None
    return plan


def valid(plan, base, needs):
    """Right names, inside the base network, disjoint and large enough."""
    if plan.keys() != needs.keys():
        return False
    blocks = list(plan.values())
    for i, block in enumerate(blocks):
        if not block.subnet_of(base):
            return False
        if any(block.overlaps(other) for other in blocks[:i]):
            return False
    return all(plan[name].prefixlen <= smallest_prefix(hosts) for name, hosts in needs.items())


def reward(completion, base, needs, **row):
    plan = parse_plan(completion)
    if not plan:
        return 0.0
    needs = {name.lower(): hosts for name, hosts in needs.items()}
    if not valid(plan, ipaddress.IPv4Network(base), needs):
        return 0.0
    tight = all(plan[name].prefixlen == smallest_prefix(hosts) for name, hosts in needs.items())
    return 1.0 if tight else 0.5
