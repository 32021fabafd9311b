# EPI001 failed-episode: a defect of an environment, shown with openenv alone.
# Exit code 1: the defect shows; 0: it does not; 2: it could not be played. By skill-tools 0.1.0.
#
# What it shows: the episode breaks (EXECUTION_ERROR).
# In the audit's words: openenv: random on MazeEnvironment/seeds/0/0: call 1, step: Server error: -2
# is not a valid Action (code: EXECUTION_ERROR)
# On how many tasks: 3 of 3 tasks (95 %: 0.44 to 1.00).
# Observed with: openenv 0.10.0, Python 3.11.7.
# Install: pip install "openenv==0.10.0" "numpy==2.4.6" "fastapi==0.165.0" "pydantic==2.14.4"
# "uvicorn==0.54.0" "requests==2.34.2" "matplotlib==3.11.2"
# Run: python THIS_FILE [FOLDER]
#
import asyncio
import os
import sys
from contextlib import suppress

sys.excepthook = lambda *error: (sys.__excepthook__(*error), os._exit(2))  # 1 is the defect's
TARGET = sys.argv[1] if len(sys.argv) > 1 else "envs/maze_env"
RUNS = [
    {
        "what": "random calls",
        "expected": "an answer, or a refusal",
        "seed": 0,
        "calls": [{"tool": "step", "arguments": {"action": -2}}],
    },
]


def serve(app):
    """Serve an app on a free port of this machine, until this process ends."""
    import socket
    import threading

    import uvicorn

    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    threading.Thread(target=server.run, args=([listener],), daemon=True).start()
    return f"http://127.0.0.1:{listener.getsockname()[1]}"


def load(name, path):
    """Import a file or the package in a folder, whether or not it is installed."""
    import importlib.util

    package = os.path.isdir(path)
    sys.path.insert(0, path if package else os.path.dirname(path))
    file, inner = (os.path.join(path, "__init__.py"), [path]) if package else (path, None)
    spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=inner)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


from openenv.core import GenericEnvClient


def app_of(folder):
    """The app of the environment's folder, as its openenv.yaml names it."""
    import importlib

    module, _, name = "server.app:app".partition(":")
    sys.path.insert(0, folder)
    try:
        load("maze_env", folder)
        found = importlib.import_module("maze_env." + module)
    except (ImportError, OSError):
        found = importlib.import_module(module)
    return getattr(found, name or "app")


URL = TARGET if TARGET.startswith("http") else serve(app_of(TARGET))
TOKEN = os.environ.get("SKILL_TOOLS_TOKEN", "")  # of a server that wants one
HEADERS = {"Authorization": f"Bearer {TOKEN}"} if TOKEN else {}
REFUSALS = ("VALIDATION_ERROR", "INVALID_JSON", "UNKNOWN_TYPE")


class Episode:
    """One session of OpenEnv's generic client."""

    async def open(self, run):
        self.client = GenericEnvClient(URL, headers=HEADERS)
        place = {key: run[key] for key in ("split", "index") if key in run}
        opened = await self.client.reset(seed=run["seed"], episode_id="repro", **place)
        return opened.observation

    async def call(self, tool, arguments):
        fits = tool == "step" and isinstance(arguments, dict)
        action = arguments if fits else {"no_such_field": arguments}
        try:
            result = await self.client.step(action)
        except RuntimeError as error:
            if not any(f"(code: {code})" in str(error) for code in REFUSALS):
                raise
            return error, None, False
        return result.observation, result.reward, result.done is True

    async def end(self, message):
        return None

    async def close(self):
        await self.client.close()


async def play(run):
    """Play a run: what it pays and shows, and what breaks it."""
    seen = {"rewards": [], "shown": [], "error": ""}
    episode, over = Episode(), False
    try:
        seen["shown"].append(str(await episode.open(run)))
        for call in run["calls"]:
            shown, reward, over = await episode.call(**call)
            seen["shown"].append(str(shown))
            seen["rewards"].append(None if reward is None else float(reward))
            if over:
                break
        if not over:
            seen["rewards"].append(await episode.end(run.get("message", "")))
    except (Exception, SystemExit) as error:
        seen["error"] = f"{type(error).__name__}: {error}"
    with suppress(Exception):
        await episode.close()
    return [seen]


async def collect():
    """What every run brings, one after the other."""
    seen = [each for run in RUNS for each in await play(run)]
    return seen


def main():
    """Play, tell what happened beside what was expected, and exit."""
    seen = asyncio.run(collect())
    print("EPI001 failed-episode")
    for run, each in zip(RUNS, seen):
        each["paid"] = sum(reward or 0.0 for reward in each["rewards"])
        if not abs(each["paid"]) < float("inf"):
            each["error"] = each["error"] or f"it pays {each['paid']}"
        happened = f"broke: {each['error']}" if each["error"] else f"paid {each['paid']:g}"
        print(f"  {run['what']}: {happened}; expected: {run['expected']}")
    defect = bool(seen[0]["error"])
    shows = "the episode breaks (EXECUTION_ERROR)"
    fixed = "the episode does not break"
    print(f"DEFECT: {shows}" if defect else f"no defect: {fixed}")
    sys.exit(int(defect))


if __name__ == "__main__":
    main()
