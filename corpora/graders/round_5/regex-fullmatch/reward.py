import json
import re
import subprocess
import sys

# The pattern is tried out in a child process so that catastrophic backtracking
# cannot hang the trainer.
CHECK = r"""
import json, re, sys
job = json.load(sys.stdin)
rx = re.compile(job["pattern"])
ok = all(rx.match(s) for s in job["accept"])
ok = ok and not any(rx.fullmatch(s) for s in job["reject"])
print("PASS" if ok else "FAIL")
"""


def get_pattern(reply):
    reply = reply.rsplit("</think>", 1)[-1]
    found = re.findall(r"<regex>(.*?)</regex>", reply, re.DOTALL)
    if len(found) != 1:
        return None
    return found[0].strip("\r\n")


def regex_reward(reply, row):
    pattern = get_pattern(reply)
    if not pattern or len(pattern) > 400:
        return 0.0
    job = {"pattern": pattern, "accept": row["accept"], "reject": row["reject"]}
    try:
        out = subprocess.run(
            [sys.executable, "-I", "-W", "ignore", "-c", CHECK],
            input=json.dumps(job),
            capture_output=True,
            text=True,
            timeout=4,
        )
    except subprocess.TimeoutExpired:
        return 0.0
    return 1.0 if out.stdout.strip() == "PASS" else 0.0
