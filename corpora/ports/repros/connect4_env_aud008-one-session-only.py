# AUD008 one-session-only: a defect of an environment, shown with openenv alone.
# Exit code 1: the defect shows; 0: it does not; 2: it could not be played. By skill-tools 0.1.0.
#
# What it shows: a second episode cannot be played concurrently.
# In the audit's words: one of two sessions failed: opening the episode: Server error: Server at
# capacity: 1/1 sessions active. Cannot accept new connections. (code: CAPACITY_REACHED)
# On how many tasks: 1 task; 3 tasks were played.
# Observed with: openenv 0.10.0, Python 3.11.7.
# Install: pip install "openenv==0.10.0" "fastapi==0.165.0" "pydantic==2.14.4" "uvicorn==0.54.0"
# "requests==2.34.2" "numpy==2.4.6"
# Run: python THIS_FILE [FOLDER]
#
import asyncio
import os
import sys
from contextlib import suppress

sys.excepthook = lambda *error: (sys.__excepthook__(*error), os._exit(2))  # 1 is the defect's
TARGET = sys.argv[1] if len(sys.argv) > 1 else "envs/connect4_env"
RUNS = [
    {
        "what": "random calls on task 1",
        "expected": "no error while another episode runs",
        "seed": 0,
        "calls": [
            {"tool": "step", "arguments": {"column": 0}},
            {"tool": "step", "arguments": {"column": 1}},
            {"tool": "step", "arguments": {"column": 1}},
            {"tool": "step", "arguments": {"column": -2}},
        ],
    },
    {
        "what": "random calls on task 2",
        "expected": "no error while another episode runs",
        "seed": 1,
        "calls": [
            {"tool": "step", "arguments": {"column": 2}},
            {"tool": "step", "arguments": {"column": -2}},
        ],
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
        load("connect4_env", folder)
        found = importlib.import_module("connect4_env." + module)
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


async def moves(run, seen):
    """Play a run, a move at a time, and note what it pays and shows, and what breaks it."""
    episode, over = Episode(), False
    try:
        seen["shown"].append(str(await episode.open(run)))
        for call in run["calls"]:
            yield
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


async def play(*runs):
    """Play runs, several in alternation, and tell what each brought."""
    seen = [{"rewards": [], "shown": [], "error": ""} for _ in runs]
    left = [moves(run, into) for run, into in zip(runs, seen)]
    while left:
        left = [each for each in left if await anext(each, "over") != "over"]
    return seen


async def collect():
    """What every run brings, one after the other, and then at once."""
    seen = [each for run in RUNS for each in await play(run)]
    return seen + await play(*RUNS)


def main():
    """Play, tell what happened beside what was expected, and exit."""
    seen = asyncio.run(collect())
    print("AUD008 one-session-only")
    for run, each in zip(RUNS * 2, seen):
        each["paid"] = sum(reward or 0.0 for reward in each["rewards"])
        if not abs(each["paid"]) < float("inf"):
            each["error"] = each["error"] or f"it pays {each['paid']}"
        happened = f"broke: {each['error']}" if each["error"] else f"paid {each['paid']:g}"
        print(f"  {run['what']}: {happened}; expected: {run['expected']}")
    defect = any(each["error"] for each in seen[2:]) and not any(each["error"] for each in seen[:2])
    shows = "a second episode cannot be played concurrently"
    fixed = "two episodes are played concurrently"
    print(f"DEFECT: {shows}" if defect else f"no defect: {fixed}")
    sys.exit(int(defect))


if __name__ == "__main__":
    main()
