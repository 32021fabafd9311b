"""The counter with one defect, for each check that an edit of its author's files can break.

Each maps a file to what is replaced in it, as ``write_counter`` takes it. Tests play them, and the pages
of docs/checks show them.
"""

from __future__ import annotations

from typing import Any

from tests.conftest import GAME, ORACLE, SPEC

LOOK = "  look:\n    description: Look at the counter.\n"
FILES: dict[str, dict[str, Any]] = {
    "SPE001": {"env": [(LOOK, ""), ('"{observation}"', "Start.")]},
    "SPE002": {"env": (", description: How much to add.", "")},
    "SPE003": {"env": ("Count to the target.", "Count to the target at level {level}.")},
    "SPE004": {"env": ("[target_word]", "[target_wort]")},
    "SPE005": {"tasks": ('"id": "test-0"', '"id": "train-3"')},
    "CON005": {
        "game": (
            "import random\n",
            "import random\ntry:\n    import openenv\nexcept ImportError: ...\n",
        )
    },
    "CON010": {"game": ("import random\n", "import random\n\nimport rich\n")},
    "CON006": {"tasks": ("TASKS = {", "from . import oracle\n\nTASKS = {")},
    "CON007": {"env": ("episode:", "backend: local\nepisode:")},
    "CON009": {
        "game": (
            "import random\n",
            (
                "import random\nfrom pathlib import Path\n\nNOT_SHIPPED = "
                'Path(__file__).with_name("env.yaml").read_text()\n'
            ),
        )
    },
    "EPI001": {"game": ("return self.observe()", "return 1 / 0")},
    "EPI002": {"game": ("            self.done = True\n", "")},
    "EPI005": {"game": ("return self.observe()", 'return ""')},
    "DET001": {"game": ("return self.observe()", "return str(random.random())")},
    "DET002": {"game": ("random.Random(seed)", "random.Random(7)")},
    "DET003": {"env": ("episode:", "seed: {used: false, reason: none}\nepisode:")},
    "REW001": {"game": ("self.reward = 1.0", "self.reward = 1.4")},
    "REW002": {"game": ("self.reward = 1.0", "self.reward = 0.8")},
    "REW018": {
        "game": [
            ("self.reward = 1.0", "self.reward = 0.5"),
            ("self.value += amount", "self.value += amount\n        self.reward = 0.5"),
        ],
        "env": ("episode:", "reward: {timing: per_step}\nepisode:"),
    },
    "REW003": {"game": ("self.reward = 1.0", "self.reward = 0.0")},
    "REW004": {
        "game": ("self.reward = 0.0", "self.reward = 0.1"),
        "env": ("episode:", "reward: {timing: per_step}\nepisode:"),
    },
    "REW005": {
        "game": [
            ("if self.value == self.target:", "if self.value:"),
            ("if self.value + amount > self.target:", "if False:"),
        ]
    },
    "REW006": {
        "game": ("        if self.value ==", "        self.reward = 0.5\n        if self.value ==")
    },
    "REW007": {
        "game": (
            "            raise Invalid",
            "            self.reward = 0.5\n            raise Invalid",
        )
    },
    "REW026": {
        "env": ("episode:", "reward: {best: by_task}\nepisode:"),
        "oracle": (
            "def solve(",
            "def best(task, seed):\n    return 0.5 + seed / 1000\n\n\ndef solve(",
        ),
    },
    "REW027": {"env": ("episode:", "reward: {best: by_task}\nepisode:")},
    "ISO001": {
        "game": [
            ("class Counter:\n", "class Counter:\n    history = []\n\n"),
            (
                "        self.value += amount",
                "        self.value += amount\n        self.history.append(1)",
            ),
            ("{note}", "{note} {len(self.history)}"),
        ]
    },
    "ISO002": {"game": ("The counter is at {self.value}; the", "Hint: {self.word}. The")},
    "ISO003": {"game": ("{note}", "{note} {self.word}")},
    "ISO004": {"env": ("Add to the counter.", "Add to the counter, e.g. for WORD3word.")},
}
"""Found as the policies play."""
CLASS: dict[str, tuple[str, str]] = {
    "CON001": ("def look(", "def peek("),
    "CON002": ('note=""', 'remark=""'),
    "CON003": ("class InvalidAction(", "class Oops("),
    "CON004": ("def observe(", "def watch("),
}
"""Found as the domain class is looked at."""
GUESS = {
    "env": [
        (
            SPEC[SPEC.index("  add:") : SPEC.index("episode:")],
            (
                "  guess:\n    description: Guess the word.\n"
                "    parameters:\n      word: {type: string, max_length: 10, description: The word.}\n"
            ),
        ),
        ("Count to the target.", "Find the word."),
        ("episode:", "seed: {used: false, reason: the task names the word}\nepisode:"),
    ],
    "game": [
        (
            GAME[GAME.index("    def observe") :],
            (
                "    def observe(self):\n"
                '        return "Guess a word."\n\n'
                "    def guess(self, word):\n"
                '        if self.done:\n            raise InvalidAction("it is over")\n'
                "        word = word.strip()\n"
                "        self.value += 1\n"
                "        if word == self.word:\n"
                "            self.reward = 1.0\n"
                "        self.done = word == self.word or self.value == 4\n"
                "        return f\"{word} is {'right' if self.done else 'wrong'}.\"\n"
            ),
        ),
    ],
    "oracle": (
        ORACLE,
        'def solve(task, seed):\n    return [("guess", {"word": task["target_word"]})]\n',
    ),
}
"""A word is to be guessed, in four tries."""
EXAMPLES = """\
examples:
  - task: train/0
    because: A call that is too much is refused.
    calls:
      - {tool: add, arguments: {amount: 9}, shows: The counter is at 9}
      - {tool: add, arguments: {amount: 9}, refused: true, shows: add at most 8}
"""
PREPARED: dict[str, dict[str, Any]] = {
    **{
        name: {"env": ("episode: {max_turns: 6}\n", "episode: {max_turns: 6}\n" + EXAMPLES)}
        for name in ("EXA002", "EXA007")
    },
    "REW020": GUESS,
    "ISO006": {
        "env": GUESS["env"][:2],
        "game": [
            *GUESS["game"],
            (
                "        self.value += 1\n",
                (
                    '        if not word.startswith("word"):\n            raise InvalidAction("that is no '
                    'word")\n        self.value += 1\n'
                ),
            ),
            ('task["target_word"]', 'f"word{random.Random(seed).randint(100, 999)}"'),
        ],
        "oracle": (
            ORACLE[ORACLE.index("    left") :],
            '    return [("guess", {"word": Counter(task, seed).word})]\n',
        ),
    },
    "WOR007": {"oracle": ("min(9, left)", "min(8, left)")},
}
"""What is changed before some of the next are broken, and is no defect."""
PLAYED: dict[str, dict[str, Any]] = {
    "SPE006": {
        "env": (
            "episode:",
            "exceptions:\n  - {check: REW005, because: Doing nothing earns a little here.}\nepisode:",
        )
    },
    "WOR006": {
        "env": ("episode:", "  peek:\n    description: Look at the counter again.\nepisode:"),
        "game": (
            "    def look(self):",
            "    def peek(self):\n        return self.observe()\n\n    def look(self):",
        ),
    },
    "WOR007": {
        "game": (
            "        if self.value + amount",
            (
                '        if amount > 8:\n            raise InvalidAction("amount must be from 1 to 8")\n'
                "        if self.value + amount"
            ),
        )
    },
    "EXA002": {"env": (EXAMPLES, "")},
    "EXA007": {"env": ("{amount: 9}, shows:", "{amount: nine}, shows:")},
    "CON012": {
        "game": (
            "    def look(self):",
            (
                "    asked = 0\n\n    def status(self):\n        self.asked += 1\n"
                '        return "You count." if self.asked < 9 else "You still count."\n\n'
                "    def look(self):"
            ),
        )
    },
    "REW016": {"game": ("self.reward = 1.0", "self.reward = 1.0 + len(note) / 10")},
    "REW020": {"game": ("self.reward = 1.0", "self.reward = 0.2 + self.value / 5")},
    "ISO006": {"game": ('"that is no word"', 'f"that is no word such as {self.word}"')},
}
"""Found as what exploits a world is tried, too."""


def with_changes(*several: dict[str, Any]) -> dict[str, list[tuple[str, str]]]:
    """Changes one after the other, as ``write_counter`` takes them."""
    found: dict[str, list[tuple[str, str]]] = {}
    for file, edits in (item for changes in several for item in changes.items()):
        found.setdefault(file, []).extend([edits] if isinstance(edits, tuple) else edits)
    return found
