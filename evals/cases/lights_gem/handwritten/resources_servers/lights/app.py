"""Nine lights for NeMo Gym, written by hand to match lights.py for GEM."""

import json
from typing import ClassVar

from fastapi import HTTPException
from resources_servers.gymnasium import GymnasiumServer

BOARDS = {
    "train": "5 19 37 258 1379 46 159 2468 78 12369".split(),
    "test": "28 357 1489 26".split(),
}
# The lights that each of the nine switches, as bits from the top left.
MASKS = [0b000001011, 0b000010111, 0b000100110, 0b001011001, 0b010111010, 0b100110100]
MASKS += [0b011001000, 0b111010000, 0b110100000]
NUMBER = {"type": "integer", "minimum": 1, "maximum": 3}
PRESS = {
    "type": "function",
    "name": "press",
    "description": "Press a light.",
    "strict": False,
    "parameters": {
        "type": "object",
        "properties": {"row": NUMBER, "column": NUMBER},
        "required": ["row", "column"],
    },
}


class Board:
    def __init__(self, numbers):
        self.lights, self.left = 0, 9
        for number in numbers:
            self.lights ^= MASKS[int(number) - 1]

    def over(self):
        return not self.lights or not self.left

    def line(self):
        marks = "".join("#" if self.lights >> place & 1 else "." for place in range(9))
        return f"LIGHTS: {marks[:3]}/{marks[3:6]}/{marks[6:]}"

    def press(self, row=0, column=0):
        if row not in (1, 2, 3) or column not in (1, 2, 3):
            return "There is no such light.", 0.0
        self.lights ^= MASKS[row * 3 + column - 4]
        self.left -= 1
        return self.line(), 0.0 if self.lights else 1.0


class LightsServer(GymnasiumServer):
    ray_enabled: ClassVar[bool] = False

    async def reset(self, metadata, session_id=None):
        board = Board(BOARDS[metadata.get("split", "train")][metadata.get("index", 0)])
        self.session_state[session_id] = board
        text = f"Turn all nine lights off in nine presses.\n{board.line()}"
        return text, {"tools": [PRESS]}

    async def step(self, action, metadata, session_id=None):
        board = self.session_state.get(session_id)
        if board is None:
            raise HTTPException(409, "reset first")
        calls = [item for item in action.output if item.type == "function_call"]
        reward, outputs = 0.0, []
        for call in calls:
            text = "It is over."
            if not board.over():
                text, paid = board.press(**json.loads(call.arguments))
                reward += paid
            outputs.append(self.tool_output(call, text))
        over = board.over() or not calls
        return None, reward, over, False, {"tool_outputs": outputs}


if __name__ == "__main__":
    LightsServer.run_webserver()
