"""A red square for OpenReward, written by hand."""

import base64
import io

from openreward.environments import Environment, ImageBlock, Server, TextBlock, ToolOutput, tool
from PIL import Image
from pydantic import BaseModel


class Click(BaseModel):
    """The pixel to click on."""

    x: int
    y: int


class RedSquare(Environment):
    def __init__(self, task_spec={}, secrets={}):
        super().__init__(task_spec, secrets)
        self.left, self.top = task_spec["n"] * 13 % 57, task_spec["n"] * 29 % 57

    @classmethod
    def list_splits(cls):
        return ["train", "test"]

    @classmethod
    def list_tasks(cls, split):
        return [{"n": n} for n in (range(20) if split == "train" else range(20, 25))]

    async def get_prompt(self):
        return [TextBlock(text="Click on the red square: look, then click.")]

    @tool
    async def look(self) -> ToolOutput:
        """Look at the picture."""
        picture = Image.new("RGB", (64, 64), (255, 255, 255))
        picture.paste((255, 0, 0), (self.left, self.top, self.left + 8, self.top + 8))
        data = io.BytesIO()
        picture.save(data, format="PNG")
        image = ImageBlock(data=base64.b64encode(data.getvalue()).decode(), mimeType="image/png")
        return ToolOutput(blocks=[image], reward=0.0, finished=False)

    @tool
    async def click(self, params: Click) -> ToolOutput:
        """Click on a pixel."""
        hit = 0 <= params.x - self.left < 8 and 0 <= params.y - self.top < 8
        text = "Hit." if hit else "Missed."
        return ToolOutput(blocks=[TextBlock(text=text)], reward=float(hit), finished=True)


if __name__ == "__main__":
    Server([RedSquare]).run(host="127.0.0.1", port=8080)
