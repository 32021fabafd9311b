"""A person's episode on the web page, and the HTML that shows it."""

import html
import io
import json
import logging
from base64 import b64decode
from collections.abc import Awaitable
from typing import Any

from .. import env_spec, task_table
from ..blocks import as_text, said
from ..episode import Episode
from ..tool_rules import RULES
from .threads import EpisodeThread

Arguments = dict[str, Any]

PLACE = "coordinate"
"""The argument with a place on the screen; for a drag, its end."""
START = "start_coordinate"
"""The argument with the start of a drag."""
SCROLL = "scroll"
"""The tool for the wheel."""
WHEEL = 5
"""Clicks of the wheel per button press."""
TOOLS: dict[str, Arguments] = {tool["name"]: tool["parameters"] for tool in env_spec.TOOLS}


class Visit:
    """A person's episode in a separate thread. `note` is an additional message on the page."""

    def __init__(self) -> None:
        """Start the thread; `open` sets up the world."""
        self._thread = EpisodeThread()
        self.episode: Episode | None = None
        self.note = ""
        self._place = [length // 2 for length in env_spec.DISPLAY["size"]]
        self._start: list[int] | None = None

    async def open(self, split: str, index: int) -> Any:
        """Open an episode on a task. Return the first screenshot, as for a model, if the environment has
        screenshots."""
        problem = task_table.problem(split, index)
        self.episode = await self._thread.run(self._thread.hold, Episode, *problem)
        return await self.play("screenshot", {}) if "screenshot" in TOOLS else None

    async def click(self, tool: str, place: list[int]) -> Any:
        """Click at a position on the screen. A drag takes two clicks: the first sets the drag's start."""
        self._place = place
        if START not in TOOLS[tool]["required"]:
            return await self.play(tool, {PLACE: place})
        start, self._start = self._start, None
        if start:
            return await self.play(tool, {START: start, PLACE: place})
        self._start, self.note = place, f"From {place}: now click where the drag ends."
        return None

    async def play(self, tool: str, arguments: Arguments) -> Any:
        """Play one action; return its picture, or None. A scroll action happens at the place of the last click."""
        if self.episode is None or self.episode.over:
            return None
        if tool == SCROLL:
            arguments = {PLACE: self._place, **arguments}
        step = await self._thread.run(self.episode.call, tool, arguments)
        if step.done:
            self.close()
        pictures = [block["data"] for block in step.observation if block["type"] == "image"]
        return _picture(pictures[-1]) if pictures else None

    async def stop(self) -> None:
        """End the episode like a model that makes no further tool call."""
        if self.episode is not None and not self.episode.over:
            await self._thread.run(self.episode.end)
            self.close()

    async def attempt(self, doing: Awaitable[Any]) -> Any:
        """Return the result of an action, or None if it fails. If it fails, set the note to the error."""
        self.note = ""
        try:
            return await doing
        except (LookupError, ValueError) as error:  # it does not name a task
            self.note = str(error.args[0])
        except Exception:
            if self.episode and self.episode.over and not self.episode.failure:
                return None  # it coincided with the episode's end
            # Not shown to the player, because an error can name what the task hides.
            logging.getLogger(__name__).exception("an episode on the page broke")
            self.note = "The environment broke, there is no score; the server's log says why."
        self.close()
        return None

    def close(self) -> None:
        """Let the thread free the desktop when its running action ends; do not wait. Safe to call twice."""
        self._thread.close_soon()

    def instruction(self) -> str:
        """Return the model's instruction for the task (the last opening message) as HTML."""
        message = said(self.episode.prompt[-1]) if self.episode else ""
        return f"<p>{html.escape(message.strip())}</p>"

    def status(self) -> str:
        """Return the episode's state and its return, as HTML."""
        found, message = self.episode, []
        if found and not found.failure:
            turns = f"Turn {found.turns} of {found.max_turns}"
            if found.over:
                limit = ", the limit" if found.truncated else ""
                turns = f"The episode is over after {found.turns} turns{limit}"
            message = [f"<b>{turns}</b>", f"Reward {found.total}"]
        message += [html.escape(self.note)] if self.note else []
        kind = ' class="over"' if found and found.over else ""
        return f"<p{kind}>{'<br>'.join(message)}</p>"

    def actions(self) -> str:
        """Return the actions and their results, the newest first, as HTML."""
        lines = []
        for step in self.episode.steps if self.episode else ():
            given = json.dumps(step["arguments"], ensure_ascii=False) if step["arguments"] else ""
            text = html.escape(as_text(step["observation"], "").strip())
            kind = ' class="refused"' if step["error"] else ""
            call = f"<code>{html.escape(step['tool'])} {html.escape(given)}</code>"
            lines.append(f"<li{kind}>{call}<small>{text}</small></li>")
        return f"<ol reversed>{''.join(reversed(lines))}</ol>"


def _picture(data: str) -> Any:
    from PIL import Image  # Gradio brings it

    return Image.open(io.BytesIO(b64decode(data)))


def by_shape() -> tuple[list[str], list[str], list[tuple[str, Arguments]]]:
    """Return the names of tools that take clicks, the names of tools that take one text, and the calls for buttons."""
    clicks: list[str] = []
    texts: list[str] = []
    calls: list[tuple[str, Arguments]] = []
    for name, schema in RULES.items():
        wanted = schema["required"]
        only = schema["properties"][wanted[0]] if len(wanted) == 1 else {}
        if wanted in ([PLACE], [START, PLACE]):
            clicks.append(name)
        elif not wanted:
            calls.append((name, {}))
        elif "enum" in only:
            calls += [(name, {wanted[0]: value}) for value in only["enum"]]
        elif only.get("type") == "string":
            texts.append(name)
        elif name == SCROLL and "scroll_direction" in wanted:
            ways = schema["properties"]["scroll_direction"].get("enum", ())
            calls += [(name, {"scroll_direction": way, "scroll_amount": WHEEL}) for way in ways]
    return clicks, texts, calls
