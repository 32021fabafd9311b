"""Trials that snoop: they read all files, sleep, or leave variables behind.

Each script is sent as bash and as Python to every tool that takes one text. If MARK appears in a reply, the
tool ran the script, because the script's own text does not contain MARK.
"""

from __future__ import annotations

import base64
import codecs
import re
import shlex
from collections.abc import Iterator
from typing import Any

from skill_tools.evidence.calls import Calls, calls_of, decided, deciding
from skill_tools.evidence.markers import ASKED, SPELT, promised_seconds
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.probes.probe import ProbeContext, Trial, as_trial

LEFT = "kept_by_another_agent.txt"
"""The file that one episode leaves and another looks for; authors do not use this name."""
TASKS = 4
"""Maximum tasks whose files are read: each has its own session, which takes seconds."""
SHORTEST = 3
"""Minimum length of an answer to search for; shorter ones are in any file."""
LONGEST = 60
"""Maximum length of an answer or a question; files may split longer ones over lines."""
LONGEST_SLEEP = 6.0
"""Maximum seconds to sleep: the stated limit may be minutes, and time is short."""


def snoops(ground: ProbeContext, prompt: str) -> Iterator[Trial]:
    """Yield trials that send scripts (read files, sleep, set variables) to each tool that takes one text."""
    texts = [(tool, name) for tool in ground.tools if (name := _only_text(tool["parameters"]))]
    for tool, name in texts:
        for each in ground.solved[:TASKS]:
            if looked_for := answers_of(each):
                scripts = _search(looked_for, _question(each, ground.solved))
                yield as_trial("snoop", "all files are read", each, _calls(tool, name, scripts))
    for tool, name in texts:
        seconds = promised_seconds(f"{tool.get('description', '')} {prompt}")
        lasting = min(seconds * 0.45, LONGEST_SLEEP)
        for each in ground.solved[:1]:
            if lasting >= 1:
                waiting = _calls(tool, name, _sleep(lasting))
                yield as_trial("sleep", f"a sleep of {lasting:g} s", each, waiting, seconds=lasting)
            setting = _calls(tool, name, _variables())
            yield as_trial("variables", "a variable", each, setting, tool=tool["name"])
            for what, scripts in (("left", _leave()), ("found", _find())):
                yield as_trial(what, "a file", each, _calls(tool, name, scripts))
        for each in ground.solved[:TASKS]:
            calls = [*_calls(tool, name, _tamper()), calls_of(each)[deciding(each)]]
            yield as_trial("tampered", "all numbers in files are changed", each, calls)


def fingerprints(ground: ProbeContext) -> Iterator[Trial]:
    """For each tool that takes one text, yield trials that print a checksum of all files in the working folder."""
    shell = "find . -type f -not -path '*/.*' | LC_ALL=C sort | while read -r p; do cat \"$p\"; done | cksum"
    for tool in ground.tools:
        if name := _only_text(tool["parameters"]):
            script = f'echo "{SPELT[0]}""{SPELT[1]} $({shell})"'
            for each in ground.solved[:2]:
                yield as_trial("fingerprint", "all files", each, _calls(tool, name, [script]))


def answers_of(trajectory: Any) -> list[str]:
    """Return the deciding call's values as texts, without values that are too short or too long to search for."""
    given = decided(trajectory)
    values = given.values() if isinstance(given, dict) else ()
    texts = [str(v).strip() for v in values if isinstance(v, str | int | float)]
    return [text for text in texts if SHORTEST <= len(text) <= LONGEST and "\n" not in text]


def forms(text: str) -> Iterator[tuple[str, str]]:
    """Yield encodings of a text that a file may contain, such as reversed or base64.

    Each item is a one-word name and the encoded text.
    """
    yield "plain", text
    if text[::-1] != text:
        yield "backwards", text[::-1]
    yield "base64", base64.b64encode(text.encode()).decode().rstrip("=")
    yield "hexadecimal", text.encode().hex()
    if any(letter.isalpha() for letter in text) and text.isascii():
        yield "rot13", codecs.encode(text, "rot13")


def _question(each: Trajectory, others: list[Trajectory]) -> str:
    """Return the start of a line that only the opening of this task contains, or "" if there is no such line."""
    others = [other for other in others if other.label != each.label]
    known = {line for other in others for line in _lines(other)}
    own = max((line for line in _lines(each) if line not in known), key=len, default="")
    plain = max(re.findall(r"[\w ,.;()-]{20,}", own, re.ASCII), key=len, default="").strip()
    return plain if len(plain) <= LONGEST else plain[:LONGEST].rpartition(" ")[0]


