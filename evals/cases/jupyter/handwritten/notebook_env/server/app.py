"""A notebook for OpenEnv, written by hand, with one process and one temporary folder per episode."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

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

from .expenses import task

KERNEL = Path(__file__).with_name("kernel.py")
TOOLS = {
    "add_and_execute_code_cell": "code",
    "edit_and_execute_current_cell": "code",
    "execute_shell_command": "command",
    "get_notebook_state": None,
    "final_answer": "answer",
}


class NotebookEnvironment(Environment):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self):
        super().__init__()
        self.folder = self.kernel = None

    def reset(self, seed=None, episode_id=None, split="train", index=0, **kwargs):
        self.close()
        files, question, self.answer = task(split, index)
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        for name, text in files.items():
            (Path(self.folder.name) / name).write_text(text)
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        command = [sys.executable, str(KERNEL)]
        self.kernel = subprocess.Popen(command, cwd=self.folder.name, **pipes)
        self.cells, self.over = [], False
        text = f"Files: {', '.join(files)}\n{question} Answer with final_answer."
        return Observation(done=False, reward=0.0, metadata={"prompt": text})

    def step(self, action, timeout_s=None, **kwargs):
        if isinstance(action, ListToolsAction):
            return ListToolsObservation(tools=[self.tool(name) for name in TOOLS])
        if self.over:
            return self.told("It is over.")
        return getattr(self, action.tool_name)(**action.arguments)

    def add_and_execute_code_cell(self, code):
        self.cells.append([code, self.run(code)])
        return self.shown(self.cells[-1][1])

    def edit_and_execute_current_cell(self, code):
        if not self.cells:
            return self.told("There is no cell yet.")
        self.cells[-1] = [code, self.run(code)]
        return self.shown(self.cells[-1][1])

    def run(self, code):
        print(json.dumps(code), file=self.kernel.stdin, flush=True)
        line = self.kernel.stdout.readline()
        return json.loads(line) if line else [{"type": "text", "text": "The kernel ended."}]

    def execute_shell_command(self, command):
        both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        bash = ["timeout", "30", "bash", "-c", command]
        ran = subprocess.run(bash, cwd=self.folder.name, stdin=subprocess.DEVNULL, **both)
        return self.told(f"{ran.stdout}(exit code {ran.returncode})")

    def get_notebook_state(self):
        texts = []
        for number, (code, blocks) in enumerate(self.cells, 1):
            told = "\n".join(block.get("text", "(a picture)") for block in blocks)
            texts.append(f"--- {number}\n{code}\n--- out\n{told}")
        return self.told("\n".join(texts) or "No cells.")

    def final_answer(self, answer):
        self.over = True
        right = answer.strip() == str(self.answer)
        return self.told("Right." if right else "Wrong.", float(right))

    def tool(self, name):
        named = {TOOLS[name]: {"type": "string"}} if TOOLS[name] else {}
        schema = {"type": "object", "properties": named, "required": list(named)}
        return Tool(name=name, description=name.replace("_", " "), input_schema=schema)

    def told(self, text, reward=0.0):
        return self.shown([{"type": "text", "text": text}], reward)

    def shown(self, blocks, reward=0.0):
        result = {"content": blocks, "data": None}
        return CallToolObservation(tool_name="", result=result, done=self.over, reward=reward)

    def close(self):
        if self.kernel:
            self.kernel.kill()
            self.kernel.communicate()
            self.folder.cleanup()
            self.kernel = None

    @property
    def state(self):
        return State()


app = create_app(
    NotebookEnvironment,
    CallToolAction,
    CallToolObservation,
    env_name="notebook",
    max_concurrent_envs=9,
)
