"""Reward for turning a short text into a Markdown table."""


def _split(line):
    return [c.strip() for c in line[1:-1].split("|")]


def parse_table(reply):
    lines = [l.strip() for l in reply.strip().splitlines() if l.strip()]
    if len(lines) > 2 and lines[0] in ("```", "```markdown", "```md") and lines[-1] == "```":
        lines = lines[1:-1]
    if len(lines) < 3:
        return None
    if not all(len(l) > 1 and l.startswith("|") and l.endswith("|") for l in lines):
        return None

    header = _split(lines[0])
    # second line: |---|---|
    rule = _split(lines[1])
    if len(rule) != len(header) or not all(c and set(c) == {"-"} for c in rule):
        return None
    return header, [_split(l) for l in lines[2:]]


def table_reward(reply, row):
    table = parse_table(reply)
    if table is None:
        return 0.0
    header, body = table
    if [h.lower() for h in header] != [h.lower() for h in row["columns"]]:
        return 0.0
    if any(len(r) != len(header) for r in body):
        return 0.0
    want = [[str(c) for c in r] for r in row["rows"]]
    if not row["ordered"]:
        body, want = sorted(body), sorted(want)
    return 1.0 if body == want else 0.0