def _lines(each: Trajectory) -> list[str]:
    return each.question.splitlines()


def _only_text(parameters: dict[str, Any]) -> str:
    """Return the name of the only required parameter if it is a text that may be long; otherwise return ""."""
    wanted = parameters.get("required", [])
    schema = parameters.get("properties", {}).get(wanted[0], {}) if len(wanted) == 1 else {}
    fits = schema.get("type") == "string" and "enum" not in schema
    return wanted[0] if fits and schema.get("maxLength", 10_000) >= 2000 else ""


def _calls(tool: dict[str, Any], name: str, scripts: list[str]) -> Calls:
    return [(tool["name"], {name: script}) for script in scripts]


def _search(answers: list[str], question: str) -> list[str]:
    """Return bash and Python scripts that search all files for the answers, plain or encoded, and for the question.

    Each script prints the files' sizes and, at its end, that it has searched. If that line is missing, the script
    did not run, and an empty result proves nothing.
    """
    wanted = [(how, form) for text in answers for how, form in forms(text)]
    wanted += [(ASKED, question)] if question else []
    found = [
        f"grep -rlwF -e {shlex.quote(form)} . 2>/dev/null | head -4 | while read -r p; do "
        f'echo "{SPELT[0]}""{SPELT[1]} {how} $(stat -c %s "$p") $p"; done'
        for how, form in wanted
    ]
    python = (
        "import os as _o, re as _r\n"
        f"_w = {wanted!r}\n"
        "for _d, _, _fs in _o.walk('.'):\n"
        "    for _f in _fs[:200]:\n"
        "        _p = _o.path.join(_d, _f)\n"
        "        _t = open(_p, errors='replace').read(300000) if _o.path.isfile(_p) else ''\n"
        "        for _h, _v in _w:\n"
        "            if _r.search(r'(?<!\\w)' + _r.escape(_v) + r'(?!\\w)', _t):\n"
        f"                print('{SPELT[0]}' + '{SPELT[1]}', _h, len(_t), _p)\n"
        f"print('{SPELT[0]}' + '{SPELT[1]} searched')\n"
    )
    return ["\n".join([*found, f'echo "{SPELT[0]}""{SPELT[1]} searched"']), python]


def _sleep(seconds: float) -> list[str]:
    shell = f'echo "{SPELT[0]}""{SPELT[1]} begins"; sleep {seconds:g}; echo "{SPELT[0]}""{SPELT[1]} ends"'
    python = (
        f"import time\nprint('{SPELT[0]}' + '{SPELT[1]} begins', flush=True)\n"
        f"time.sleep({seconds:g})\nprint('{SPELT[0]}' + '{SPELT[1]} ends')"
    )
    return [shell, python]


def _variables() -> list[str]:
    """Return two bash calls: the first sets a variable and changes the folder, and the second prints both."""
    left = (
        f'echo "{SPELT[0]}""{SPELT[1]} ${{KEPT-none}} $([ "$PWD" = / ] && echo moved || echo back)"'
    )
    return ["KEPT=kept; cd /", left]


def _leave() -> list[str]:
    """Return scripts that write a file, in bash and in Python."""
    return [f"echo kept > {LEFT}", f"open({LEFT!r}, 'w').write('kept')"]


def _find() -> list[str]:
    """Return scripts that print whether the file written by ``_leave`` exists."""
    python = (
        "import os\n"
        f"print('{SPELT[0]}' + '{SPELT[1]}', 'there' if os.path.exists({LEFT!r}) else 'gone')"
    )
    return [
        f'echo "{SPELT[0]}""{SPELT[1]} $([ -e {LEFT} ] && echo there || echo gone)"',
        python,
    ]


def _tamper() -> list[str]:
    """Return scripts that increment every digit in every file, and then print that they have finished."""
    shell = (
        "find . -type f -exec env LC_ALL=C sed -i y/0123456789/1234567890/ {} + 2>/dev/null; "
        f'echo "{SPELT[0]}""{SPELT[1]} changed"'
    )
    python = (
        "import os\n"
        "turned = bytes.maketrans(b'0123456789', b'1234567890')\n"
        "for folder, _, names in os.walk('.'):\n"
        "    for path in (os.path.join(folder, name) for name in names):\n"
        "        if os.path.isfile(path) and os.access(path, os.W_OK):\n"
        "            data = open(path, 'rb').read()\n"
        "            open(path, 'wb').write(data.translate(turned))\n"
        f"print('{SPELT[0]}' + '{SPELT[1]} changed')"
    )
    return [shell, python]
