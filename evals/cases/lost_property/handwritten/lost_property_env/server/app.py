"""A lost property desk for OpenEnv, written by hand."""

from typing import Any, Literal

from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.mcp_types import CallToolObservation, ListToolsObservation, Tool
from openenv.core.env_server.types import Action, Observation, State

KINDS = ["umbrella", "bag", "scarf", "hat"]
COLOURS = ["red", "blue", "green", "black"]
PLACES = ["bus", "park", "school", "station"]
SIZES = {"train": 12, "test": 4}
PARAMETERS = {
    "search": {"kind": {"type": "string", "enum": KINDS}},
    "hand_over": {"number": {"type": "integer", "minimum": 10, "maximum": 99}},
}


class DeskAction(Action):
    type: Literal["message", "call_tool", "list_tools"] = "message"
    text: str = ""
    tool_name: str = ""
    arguments: dict[str, Any] = {}


class DeskEnvironment(Environment):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def reset(self, seed=None, episode_id=None, split="train", index=0, **kwargs):
        n = index + (SIZES["train"] if split == "test" else 0)
        # One thing of each kind and place; which colour it has turns with the owner.
        self.store = {
            10 + 5 * (4 * k + p) + n % 5: (COLOURS[(k * p + n) % 4], kind, place)
            for k, kind in enumerate(KINDS)
            for p, place in enumerate(PLACES)
        }
        numbers = list(self.store)
        colour, kind, place = self.store[numbers[(7 * n) % 16]]
        if n % 3 == 1:  # never in this place in that colour
            colour = COLOURS[(COLOURS.index(colour) + 1) % 4]
        self.lost, self.turns, self.over = (colour, kind, place), 0, False
        text = f"Find out the colour and the place. Say not here if there is none.\nOWNER: I lost my {kind}."
        return Observation(done=False, reward=0.0, metadata={"prompt": text})

    def step(self, action, timeout_s=None, **kwargs):
        if action.type == "list_tools":
            return ListToolsObservation(tools=[self.tool(name) for name in PARAMETERS])
        if self.over:
            return self.told("It is over.")
        self.turns += 1
        self.over = self.turns == 8
        if action.type == "message":
            return self.heard(action.text.lower())
        if action.tool_name == "search":
            kind = action.arguments.get("kind")
            found = [
                f"THING {number}: {thing[0]} {kind}, {thing[2]}"
                for number, thing in self.store.items()
                if thing[1] == kind
            ]
            return self.told("\n".join(found) or "THING: none")
        number = action.arguments.get("number")
        if action.tool_name != "hand_over" or number not in self.store:
            return self.told("You cannot do that.")
        return self.judged(self.store[number] == self.lost)

    def heard(self, words):
        if "not here" in words:
            return self.judged(self.lost not in self.store.values())
        if "colour" in words:
            return self.told(f"COLOUR: {self.lost[0]}")
        if "place" in words:
            return self.told(f"PLACE: {self.lost[2]}")
        return self.told("OWNER: Pardon?")

    def judged(self, right):
        self.over = True
        return self.told("VERDICT: right" if right else "VERDICT: wrong", float(right))

    def tool(self, name):
        fields = PARAMETERS[name]
        schema = {"type": "object", "properties": fields, "required": list(fields)}
        return Tool(name=name, description=name, input_schema=schema)

    def told(self, text, reward=0.0):
        result = {"content": [{"type": "text", "text": text}], "data": text}
        return CallToolObservation(tool_name="", result=result, done=self.over, reward=reward)

    @property
    def state(self):
        return State()


app = create_app(
    DeskEnvironment, DeskAction, CallToolObservation, env_name="lost_property", max_concurrent_envs=64
)
