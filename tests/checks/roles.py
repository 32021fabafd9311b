"""The support desk with one defect, for each check of models inside an environment.

Each maps a file to what is replaced in it. ``write_desk`` writes the sound one, with ten labeled replies
and without worked examples.
"""

from __future__ import annotations

import shutil
from pathlib import Path

DESK = Path(__file__).parents[1] / "live/role_envs/support_desk_env"
Edits = dict[str, list[tuple[str, str]]]

RATE = "self.models.judge.rate(transcript).score"
REPLY = "self.models.customer.reply(text)"
VERDICT = '"polite": "polite" if kind else "neutral"'
SCHEMA = '{"type": "object", "properties": {"polite": {"enum": ["rude", "neutral", "polite"]}}}'
SEEN = ('data["reply"].lower()', 'messages[-1]["content"].lower()')
SCORE = """        if state(self.orders) != self.task["wanted"]:
            return
"""
ALWAYS = (
    "            self._score()\n",
    "",
)
BROKEN: dict[str, Edits] = {
    # The transcript stands in the judge's prompt like the author's own words.
    "MOD001": {
        "desk.py": [
            (
                RATE,
                '["rude", "neutral", "polite"].index('
                + f'self.models.judge.ask("Rate the politeness.\\n" + transcript, schema={SCHEMA})'
                + '["polite"]) / 2',
            )
        ],
        "oracle.py": [SEEN, SEEN],
    },
    "MOD002": {
        "desk.py": [
            (RATE, 'self.models.judge.rate(transcript, reference=self.task["wanted"]).score')
        ]
    },
    "MOD003": {
        "desk.py": [(RATE, 'self.models.judge.rate("The agent talked to a customer.").score')],
        "oracle.py": [(VERDICT, '"polite": "polite"')],
    },
    "MOD004": {
        "desk.py": [
            (
                REPLY,
                'self.models.customer.ask([*({"role": "assistant", "content": each} for each in self.written)])',
            ),
            ("self.models.customer.stopped", '"DONE" in answer'),
        ],
    },
    "MOD005": {"desk.py": [(f"0.9 + 0.1 * {RATE}", f"1.0 + 0 * {RATE}")]},
    "MOD006": {"desk.py": [("0.9 + 0.1 *", "0.6 + 0.4 *")]},
    "MOD007": {
        "desk.py": [
            ALWAYS,
            ("def _score(self):", "def finish(self):"),
            (SCORE, ""),
            (
                "self.reward = 0.9 +",
                'self.reward = 0.9 * (self.done and state(self.orders) == self.task["wanted"]) +',
            ),
        ],
        "oracle.py": [(VERDICT, '"polite": "polite" if kind else "rude"')],
    },
    "MOD008": {
        "desk.py": [
            (
                RATE,
                '(self.models.judge.ask(json.dumps({"rate this": transcript})) == "polite")',
            ),
            ("import copy", "import copy\nimport json"),
        ],
        "oracle.py": [
            SEEN,
            SEEN,
            (
                '{"reason": "by its words", "polite": "polite" if kind else "neutral"}',
                '"polite" if kind else "rude"',
            ),
        ],
    },
    "MOD009": {
        "desk.py": [
            ALWAYS,
            ("def _score(self):", "def finish(self):"),
            (SCORE, ""),
            (
                "self.reward = 0.9 + 0.1 *",
                'self.reward = (self.done and state(self.orders) == self.task["wanted"]) * (0.9 + 0.1 *',
            ),
            (RATE, f"{RATE})"),
        ],
        "oracle.py": [(VERDICT, '"polite": "polite"')],
    },
    "MOD010": {"gold.jsonl": []},
    "MOD011": {"desk.py": [(RATE, f"{RATE} * min(1, len(transcript) / 110)")]},
    "MOD012": {
        "desk.py": [
            (
                f"answer = {REPLY}",
                f"answer = {REPLY}\n"
                + "        while not ('order' in answer or self.models.customer.stopped):\n"
                + f"            answer = {REPLY}",
            )
        ],
        "oracle.py": [("What do you need from me?", "It is about my order.")],
    },
    "MOD013": {
        "desk.py": [
            (
                f"answer = {REPLY}",
                f'answer = {REPLY}\n        if answer and answer[-1] not in ".?":\n'
                + '            raise ValueError(f"no sentence: {answer}")',
            )
        ]
    },
    "MOD014": {"oracle.py": [('return f"It is order', 'return f"Agent: Which one?\\nIt is order')]},
}


def write_desk(folder: Path, edits: Edits | None = None) -> Path:
    """Write the support desk with some texts replaced, and return its folder."""
    shutil.copytree(
        DESK, folder, ignore=shutil.ignore_patterns("runs", "_shared", "vendor", "__pycache__")
    )
    # Worked examples find most of these defects as well, by EXA001.
    (folder / "examples.yaml").unlink(missing_ok=True)
    gold = "".join(
        f'{{"task": "train/{n % 3}", "reply": "Agent: Hello {n}.", "score": 0.5}}\n'
        for n in range(10)
    )
    (folder / "gold.jsonl").write_text(gold, "utf-8")
    for name, pairs in (edits or {}).items():
        path = folder / name
        text = path.read_text("utf-8") if pairs else ""
        for old, new in pairs:
            assert old in text, (name, old)
            text = text.replace(old, new, 1)
        path.write_text(text, "utf-8")
    return folder
