# Rendered from env.yaml; `skill-tools render` overwrites it.
"""What env.yaml declares, as data: every variant reads it here."""

from typing import Any

NAME = "wordle"
TITLE = "Wordle"
DESCRIPTION = "The agent finds a secret five-letter English word in six guesses, told after each which letters fit."
VERSION = "0.1.0"
DOMAIN = "game:Wordle"
TASKS = "tasks:TASKS"
SYSTEM_PROMPT = (
    "You are playing Wordle. Find the secret five-letter English word in at most six guesses.\n"
    "Make every guess by calling the `guess` tool. After each one you are told about its letters, from left to right:\n"
    "- green: the letter is in the word, at this place.\n"
    "- yellow: the letter is in the word, at another place.\n"
    "- gray: the letter is not in the word, or not more often than the green and yellow ones of this guess say.\n"
    "A guess that is not an English word on the game's list is refused and costs none of the six; the sixth refusal ends the game.\n"
    "The secret is a common word, never a name and seldom a plural or a past tense.\n"
)
USER_PROMPT = "{observation}\nMake your first guess.\n"
HISTORY: str | None = None
REWARD_RANGE = [0.0, 1.0]
BEST_DIFFERS = False  # by task: who knows it says it with --bests
MAX_TURNS = 6
MAX_REFUSALS: int | None = 6
HIDDEN_FIELDS = ["answer"]
BLOCKING = False
BACKEND = "none"
SECRETS: list[str] = []
METRICS: dict[str, str] = {}
MODELS: dict[str, dict[str, Any]] = {}
REFUSALS: dict[str, dict[str, str]] = {"guess": {"word": "word must be text, 5 characters, was {}"}}
# Models and trainers see these; some model server refuses UNSHOWN, which `Episode` enforces as well.
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
MESSAGE: dict[str, Any] | None = None  # rules of a message, if it is an action
ONE_MESSAGE = False  # whether an episode is one question, one message and one score
WITH_CALLS = False  # whether `message` grades the calls of a message, which are not played
OFFER: str | None = None  # the task field that lists the tools of a task
METHODS: dict[str, str] = {}  # of tools that are not played by the method of their name
UNSHOWN: dict[str, dict[str, dict[str, Any]]] = {}

# How a model writes each call where actions are text: `text_actions.py` reads it again.
INSTRUCTIONS = (
    "Here you call a tool by writing its tag into your message:\n\n"
    "<guess>WORD</guess>\n"
    "    Guess the secret word. Returns green, yellow or gray for each letter and the guesses left.\n"
    "    WORD (text, 5 characters): A five-letter English word.\n\n"
    "<end_episode/>\n"
    "    Stops the episode. Write it only when there is nothing left to do.\n\n"
    "- Every tag is one turn; there are 6 at most.\n"
    "- Several tags in one message are played in the order written.\n"
    "- A broken tag, or a message without any, plays nothing and costs no turn; 6 such refusals end the episode.\n"
    "- Nothing between <think> and </think> is played.\n"
    '- <tool_call>{"name": "guess", "arguments": {"word": "WORD"}}</tool_call>, with the arguments as JSON, is understood as well.\n'
    "- Text between an opening and a closing tag is taken as it stands, unescaped."
)
TAGS: dict[str, str] = {"guess": "guess"}
ENCLOSED: dict[str, str] = {"guess": "word"}
PARTS: dict[str, dict[str, list[str]]] = {}
FORMS = {
    "guess": "<guess>WORD</guess>",
    "end_episode": "<end_episode/>",
    "tool_call": '<tool_call>{"name": TOOL, "arguments": {...}}</tool_call>',
}
