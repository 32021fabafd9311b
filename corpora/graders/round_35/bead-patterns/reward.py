"""Small functions about strings of beads: the reply's code is run on hidden cases in a child process."""
import json
import re
import secrets
import subprocess
import sys

BLOCK = re.compile(r"```python[ \t]*\r?\n(.*?)```", re.S)
TIMEOUT = 8

DRIVER = '''
import json, sys
source, name, cases, mark = json.loads(sys.stdin.read())
space = {"__name__": "solution"}
exec(compile(source, "solution.py", "exec"), space)
function = space[name]
results = []
for index, args in enumerate(cases):
    try:
        results.append([index, json.dumps(function(*args))])
    except Exception as error:
        print(f"case {index}: {error!r}", file=sys.stderr)
print()
print(mark + json.dumps(results))
'''


def extract_code(completion):
    blocks = BLOCK.findall(completion)
    return blocks[-1] if blocks else None


def run_cases(source, name, cases):
    """Pairs (index, value as JSON) as the child reports them, or None if it did not get through."""
    mark = secrets.token_hex(12) + ":"
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-c", DRIVER],
            input=json.dumps([source, name, cases, mark]),
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=TIMEOUT,
        )
    except subprocess.TimeoutExpired:
        return None
    for line in reversed(done.stdout.splitlines()):
        if line.startswith(mark):
            try:
                return [(int(i), str(v)) for i, v in json.loads(line[len(mark):])]
            except (ValueError, TypeError):
                return None
    return None


def same(value_json, expected):
    """Equal value and type: 1, 1.0 and true are three different things here."""
    return value_json == json.dumps(expected)


def reward(completion, entry_point, tests, **row) -> float:
    source = extract_code(completion)
    if source is None:
        return 0.0
    results = run_cases(source, entry_point, [args for args, _ in tests])
    if not results:
        return 0.0
    passed = all(same(value, tests[index][1]) for index, value in results)
    return 1.0 if passed else 0.0
