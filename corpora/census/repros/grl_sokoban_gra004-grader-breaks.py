# GRA004 grader-breaks: a defect of an environment, shown with nemo-gym alone.
# Exit code 1: the defect shows; 0: it does not; 2: it could not be played. By skill-tools 0.1.0.
#
# What it shows: the grader gives no score.
# In the audit's words: the grader gave no score for in <action> tags, alone, boxed, in <answer>
# tags and 24 more, e.g. '' on grl_sokoban/tasks/0/0: Refused: the end of the episode: 400:
# {"detail":"Unable to parse action from response: 'That is all.'"}
# On how many tasks: 5 of 5 tasks (95 %: 0.57 to 1.00).
# Seen with: nemo-gym 0.4.0, Python 3.12.1.
# Install: pip install "nemo-gym==0.4.0" "httptools==0.9.0" "gymnasium==1.1.1" "gym-sokoban==0.0.6"
# "numpy==2.5.5" "scipy==1.18.1" "imageio==2.38.1" "pillow==12.3.0" "pyyaml==6.0.4"
# "pkgconfig==1.6.0" "setuptools==84.2.1"
# Run: python THIS_FILE [FOLDER]
#
import asyncio
import os
import sys
from contextlib import suppress

sys.excepthook = lambda *error: (sys.__excepthook__(*error), os._exit(2))  # 1 is the defect's
TARGET = sys.argv[1] if len(sys.argv) > 1 else "resources_servers/grl_sokoban"
RUNS = [
    {
        "what": "nothing, ''",
        "expected": "any score",
        "split": "tasks",
        "index": 0,
        "seed": 0,
        "row": {
            "level_id": 1,
            "seed": 84810,
            "dim_room": [5, 5],
            "num_boxes": 1,
            "responses_create_params": {
                "reasoning": {"effort": "medium"},
                "input": [
                    {
                        "role": "system",
                        "content": "You are a Sokoban-solving assistant. You will receive a board observation after reset and after every move. Symbols: #=wall, _=floor, O=target, X=box, √=box on target, P=player, S=player on target. Reply with exactly one move each turn using one of <action>Up</action>, <action>Down</action>, <action>Left</action>, or <action>Right</action>.",
                    },
                    {"role": "user", "content": "Solve the Sokoban puzzle step by step."},
                ],
            },
            "agent_ref": {"type": "responses_api_agents", "name": "grl_sokoban_gymnasium_agent"},
        },
        "calls": [{"tool": "say", "arguments": {"text": ""}}],
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


import json
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, ProxyHandler, Request, build_opener


def settings_of(folder):
    """The settings of the resources server in the folder's first configuration."""
    from glob import glob

    from omegaconf import OmegaConf

    for path in sorted(glob(os.path.join(folder, "configs", "*.yaml"))):
        for each in OmegaConf.to_container(OmegaConf.load(path)).values():
            servers = each.get("resources_servers") if isinstance(each, dict) else None
            if servers:
                return dict(next(iter(servers.values())))
    return {}


def app_of(folder):
    """The app of the folder's resources server, without Ray, head server or Hydra."""
    above, inner = os.path.split(os.path.dirname(os.path.abspath(folder)))
    if inner == "resources_servers":  # its code imports its own repository
        sys.path.insert(0, above)
    from nemo_gym.base_resources_server import SimpleResourcesServer
    from nemo_gym.config_types import BaseServerConfig
    from nemo_gym.server_utils import ServerClient
    from omegaconf import OmegaConf

    found = load("theirs", os.path.join(folder, "app.py"))
    kinds = [each for each in vars(found).values() if isinstance(each, type)]
    kinds = [each for each in kinds if issubclass(each, SimpleResourcesServer) and each.__module__ == "theirs"]
    here = {"host": "127.0.0.1", "port": 0}
    head = ServerClient(head_server_config=BaseServerConfig(**here), global_config_dict=OmegaConf.create({}))
    said = {"domain": "other", **settings_of(folder), **here, "entrypoint": "app.py", "name": "theirs"}
    config = kinds[-1].model_fields["config"].annotation.model_validate(said)
    server = kinds[-1](config=config, server_client=head)
    app = server.setup_webserver()
    server.setup_exception_middleware(app)
    return app


URL = TARGET if TARGET.startswith("http") else serve(app_of(TARGET))
TOKEN = os.environ.get("SKILL_TOOLS_TOKEN", "")  # of a server that wants one
RESPONSE = {"id": "response", "model": "repro", "object": "response", "tool_choice": "auto"}
RESPONSE |= {"created_at": 0, "parallel_tool_calls": False, "tools": []}


def saying(text):
    """A message of the model's."""
    message = {"type": "message", "role": "assistant", "id": "message", "status": "completed"}
    return {**message, "content": [{"type": "output_text", "text": text, "annotations": []}]}


class Episode:
    """One session: its cookies, and what the model did in it."""

    async def open(self, run):
        self.web = build_opener(HTTPCookieProcessor(), ProxyHandler({}))
        self.row, self.output = run["row"], []
        return (await self.post("/reset", self.row)).get("observation")

    async def call(self, tool, arguments):
        return await self.last(arguments["text"])

    async def end(self, message):
        return (await self.last(message or "That is all."))[1]

    async def close(self):
        pass

    async def last(self, text):
        return await self.step(saying(text))

    async def step(self, item):
        body = {**self.row, "response": {**RESPONSE, "output": [item]}}
        told = await self.post("/step", body)
        shown = [told.get("info"), told.get("observation")]
        return shown, told.get("reward"), told.get("terminated") or told.get("truncated")

    async def post(self, path, body):
        head = {"Content-Type": "application/json"}
        asked = Request(URL + path, json.dumps(body).encode(), head)
        if TOKEN:
            asked.add_unredirected_header("Authorization", f"Bearer {TOKEN}")
        with self.web.open(asked, timeout=60) as answer:
            return json.load(answer)


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
    print("GRA004 grader-breaks")
    for run, each in zip(RUNS, seen):
        each["paid"] = sum(reward or 0.0 for reward in each["rewards"])
        if not abs(each["paid"]) < float("inf"):
            each["error"] = each["error"] or f"it pays {each['paid']}"
        happened = f"broke: {each['error']}" if each["error"] else f"paid {each['paid']:g}"
        print(f"  {run['what']}: {happened}; expected: {run['expected']}")
    defect = bool(seen[0]["error"])
    shows = "the grader gives no score"
    mended = "the grader gives a score"
    print(f"DEFECT: {shows}" if defect else f"no defect: {mended}")
    sys.exit(int(defect))


if __name__ == "__main__":
    main()
