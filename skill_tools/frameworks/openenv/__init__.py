"""OpenEnv: the facts in which this framework differs from the others."""

from skill_tools.frameworks.framework import Affinity, Framework, InFolder

OPENENV = Framework(
    name="openenv",
    title="OpenEnv",
    distribution="openenv",
    requirements=("openenv>=0.10,<0.11",),
    python=">=3.11,<3.14",
    transport="http",
    actions="tool-calls",
    formerly=("openenv-core",),
    packages=("openenv",),
    in_folder=InFolder(manifest="openenv.yaml", app="server.app:app", links=True),
    docs="https://huggingface.co/docs/openenv",
    summary=(
        "Choose OpenEnv to serve an environment to many trainers at once over WebSockets, and to publish this "
        "environment as a Hugging Face Space."
    ),
    driver=(
        "The trainer drives: it calls `reset`, then `step` for each tool call of its model; the server only responds."
    ),
    turns=(
        "Multi-turn; OpenEnv has no turn limit, so the environment has its own, which `reset` "
        "can lower. In a single-turn environment, the first step returns `done: true`."
    ),
    reward_and_end=(
        "Every step's response contains `reward` and `done`; the return is the sum of the rewards. "
        "If the model stops, the trainer sends `end_episode`, which returns the remaining reward."
    ),
    state=(
        "Stateful: the server keeps an environment object per WebSocket session. Over plain HTTP, every request "
        "gets a new object, so no episode can be played."
    ),
    vocabulary={
        "environment": "an `Environment` class, one per server",
        "task": "arguments of `reset`: `split` and `index`, or `task`",
        "split": "a split, as listed by the task route `GET /NAME/splits`",
        "episode": "from one `reset` to the next, in one WebSocket session",
        "tool": "an MCP tool, listed by `ListToolsAction` and called by `CallToolAction`",
        "observation": '`observation.result["content"]`, MCP content blocks; the text is also in `"data"`',
        "step": "`step`: one tool call",
        "reward": "`reward` of the step's result",
        "end": "`done` of the step's result; in our variants also the trainer's `end_episode`",
        "turn limit": 'none; in our variants `max_turns` of `reset`, reported in `result["truncated"]`',
        "seed": "`seed` of `reset`; without `index` or `task` it chooses the task",
        "rollout": "the trainer's own loop",
        "trajectory": "none: the trainer keeps what it needs",
    },
    comparison=(
        (
            "ORS is also a server, but in OpenEnv one connection plays many episodes, because `reset` "
            "chooses the task; in ORS, a session is one episode of one task. OpenEnv's "
            "`reset` takes a seed and a turn limit; in ORS, the task spec contains both."
        ),
        (
            "Unlike Verifiers and NeMo Gym, OpenEnv has no runner and no dataset. Your trainer has "
            "the model and the loop, and rewards are returned at each step instead of once at the "
            "end."
        ),
        (
            "SkyRL Gym and GEM call `step` too, but their `step` accepts the model's text, while "
            "OpenEnv's `step` accepts one tool call. The call is a message to a server, so the "
            "trainer's "
            "own process needs only the client."
        ),
    ),
    pitfalls=(
        (
            "MCPEnvironment never sets reward or done, and takes about 3 ms per step. Our variant is a plain "
            "Environment, which handles the tool actions itself."
        ),
        "openenv-core 0.3 drops an observation's metadata. Our variant sends the prompt and error kind in `result`.",
        (
            "OpenEnv's default limit of one session makes group sampling wait. Our variant sets MAX_CONCURRENT_ENVS "
            "to 4096, and the environment declares that concurrent sessions are safe."
        ),
        (
            "HTTP /reset and /step use a new environment for every request. In our variant, a step without a reset "
            "returns an error that explains this, and the client uses the WebSocket."
        ),
        (
            "OpenEnv has no message for 'the model stopped'. With our variant, the trainer sends an end_episode "
            "action, with a mark in its metadata that a model's tool call cannot contain."
        ),
        (
            "A lost WebSocket reconnects silently to a new session. Our variant refuses the first step there, which "
            "belongs to the old session's episode."
        ),
        (
            "Trainers that choose tasks by `reset(seed=N)` alone would always train on one task. In our variant, "
            "the seed opens task N modulo the number of tasks, and the world gets the task's own seed."
        ),
        (
            "Reset arguments of the wrong type would cause a bare KeyError or TypeError. Our variant checks the "
            "arguments, and its error names the wrong ones."
        ),
        (
            "MCPToolClient.list_tools() swallows every error and returns []. Our client lists tools through step."
        ),
        (
            "`python server/app.py` cannot import the package unless the package is installed. Start the server "
            "with `uv run server` or `python -m server.app`."
        ),
        "A folder `openenv/` with an __init__.py shadows the framework. Our variant's folder has no such file.",
        "openenv and openenv-core overwrite each other. Install only one of them in a venv.",
        "By default, sockets close during long generations. Our server waits 300 s for the reply to a ping.",
        "If a port is in use, our server reports this before it starts, and exits with code 1.",
        "A client of /ws can reset an episode even in production mode. Block the model's access to /ws at the gateway.",
    ),
    blocking_pitfalls=(
        (
            "If a call never returns, OpenEnv's server drops a `close()` that waits for the same thread. The "
            "server's HTTP routes close episodes in the event loop. If calls block, our variant therefore plays and "
            "closes episodes in its own threads."
        ),
    ),
    warm_imports=(
        "openenv.core",
        "openenv.core.env_server.http_server",
        "openenv.core.env_server.mcp_types",
        "httpx",
        "uvicorn",
        "jsonschema",
    ),
    # For its web page, which rollouts turn off: every import of openenv would spend 3 s on it.
    without=("gradio",),
    url_variable="OPENENV_URL",
    reserved_tools=frozenset({"reset", "step", "state", "close"}),
    reserved_because="its own harness refuses tools of this name",
    publish="`openenv push` in that folder; needs a Hugging Face account",
    environment={
        # A user's settings for other servers would turn routes on or off.
        "ENABLE_WEB_INTERFACE": "false",
        "OPENENV_MODE": "simulation",
        "OPENENV_CLIENT_MODE": "simulation",
    },
    affinity=Affinity(
        by="connection",
        app="server.app",
        opens="/ws",
        dockerfile="server/Dockerfile",
        space=True,
    ),
)
