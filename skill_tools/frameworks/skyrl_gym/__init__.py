"""SkyRL Gym: the facts in which this framework differs from the others."""

from skill_tools.frameworks.framework import Framework, InFolder

SKYRL_GYM = Framework(
    name="skyrl_gym",
    title="SkyRL Gym",
    distribution="skyrl-gym",
    requirements=("skyrl-gym>=0.4,<0.5",),
    python=">=3.11,<3.14",
    transport="in-process",
    actions="text",
    empty_row={"prompt": []},
    packages=("skyrl_gym",),
    in_folder=InFolder(mark="skyrl_gym", links=True, id="asked"),
    reads_text=True,
    docs="https://docs.skyrl.ai",
    summary=(
        "Choose SkyRL Gym to train with SkyRL: the trainer creates one object per episode in its own process, and "
        "passes the model's text to this object."
    ),
    driver=(
        "SkyRL's generator drives: it creates the environment from a dataset row, calls `init()` "
        "once, and then `step()` with each message of the model until `done`."
    ),
    turns=(
        "Single-turn by default: `generator.max_turns` is 1 by default and is passed to the environment, which has "
        "to end the episode itself; the generator continues until `done`."
    ),
    reward_and_end=(
        "Every `step()` returns its reward and `done`; whether the turn limit ended the episode "
        "is in `metadata` and in the metrics, because SkyRL has one flag for both kinds of end."
    ),
    state=(
        "Stateful: the object is the episode. The generator creates one per rollout and calls "
        "`step()` in a thread pool, never twice at once for one object."
    ),
    vocabulary={
        "environment": (
            "a `BaseTextEnv` class, registered under an id that rows name as `env_class`"
        ),
        "task": (
            "a row of the dataset; all columns except `prompt` and `env_class` are passed to the class as `extras`"
        ),
        "split": "a dataset file, in `data.train_data` or `data.val_data`",
        "episode": "one object, from `init()` to `close()`; there is no reset",
        "tool": (
            "a tag in the model's text; SkyRL's own `ToolGroup` is called by the environment's "
            "code, not by the model"
        ),
        "observation": "`observations`: messages for the model; empty once the episode is over",
        "step": "`step()`: one message of the model, which may contain several tool calls",
        "reward": "`reward` of `step()`, placed on the last token of that message",
        "end": "`done`, which is also set at the turn limit",
        "turn limit": '`extras["max_turns"]`, which the trainer sets to `generator.max_turns`',
        "seed": "none; in our variants `extra_info.seed` of the row",
        "rollout": "`agent_loop` of the generator",
        "trajectory": "`TrajectoryOutput`: token ids, loss mask, a reward per token",
    },
    comparison=(
        (
            "GEM also gets the model's text, but in SkyRL Gym an object is one episode. SkyRL Gym has no "
            "`reset` and no vector, and one flag covers both kinds of end."
        ),
        (
            "Unlike in Verifiers, the loop calls the class directly, without hooks, and each "
            "message gets its own reward."
        ),
        (
            "Unlike OpenEnv, ORS and NeMo Gym, SkyRL Gym has no server, no session and no tool "
            "schemas; the prompt states how to act."
        ),
    ),
    pitfalls=(
        (
            "The generator sets `extras['max_turns']` to `generator.max_turns`, which is 1 by default. Set "
            "`generator.max_turns` to the turn limit, or every episode is truncated after one tool call."
        ),
        (
            "The generator leaves its loop only at `done` or when the context is full. In the second case, the "
            "environment is closed before the episode has ended, so a post-episode reward is lost."
        ),
        (
            "`init()` replaces the prompt of the row with that of the live episode, so a changed rule needs no new "
            "dataset. SkyRL's length filter drops rows by the prompt stored in the row, not by the live prompt."
        ),
        "SkyRL Gym has no seed argument. Our variant uses `extra_info.seed` of the row, otherwise the task's seed.",
        (
            "A `stop` string such as `</guess>` ends each message after its first action. SkyRL keeps this string "
            "in the text; with a different engine, set `include_stop_str_in_output: true`, or every action arrives "
            "without its closing tag and is not executed."
        ),
        (
            "Each process has its own registry. Import our module in the entry point and in the "
            "function that Ray runs, before the trainer creates an environment."
        ),
        (
            "An exception in `init()` or `step()` aborts the whole training step, because SkyRL gathers its "
            "episodes without `return_exceptions`. Our variant catches the exception, so a failing world ends only "
            'its own episode. The episode earns no further reward, has `metadata["failure"]`, and is counted in the '
            "metric `environment/failed`, which should stay near 0."
        ),
        (
            "If a world fails, the blameless policy gets 0, because an environment cannot exclude an episode. With "
            '`env_config={"on_failure": "raise"}`, our variant raises instead, after it has freed the world. SkyRL '
            "reads this setting from `cfg.environment.skyrl_gym.NAME`, which its command line refuses. Set it in "
            "the entry point. rollout.py always raises, and a failed episode has no score there."
        ),
        "`register()` refuses a second registration of an id. Our module checks first.",
        (
            "Our variant sends pictures as `image_url` parts of a user message, even in the opening. Only SkyRL's "
            "generator for vision models (`SkyRLVLMGymGenerator`) accepts them."
        ),
        (
            "SkyRL's rows have no tool calls. In our rows, the calls of a task's earlier messages are tags, and the "
            "results are user messages."
        ),
        "`skyrl_gym.__version__` is 0.0.0 in every release. Read the version from importlib.metadata.",
    ),
    blocking_pitfalls=(
        (
            "The generator plays in a pool of `environment.skyrl_gym.max_env_workers` threads (32 by default), or "
            "in the event loop if this number is 0. If calls block, set it to the number of concurrent episodes, or "
            "some episodes wait for the calls of others."
        ),
    ),
    warm_imports=("skyrl_gym", "httpx", "jsonschema"),
    # The ids that skyrl_gym registers itself: ours would be ignored in favor of its own.
    reserved_names=frozenset(
        {"aime", "gsm8k", "gsm8k_multi_turn", "lcb", "search", "searchcode", "text2sql"}
    ),
    publish="install the folder where the trainer runs: `uv pip install FOLDER`",
)
