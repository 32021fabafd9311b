"""Wordle for OpenEnv, written by hand, with a small list of words."""

from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.mcp_types import (
    CallToolAction,
    CallToolObservation,
    ListToolsAction,
    ListToolsObservation,
    Tool,
)
from openenv.core.env_server.types import Observation, State

SECRETS = "stone grape blink chart dwelt fudgy piano rusty swamp tiger".split()
WORDS = {*SECRETS, *"crane moist house light plant bread".split()}
SCHEMA = {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}


def coloured(word, secret):
    marks = ["green" if a == b else "gray" for a, b in zip(word, secret)]
    left = [b for a, b in zip(word, secret) if a != b]
    for i, letter in enumerate(word):
        if marks[i] == "gray" and letter in left:
            marks[i] = "yellow"
            left.remove(letter)
    return " ".join(marks)


class WordleEnvironment(Environment):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def reset(self, seed=None, episode_id=None, index=0, **kwargs):
        self.secret, self.left, self.over = SECRETS[index % len(SECRETS)], 6, False
        return Observation(metadata={"prompt": "Find the word: six guesses."}, reward=0.0)

    def step(self, action, timeout_s=None, **kwargs):
        if isinstance(action, ListToolsAction):
            tool = Tool(name="guess", description="Guess a word.", input_schema=SCHEMA)
            return ListToolsObservation(tools=[tool])
        word = action.arguments["word"].lower()
        if self.over or word not in WORDS:
            return self.told("Not a word that counts.", 0.0)
        self.left -= 1
        self.over = word == self.secret or not self.left
        return self.told(coloured(word, self.secret), float(word == self.secret))

    def told(self, text, reward):
        result = {"content": [{"type": "text", "text": text}], "data": text}
        return CallToolObservation(tool_name="guess", result=result, done=self.over, reward=reward)

    @property
    def state(self):
        return State()


app = create_app(
    WordleEnvironment, CallToolAction, CallToolObservation, env_name="wordle", max_concurrent_envs=9
)
