# ruff: noqa: D102 - the framework's own methods
"""A desktop as somebody writes it by hand for OpenEnv: an Xvfb and an openbox per episode, xdotool and scrot."""

import argparse
import base64
import itertools
import os
import subprocess
import tempfile
import time
from pathlib import Path
from uuid import uuid4

import uvicorn
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.mcp_types import CallToolAction, CallToolObservation
from openenv.core.env_server.types import Observation, State

DISPLAYS = itertools.count(os.getpid() % 500 * 100 + 100)
QUIET = subprocess.DEVNULL


class DesktopEnvironment(Environment):
    """One desktop with a text editor per session."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self):
        super().__init__()
        self.programs = []
        self.folder = tempfile.TemporaryDirectory()
        self._state = State(episode_id=str(uuid4()), step_count=0)

    def start(self, *command):
        made = subprocess.Popen(command, env=self.env, stdout=QUIET, stderr=QUIET)
        self.programs.append(made)

    def call(self, *command):
        return subprocess.run(command, env=self.env, capture_output=True, check=False)

    def reset(self, seed=None, episode_id=None, **kwargs):
        display = f":{next(DISPLAYS)}"
        self.env = {**os.environ, "DISPLAY": display, "HOME": self.folder.name}
        self.start("Xvfb", display, "-screen", "0", "1024x768x24", "-nolisten", "tcp")
        while self.call("xdpyinfo").returncode:
            time.sleep(0.05)
        self.start("openbox")
        time.sleep(0.5)
        note = Path(self.folder.name, "note.txt")
        note.write_text("A note.\n")
        self.start("mousepad", "--disable-server", str(note))
        time.sleep(2)
        return Observation(metadata={"prompt": "Write into the note."})

    def step(self, action, timeout_s=None, **kwargs):
        self._state.step_count += 1
        self.call("xdotool", "key", action.arguments["text"])
        time.sleep(0.1)  # until the program has drawn it
        file = Path(self.folder.name, "shot.png")
        self.call("scrot", "--overwrite", "--pointer", str(file))
        image = {
            "type": "image",
            "data": base64.b64encode(file.read_bytes()).decode(),
            "mimeType": "image/png",
        }
        return CallToolObservation(
            tool_name="key", result={"content": [image]}, done=False, reward=0.0
        )

    def close(self):
        for program in reversed(self.programs):
            program.terminate()
            program.wait()
        self.programs.clear()

    @property
    def state(self):
        return self._state


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=8000)
    app = create_app(
        DesktopEnvironment,
        CallToolAction,
        CallToolObservation,
        env_name="desktop",
        max_concurrent_envs=64,
    )
    uvicorn.run(app, host="127.0.0.1", port=parser.parse_args().port, log_level="warning")
