"""Pick projects to fund: feasibility first, then value against the known optimum."""
import re
from collections import Counter


def read_selection(completion):
    """Ids on the last FUND line, in order, or None when there is no such line."""
    lines = re.findall(r"^[ \t>*]*FUND[ \t*]*:(.*)$", completion, re.M | re.I)
    if not lines:
        return None
    text = lines[-1].replace("*", "").strip().rstrip(".").strip()
    if text.lower() == "nothing":
        return []
    ids = [part.strip().upper() for part in re.split(r",|;|\band\b", text)]
    return [i for i in ids if i]


def problems_with(chosen, projects, budget, caps, needs, conflicts):
    """Names of the rules that the selection breaks."""
    broken = []
    if len(chosen) != len(set(chosen)):
        broken.append("repeated project")
    if any(pid not in projects for pid in chosen):
        return broken + ["unknown project"]

    picked = set(chosen)
    if sum(projects[pid]["cost"] for pid in picked) > budget:
        broken.append("over budget")

    spent = Counter()
    for pid in picked:
        spent[projects[pid]["area"]] += projects[pid]["cost"]
    limits = {area.strip().lower(): limit for area, limit in caps.items()}
    for area, limit in limits.items():
        if spent[area] > limit:
            broken.append(f"too much for {area}")

    for project, required in needs:
        if project in picked and required not in picked:
            broken.append(f"{project} without {required}")
    for first, second in conflicts:
        if first in picked and second in picked:
            broken.append(f"{first} together with {second}")
    return broken


def reward(completion, projects, budget, caps, needs, conflicts, best, **row):
    chosen = read_selection(completion)
    if chosen is None:
        return 0.0
    by_id = {p["id"]: p for p in projects}
    if problems_with(chosen, by_id, budget, caps, needs, conflicts):
        return 0.0
    value = sum(by_id[pid]["value"] for pid in chosen)
    if value >= best:
        return 1.0
    return round(0.5 * value / best, 4)
