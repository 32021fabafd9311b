"""SkyRL Gym: the facts that differ."""

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
        "Choose it to train with SkyRL: the trainer makes an object per episode in its own"
        " process, and hands it the model's text."
    ),
    driver=(
        "SkyRL's generator drives: it makes the environment from a row of a dataset, calls `init()`"
        " once, then `step()` with each message of the model until `done`."
    ),
    turns=(
        "Single-turn by default: `generator.max_turns` is 1 by default and reaches the"
        " environment, which has to end the episode itself; the generator only asks until `done`."
    ),
    reward_and_end=(
        "Every `step()` returns its reward and `done`; whether the turn limit ended the episode is"
        " in `metadata` and in the metrics, because SkyRL has one flag for both ends."
    ),
    state=(
        "Stateful: the object is the episode. The generator makes one per rollout and calls"
        " `step()` in a thread of a pool, never two at once for one object."
    ),
    vocabulary={
        "environment": (
            "a `BaseTextEnv` class, registered under an id that rows name as `env_class`"
        ),
        "task": (
            "a row of the dataset; all but `prompt` and `env_class` reaches the class as `extras`"
        ),
        "split": "a dataset file, in `data.train_data` or `data.val_data`",
        "episode": "one object, from `init()` to `close()`; there is no reset",
        "tool": "a tag in the model's text; SkyRL's own `ToolGroup` is for code, not for models",
        "observation": "`observations`: messages for the model, none once the episode is over",
        "step": "`step()`: one message of the model, which may hold several tool calls",
        "reward": "`reward` of `step()`, placed on the last token of that message",
        "end": "`done`, the turn limit included",
        "turn limit": '`extras["max_turns"]`, which the trainer sets to `generator.max_turns`',
        "seed": "none; here `extra_info.seed` of the row",
        "rollout": "`agent_loop` of the generator",
        "trajectory": "`TrajectoryOutput`: token ids, loss mask, a reward per token",
    },
    comparison=(
        (
            "Compared with GEM, which also passes text: an object is one episode. No `reset`, no vector, one flag "
            "for both ends."
        ),
        "Compared with Verifiers: the loop calls the class instead of hooks, and gives reward message by message.",
        (
            "Compared with OpenEnv, ORS and NeMo Gym: no server, no session "
            "and no tool schemas; the prompt says how to act."
        ),
    ),
    pitfalls=(
        (
            "The generator sets `extras['max_turns']` to `generator.max_turns`, which is 1 by default:"
            " set it to the turn limit, or every episode is truncated after one tool call."
        ),
        (
            "The generator leaves its loop only at `done` or when the context is full. In the second"
            " case the environment is closed without an end, so a post-episode reward is lost."
        ),
        (
            "`init()` replaces the prompt of the row by that of the live episode, so a changed rule needs"
            " no new dataset. SkyRL drops rows by the length of the row's own prompt."
        ),
        "There is no seed argument: it is `extra_info.seed` of the row, otherwise the task's own.",
        (
            "A `stop` string such as `</guess>` ends each message after its first action. SkyRL keeps"
            " it in the text; with another engine set `include_stop_str_in_output: true`, or every"
            " action arrives without its closing tag and is not played."
        ),
        (
            "The registry is one per process: import this module in the entry point and in the"
            " function that Ray runs, before the trainer makes an environment."
        ),
        (
            "What raises in `init()` or `step()` ends the whole training step: SkyRL gathers its episodes"
            " without `return_exceptions`. So a world that breaks ends its episode: it gives no further reward, has"
            ' `metadata["failure"]` and counts in the metric `environment/failed`, which should stay near 0.'
        ),
        (
            "The cost: the policy gets 0 for a failure that is not its own, because an environment cannot"
            ' leave an episode out. `env_config={"on_failure": "raise"}` raises instead, after the world is'
            " freed. SkyRL reads it from `cfg.environment.skyrl_gym.NAME`, which its command line refuses: set"
            " it in the entry point. rollout.py always raises: there a failed episode has no score."
        ),
        "`register()` refuses a second registration of an id: this module looks first.",
        (
            "Pictures come as `image_url` parts of the user message, which only SkyRL's generator for"
            " vision models takes (`SkyRLVLMGymGenerator`); messages that open an episode are text."
            " Outside the vision archetype a picture becomes a note that says so."
        ),
        "`skyrl_gym.__version__` is 0.0.0 in every release; ask importlib.metadata.",
    ),
    blocking_pitfalls=(
        (
            "The generator plays in a pool of `environment.skyrl_gym.max_env_workers` threads, 32 by"
            " default, and in the event loop if it is 0: where calls block, set it to the number of"
            " episodes that are played at once, or some wait for others' calls."
        ),
    ),
    warm_imports=("skyrl_gym", "httpx", "jsonschema"),
    # The ids that skyrl_gym registers itself: ours would be ignored in favour of its own.
    reserved_names=frozenset(
        {"aime", "gsm8k", "gsm8k_multi_turn", "lcb", "search", "searchcode", "text2sql"}
    ),
    publish="install the folder where the trainer runs: `uv pip install FOLDER`",
)
