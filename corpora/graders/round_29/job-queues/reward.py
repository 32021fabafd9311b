"""Single-processor scheduling: finishing times per job, for three queue disciplines."""
import json
import re
from collections import deque

FENCE = re.compile(r"```json[ \t]*\n(.*?)```", re.S | re.I)
_RUNS = {}


def non_preemptive(jobs, rank):
    clock, finish, waiting = 0, {}, list(jobs)
    while waiting:
        ready = [j for j in waiting if j["arrival"] <= clock]
        if not ready:
            clock = min(j["arrival"] for j in waiting)
            continue
        job = min(ready, key=rank)
        clock += job["burst"]
        finish[job["name"]] = clock
        waiting.remove(job)
    return finish


def round_robin(jobs, quantum):
    """Jobs that arrive during a slice queue up ahead of the job whose slice has just ended."""
    coming = deque(sorted(jobs, key=lambda j: (j["arrival"], j["name"])))
    left = {j["name"]: j["burst"] for j in jobs}
    clock, queue, finish = 0, deque(), {}
    while coming or queue:
        if not queue:
            clock = max(clock, coming[0]["arrival"])
        while coming and coming[0]["arrival"] <= clock:
            queue.append(coming.popleft()["name"])
        name = queue.popleft()
        ran = min(quantum, left[name])
        clock += ran
        left[name] -= ran
        while coming and coming[0]["arrival"] <= clock:
            queue.append(coming.popleft()["name"])
        if left[name]:
            queue.append(name)
        else:
            finish[name] = clock
    return finish


def simulate(policy, jobs, quantum):
    if policy == "FCFS":
        return non_preemptive(jobs, lambda j: (j["arrival"], j["name"]))
    if policy == "SJF":
        return non_preemptive(jobs, lambda j: (j["burst"], j["arrival"], j["name"]))
    return round_robin(jobs, quantum)


def finishing_times(policy, jobs, quantum):
    key = (policy, tuple((j["name"], j["arrival"], j["burst"]) for j in jobs))
    if key not in _RUNS:
        _RUNS[key] = simulate(policy, jobs, quantum)
    return _RUNS[key]


def parse(completion):
    """{job: finishing time} from the last fenced JSON object, or None."""
    blocks = FENCE.findall(completion)
    if not blocks:
        return None
    try:
        data = json.loads(blocks[-1])
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict):
        return None
    out = {}
    for name, value in data.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return None
        if value != value or abs(value) == float("inf"):
            return None
        out[name.strip()] = value
    return out


def reward(completion, policy, jobs, quantum=None, **row):
    got = parse(completion)
    if got is None:
        return 0.0
    want = finishing_times(policy, jobs, quantum)
    if got == want:
        return 1.0
    if set(got) != set(want) or len(set(got.values())) != len(got):
        return 0.0
    same_order = sorted(got, key=got.get) == sorted(want, key=want.get)
    return 0.3 if same_order else 0.0
