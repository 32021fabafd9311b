"""One task on a desktop: its programs and files, and whether it is done in the end."""

import io

from PIL import Image, ImageDraw, ImageFont
from rl_env_sandbox.computer import Computer, InvalidAction, Shown

from .goals import reached

__all__ = ["Desktop", "InvalidAction", "Shown"]


class Desktop(Computer):
    """One task. `reward` is 1.0 once it was ended with everything as the task asks, else 0.0."""

    def __init__(self, task: dict, seed: int) -> None:
        """Open the desktop with the task's files and programs; no `seed` is used."""
        self.reward = 0.0
        self.done = False
        self._task = task
        files = {name: text.encode() for name, text in task["files"].items()}
        if "picture" in task:
            files[task["picture"]] = _label(task["answer"])
        outputs = {int(place): path for place, path in task["outputs"].items()}
        super().__init__(files, task["programs"], outputs)

    def observe(self) -> str:
        """What is to be done."""
        return f"Task: {self._task['instruction']}"

    def terminate(self, status: str) -> str:
        """End the episode; what is paid depends on the desktop alone, not on `status`."""
        self.reward = 1.0 if reached(self._task, self._screen) else 0.0
        self.done = True
        return f"The episode is over ({status})."


def _label(code: str) -> bytes:
    """A picture of a label with a code, as a PNG file."""
    picture = Image.new("RGB", (480, 270), "#f4ecd8")
    draw = ImageDraw.Draw(picture)
    draw.rectangle((12, 12, 467, 257), outline="#333333", width=4)
    draw.text((240, 70), "FRAGILE", fill="#a02020", font=ImageFont.load_default(28), anchor="mm")
    draw.text((240, 150), code, fill="#111111", font=ImageFont.load_default(60), anchor="mm")
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()
