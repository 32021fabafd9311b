# Rendered from env.yaml; `skill-tools render` overwrites it.
"""What env.yaml declares, as data: every variant reads it here."""

from typing import Any

NAME = "counter"
TITLE = "Counter"
DESCRIPTION = "The agent counts to a number."
VERSION = "0.1.0"
DOMAIN = "world:Counter"
TASKS = "world:TASKS"
SYSTEM_PROMPT = "Count to the target."
USER_PROMPT = "{observation}"
HISTORY: str | None = None
REWARD_RANGE = [0.0, 1.0]
BEST_DIFFERS = False  # by task: who knows it says it with --bests
MAX_TURNS = 10
MAX_REFUSALS: int | None = None
HIDDEN_FIELDS = ["word"]
BLOCKING = True
BACKEND = "local"
SANDBOX_PROTOCOL = 1  # of rl-env-sandbox, which serves older ones as well
DISPLAY: dict[str, Any] = {"size": (1024, 768), "format": "png", "quality": 80, "unchanged": "note"}
SECRETS: list[str] = []
METRICS: dict[str, str] = {}
MODELS: dict[str, dict[str, Any]] = {}
REFUSALS: dict[str, dict[str, str]] = {
    "add": {"amount": "amount must be a whole number, 1 to 9, was {}"}
}
# Models and trainers see these; some model server refuses UNSHOWN, which `Episode` enforces as well.
TOOLS: list[dict[str, Any]] = [
    {
        "name": "add",
        "description": "Add to the counter.",
        "parameters": {
            "type": "object",
            "properties": {
                "amount": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 9,
                    "description": "How much to add.",
                }
            },
            "required": ["amount"],
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
    '<add amount="AMOUNT"/>\n'
    "    Add to the counter.\n"
    "    AMOUNT (integer, 1 to 9): How much to add.\n\n"
    "<end_episode/>\n"
    "    Stops the episode. Write it only when there is nothing left to do.\n\n"
    "- Every tag is one turn; there are 10 at most.\n"
    "- Several tags in one message are played in the order written.\n"
    "- A broken tag, or a message without any, plays nothing and costs a turn.\n"
    "- Nothing between <think> and </think> is played.\n"
    '- <tool_call>{"name": "add", "arguments": {"amount": AMOUNT}}</tool_call>, with the arguments as JSON, is understood as well.'
)
TAGS: dict[str, str] = {"add": "add"}
ENCLOSED: dict[str, str] = {}
PARTS: dict[str, dict[str, list[str]]] = {}
FORMS = {
    "add": '<add amount="AMOUNT"/>',
    "end_episode": "<end_episode/>",
    "tool_call": '<tool_call>{"name": TOOL, "arguments": {...}}</tool_call>',
}
