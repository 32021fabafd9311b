"""ORS (OpenReward): the facts in which this framework differs from the others."""

from skill_tools.frameworks.framework import Affinity, Framework, InFolder

ORS = Framework(
    name="ors",
    title="ORS (OpenReward)",
    distribution="openreward",
    # uvicorn uses the second for HTTP automatically, which makes a step a quarter faster.
    requirements=("openreward>=0.1.167,<0.2", "httptools>=0.6.3,<1"),
    python=">=3.11,<3.14",
    transport="http",
    actions="tool-calls",
    formerly=("ors-sdk",),
    loads_itself=True,
    packages=("openreward", "ors"),
    in_folder=InFolder(
        mark="openreward", serves=("server.py", "main.py", "app.py"), as_module=True
    ),
    docs="https://docs.openreward.ai",
    summary=(
        "Choose ORS to serve an environment over plain HTTP, with splits, tasks and image observations, and to "
        "publish this environment on OpenReward."
    ),
    driver=(
        "The harness drives: it opens a session and sends each tool call of its model to the server, which only "
        "responds."
    ),
    turns=(
        "Multi-turn; ORS has no turn limit, so the environment has its own, which the task spec "
        "can lower. In a single-turn environment, the first tool call returns `finished: true`."
    ),
    reward_and_end=(
        "Every tool's output contains `reward` and `finished`. The return is the sum of the "
        "rewards. For a call without a reward, `reward` is null. If the model stops, the harness calls "
        "`call_terminal_tool`, which returns the remaining reward."
    ),
    state=(
        "Stateful: the server keeps an environment object per session, which is created with a task and deleted "
        "when the session ends; a lost session is a lost episode."
    ),
    vocabulary={
        "environment": "an `Environment` class, found by its name; a server may have several",
        "task": "a task spec (`task_spec`), given when a session is created",
        "split": "a split, of type train, validation or test",
        "episode": "a session; there is no reset",
        "tool": "a tool, listed by `list_tools()` and called by `call_tool()`",
        "observation": "`blocks` of a `ToolOutput`: `TextBlock` and `ImageBlock`",
        "step": "`call_tool()`: one tool call",
        "reward": "`reward` of a `ToolOutput`",
        "end": "`finished` of a `ToolOutput`; in our variants also the harness's terminal tool",
        "turn limit": 'none; in our variants `max_turns` of the task spec, reported in `metadata["truncated"]`',
        "seed": "none; in our variants `seed` of the task spec",
        "rollout": "the harness's own loop",
        "trajectory": "a `Rollout`, which a harness may upload to OpenReward",
    },
    comparison=(
        (
            "OpenEnv is also a server, but ORS has no `reset`, and no argument for a seed or a turn "
            "limit; a session is one episode, which only the task spec chooses. "
            "Splits and tasks are part of the protocol."
        ),
        (
            "Unlike Verifiers and NeMo Gym, ORS has no runner. Your harness has the model and the "
            "loop, and rewards are returned at each call instead of once at the end."
        ),
        (
            "The server accepts one tool call, never the model's text, and replies with text and "
            "images. SkyRL Gym and GEM accept the model's text, and reply only with text."
        ),
    ),
    pitfalls=(
        (
            "By default, the server replies to unknown tools, wrong arguments and calls after the end without "
            "counting a turn. Our variant passes all such calls to the episode."
        ),
        (
            "Spaces vanish from observations over 4096 characters, because the client strips each chunk. Our server "
            "escapes the spaces at a chunk's start."
        ),
        (
            "A tool without `-> ToolOutput` or with a plain parameter vanishes silently. Our variant builds the "
            "list of tools from the env spec's schemas."
        ),
        "ORS has no seed and no turn limit. Our variant reads both from the task spec.",
        (
            "list_tasks shows whole tasks to every client. In our variant, list_tasks returns split, index and the "
            "fields that are not hidden."
        ),
        (
            "ORS has no message for 'the model stopped'. In our variant, a terminal tool ends the episode. The "
            "model does not see the tool's name and cannot guess it."
        ),
        (
            "Some trainers, such as TRL's OpenRewardSpec, keep only the last reward that is not null. In our "
            "variant, calls without reward and calls after the end therefore return null. With the timing "
            "`per_step`, the trainer must add up the rewards of all calls; the README has a function for TRL."
        ),
        (
            "TRL's OpenRewardSpec never calls the terminal tool. If the model just stops, TRL's reward is None, and "
            "TRL excludes the episode instead of counting 0."
        ),
        (
            "A tool that raises ends its session. In our variant, a tool raises only if the world is broken, and "
            "the client sees ToolFailed with the cause."
        ),
        "A failure in setup() is reported only at the first request, as HTTP 500 with the cause.",
        (
            "If a session is deleted during its setup, ORS leaks the world. Our server closes the world when the "
            "setup ends."
        ),
        (
            "If a reply is lost, the client repeats the call. If client and server then count different turns, "
            "rollout.py fails the episode."
        ),
        (
            "get('name') without variant= plays the server's first environment and costs a redirect per request. "
            "rollout.py passes variant= and checks the server's name."
        ),
        (
            "If the URL ends with a slash, pings miss the server and the session dies after 50 s. rollout.py "
            "removes the slash."
        ),
        (
            "list_tools(format=...) drops additionalProperties, and parameters named `title`. rollout.py lists "
            "tools without a format."
        ),
        (
            "The server treats a client as lost only after 900 s without a ping. Until then, the client's episode "
            "stays open."
        ),
        (
            "The server logs three lines per call to stdout and queries the package index for updates. Our variant "
            "turns both off before the import."
        ),
        (
            "ORS's server binds 0.0.0.0 by default and reports a busy port late. Our server.py binds 127.0.0.1 and "
            "checks the port first."
        ),
        "The scaffold's Dockerfile exposes 8000, but ORS's server listens on 8080. Our Dockerfile exposes 8080.",
        "A folder `openreward/` with an __init__.py shadows the framework. Our variant's folder is `ors/`.",
    ),
    blocking_pitfalls=(
        (
            "asyncio's thread pool serves only a few blocking calls at a time. If calls block, our variant gives "
            "each session its own thread."
        ),
    ),
    warm_imports=(
        "openreward",
        "openreward.environments",
        "httpx",
        "uvicorn",
        "jsonschema",
    ),
    url_variable="ORS_URL",
    publish=(
        "push that folder to a GitHub repository, then `orwd create` and `orwd link`, which need an"
        " OpenReward account; or build its Dockerfile and serve it anywhere"
    ),
    environment={
        "OPENREWARD_DISABLE_UPDATE_CHECK": "1",
        "OPENREWARD_LOG_LEVEL": "WARNING",
    },
    affinity=Affinity(
        by="header",
        app="server",
        name="x-session-id",
        opens="/create",
        dockerfile="Dockerfile",
        space=True,
    ),
)
