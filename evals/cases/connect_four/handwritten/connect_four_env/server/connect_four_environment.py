"""Connect four. The agent is 1 and the opponent is 2. Columns are counted from 0."""

import random
from uuid import uuid4

from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.mcp_types import (
    CallToolObservation,
    ListToolsAction,
    ListToolsObservation,
    Tool,
)
from openenv.core.env_server.types import Observation, State

RULES = (
    "Connect four on 7 columns (0 to 6) and 6 rows. You are 1, the opponent is 2, and 0 is free. "
    "Call play_column until the game is over: four of yours in a row win."
)
TOOLS = [
    Tool(
        name="play_column",
        description="Drop a disc into a column.",
        input_schema={
            "type": "object",
            "properties": {"col": {"type": "integer", "minimum": 0, "maximum": 6}},
            "required": ["col"],
        },
    )
]


class ConnectFourEnvironment(Environment):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self):
        super().__init__()
        self.grid = [[0] * 7 for _ in range(6)]
        self.over, self.won = False, 0
        self._state = State(episode_id=str(uuid4()), step_count=0)

    def reset(self, seed=None, episode_id=None, index=0, **kwargs):
        self.grid = [[0] * 7 for _ in range(6)]
        self.over, self.won = False, 0
        self.random = random.Random(index if seed is None else seed)
        self._state = State(episode_id=episode_id or str(uuid4()), step_count=0)
        return Observation(done=False, reward=0.0, metadata={"prompt": f"{RULES}\n{self.show()}"})

    def step(self, action, timeout_s=None, **kwargs):
        if isinstance(action, ListToolsAction):
            return ListToolsObservation(tools=TOOLS)
        self._state.step_count += 1
        if self.over:
            return self.told(action, "The game is over.", 0.0)
        col = action.arguments.get("col")
        if not isinstance(col, int) or not 0 <= col <= 6 or self.grid[0][col]:
            return self.told(action, f"Column {col} is full or not there.\n{self.show()}", 0.0)
        self.drop(col, 1)
        if not self.over:
            self.drop(self.random.choice([c for c in range(7) if not self.grid[0][c]]), 2)
        reward = {1: 1.0, 2: -1.0, 0: 0.0}[self.won] if self.over else 0.0
        return self.told(action, self.show(), reward)

    def drop(self, col, who):
        row = max(r for r in range(6) if not self.grid[r][col])
        self.grid[row][col] = who
        if self.four(row, col, who):
            self.over, self.won = True, who
        elif all(self.grid[0]):
            self.over = True

    def four(self, row, col, who):
        for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
            n = 1
            for sign in (1, -1):
                r, c = row + sign * dr, col + sign * dc
                while 0 <= r < 6 and 0 <= c < 7 and self.grid[r][c] == who:
                    n, r, c = n + 1, r + sign * dr, c + sign * dc
            if n >= 4:
                return True
        return False

    def show(self):
        return "\n".join(" ".join(map(str, row)) for row in self.grid)

    def told(self, action, text, reward):
        result = {"content": [{"type": "text", "text": text}], "data": text}
        return CallToolObservation(
            tool_name=action.tool_name, result=result, done=self.over, reward=reward
        )

    @property
    def state(self):
        return self._state
