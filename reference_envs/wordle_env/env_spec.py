"""What env.yaml declares, as every variant shows it.

Rendered from env.yaml; `skill-tools render` overwrites it.
"""

from typing import Any

NAME = "wordle"
TITLE = "Wordle"
SYSTEM_PROMPT = (
    "You are playing Wordle. Find the secret five-letter English word in at most six guesses.\n"
    "Make every guess by calling the `guess` tool. After each one you are told about its letters, from left to right:\n"
    "- green: the letter is in the word, at this place.\n"
    "- yellow: the letter is in the word, at another place.\n"
    "- gray: the letter is not in the word, or not more often than the green and yellow ones of this guess say.\n"
    "A guess that is not an English word on the game's list is refused and costs none of the six, but do not waste turns on it.\n"
    "The secret is a common word, never a name and seldom a plural or a past tense.\n"
)
USER_PROMPT = "{observation}\nMake your first guess.\n"
MAX_TURNS = 12
REWARD_RANGE = (0.0, 1.0)
SECRET_FIELDS = ["answer"]
TOOLS: list[dict[str, Any]] = [
    {
        "name": "guess",
        "description": "Guess the secret word. Returns green, yellow or gray for each letter and the guesses left.",
        "parameters": {
            "type": "object",
            "properties": {
                "word": {
                    "type": "string",
                    "minLength": 5,
                    "maxLength": 5,
                    "description": "A five-letter English word.",
                }
            },
            "required": ["word"],
            "additionalProperties": False,
        },
    }
]
