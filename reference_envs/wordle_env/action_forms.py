"""How a model writes each tool call in its text.

Rendered from env.yaml; `skill-tools render` overwrites it. `text_actions.py` reads it again.
"""

INSTRUCTIONS = (
    "Here you call a tool by writing its tag into your message:\n"
    "\n"
    "<guess>WORD</guess>\n"
    "    Guess the secret word. Returns green, yellow or gray for each letter and the guesses left.\n"
    "    WORD (text, 5 characters): A five-letter English word.\n"
    "\n"
    "<end_episode/>\n"
    "    Stops the episode. Write it only when there is nothing left to do.\n"
    "\n"
    "- Every tag is one turn; there are 12 at most.\n"
    "- Several tags in one message are played in the order written.\n"
    "- A broken tag, or a message without any, plays nothing and costs a turn.\n"
    "- Nothing between <think> and </think> is played.\n"
    '- <tool_call>{"name": "guess", "arguments": {"word": "WORD"}}</tool_call>, with the arguments as JSON, is understood as well.\n'
    "- Text between an opening and a closing tag is taken as it stands, unescaped."
)
"""What the prompt ends with."""
TAGS = {"guess": "guess"}
"""The tag that calls each tool."""
ENCLOSED = {"guess": "word"}
"""The parameter that stands between a tool's tags; the others are attributes."""
FORMS = {
    "guess": "<guess>WORD</guess>",
    "end_episode": "<end_episode/>",
    "tool_call": '<tool_call>{"name": TOOL, "arguments": {...}}</tool_call>',
}
"""What to write for each tag."""
