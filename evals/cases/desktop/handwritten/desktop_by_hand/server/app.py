"""A desktop for OpenEnv, written by hand. The task is to add a line to a file in an editor."""

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

from .desk import SIZE, Desk

TASKS = {
    "train": [
        ("todo.txt", "Buy bread.\nWrite to Ada.\n", "Call the plumber on Monday."),
        ("list.txt", "Apples\nPlums\n", "Pears"),
    ],
    "test": [
        ("names.txt", "Ada\nGrace\n", "Edsger"),
        ("towns.txt", "Tartu\nJena\n", "Porto"),
    ],
}
PLACE = {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}
TEXT = {"type": "string"}
TOOLS = {
    "screenshot": {},
    "left_click": {"coordinate": PLACE},
    "type": {"text": TEXT},
    "key": {"text": TEXT},
    "terminate": {"status": {"type": "string", "enum": ["success", "failure"]}},
}


class DesktopEnvironment(Environment):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self):
        super().__init__()
        self.desk = None

    def reset(self, seed=None, episode_id=None, split="train", index=0, **kwargs):
        self.close()
        name, text, line = TASKS[split][index % 2]
        self.desk, self.wanted, self.over = Desk(name, text), text + line, False
        asked = f'{name} is open. Add the line "{line}" at its end, and save it.'
        return Observation(done=False, reward=0.0, metadata={"prompt": asked})

    def step(self, action, timeout_s=None, **kwargs):
        if isinstance(action, ListToolsAction):
            return ListToolsObservation(tools=[self.tool(name) for name in TOOLS])
        if self.over:
            return self.told("It is over.")
        return getattr(self, f"do_{action.tool_name}")(**action.arguments)

    def do_screenshot(self):
        return self.shown()

    def do_left_click(self, coordinate):
        x, y = coordinate
        if not (0 <= x < SIZE[0] and 0 <= y < SIZE[1]):
            return self.told("That is not on the screen.")
        self.desk.click(x, y)
        return self.shown()

    def do_type(self, text):
        self.desk.write(text)
        return self.shown()

    def do_key(self, text):
        return self.shown() if self.desk.chord(text) else self.told("There is no such key.")

    def do_terminate(self, status):
        self.desk.idle()
        self.over = True
        right = self.desk.file.read_text().strip() == self.wanted.strip()
        return self.told("It is over.", float(right))

    def tool(self, name):
        schema = {"type": "object", "properties": TOOLS[name], "required": list(TOOLS[name])}
        return Tool(name=name, description=name.replace("_", " "), input_schema=schema)

    def shown(self):
        image = {"type": "image", "data": self.desk.picture(), "mimeType": "image/png"}
        return self.answer([image], 0.0)

    def told(self, text, reward=0.0):
        return self.answer([{"type": "text", "text": text}], reward)

    def answer(self, blocks, reward):
        result = {"content": blocks, "data": None}
        return CallToolObservation(tool_name="", result=result, done=self.over, reward=reward)

    def close(self):
        if self.desk:
            self.desk.close()
            self.desk = None

    @property
    def state(self):
        return State()


app = create_app(
    DesktopEnvironment,
    CallToolAction,
    CallToolObservation,
    env_name="desktop",
    max_concurrent_envs=9,
)
