"""GEM: the facts in which this framework differs from the others."""

from skill_tools.frameworks.framework import Framework, InFolder

GEM = Framework(
    name="gem",
    title="GEM",
    distribution="gem-llm",
    # gem-llm 0.1 does not declare `requests`, which its wrapper factory imports; `rstr` makes random
    # text that matches a pattern. ROLL pins 0.0.4, which has all that the rendered class uses.
    requirements=("gem-llm>=0.0.4,<0.2", "requests>=2", "rstr>=3"),
    python=">=3.11,<3.13",
    transport="in-process",
    actions="text",
    packages=("gem",),
    in_folder=InFolder(mark="gem-llm", links=True, id="asked"),
    reads_text=True,
    docs="https://github.com/axon-rl/gem",
    summary=(
        "Choose GEM for Gymnasium's reset and step over text, with vectorized environments. ROLL creates its "
        "episodes with `gem.make`, and GEM's repository has glue code for Oat, verl, OpenRLHF, RL2 and Tinker."
    ),
    driver=(
        "Your code drives, as in Gymnasium: `reset()` opens an episode and returns its first "
        "text, `step()` takes a message of the model, and a vector resets an environment when its episode ends."
    ),
    turns=(
        "Multi-turn; the only turn limit is that of the environment, which you can pass to `gem.make()`. In a "
        "single-turn environment, the first step returns `terminated`."
    ),
    reward_and_end=(
        "Every `step()` returns its reward, `terminated` (the world is done, or the model "
        "stopped) and `truncated` (the turn limit was reached)."
    ),
    state=(
        "Stateful: the object has one episode at a time and `reset()` replaces it; "
        "`spawn(same_state=True)` returns a second object in the same state."
    ),
    vocabulary={
        "environment": "an `Env`, made by `gem.make(id)`; our variants have one id per split",
        "task": "the task that `reset()` opens: the next task of the split, or the task passed to `gem.make()`",
        "split": "none; in our variants a part of the id, as in `NAME:train`",
        "episode": "from one `reset()` to the next",
        "tool": "a tag in the model's text; GEM's own `BaseTool` wraps an environment",
        "observation": "the text that `reset()` and `step()` return",
        "step": "`step()`: one message of the model, which may contain several tool calls",
        "reward": "the second of the five values that `step()` returns",
        "end": "`terminated` or `truncated`",
        "turn limit": "none; in our variants `max_turns` of `gem.make()`, reported by `truncated`",
        "seed": "`seed` of `reset()`, `gem.make()` and `gem.make_vec()`",
        "rollout": "your own loop",
        "trajectory": "none; in our variants `info` has the steps that a message caused",
    },
    comparison=(
        (
            "SkyRL Gym also gets the model's text, but in GEM one object plays many episodes, `reset` chooses "
            "the task, and the turn limit has its own flag. GEM has no dataset: the id contains the "
            "split, and the seed sets the order of its tasks."
        ),
        (
            "Unlike OpenEnv and ORS, GEM has no server and no list of tasks (pass `index=` or `task=` "
            "to choose one), and `step` accepts the model's text instead of a tool call."
        ),
        "Unlike with Verifiers and NeMo Gym, you run the rollouts yourself, and rewards come message by message.",
    ),
    pitfalls=(
        (
            "ROLL is the only trainer that imports GEM. For Oat, verl, OpenRLHF, RL2 and Tinker, "
            "GEM's repository has glue code (`examples/train_*`, last changed in December 2025). "
            "Adapt a copy to your trainer's release."
        ),
        (
            "ROLL pins gem-llm 0.0.4, with which our class works too. ROLL's TrajEnvManager "
            "ends an episode at `terminated` or its own `max_steps`, and ignores `truncated`. "
            "Set `max_steps` to the turn limit, or the model uselessly continues after the end."
        ),
        (
            "`gem.make_vec` resets an environment in the step that ends its episode. This step returns the text and "
            "info of the next episode, but the rewards and flags of the ended episode. To get the last text and "
            "info of an episode, create SyncVectorEnv yourself with `AutoresetMode.NEXT_STEP`."
        ),
        (
            "`gem.make_vec` passes each environment a seed (`seed` plus the environment's position), which decides "
            "the order of the tasks. If an environment has one task, this seed is the seed of the world."
        ),
        (
            "`reset()` of `gem.Env` reseeds Python's and numpy's global generators, which threads share. Our class "
            "has its own `reset()`, which does not reseed them."
        ),
        (
            "Wrappers copy attributes when they are created, so their `episode` stays None, and they hide `spawn()` "
            "and `sample_random_action()`. Use `env.unwrapped`."
        ),
        (
            "GRPO on GEM copies a running episode with `get_state()` and `set_state()`, or `spawn()` (Oat's "
            "`train_oat_grpo.py`, Tinker's adapter). In our class, a state is the list of calls so far, as JSON "
            "data. A copy repeats these calls in a new world; a sandbox therefore runs the programs again."
        ),
        (
            "GEM's training scripts put each observation into a template that asks for "
            "`\\boxed{}`, and read the action from the box. Choose the template that is called `no` instead."
        ),
        (
            "Neither `gem.Env` nor a vector has `close()`. Our class has `close()`, and also frees its world at the "
            "next `reset()`."
        ),
        (
            "GEM's wheel requires Python 3.12.0 or older: pip refuses it on 3.12.1, but uv installs it. The wheel "
            "pins nltk, msgspec and reasoning-gym to one release each."
        ),
        "Importing gem configures the root logger at INFO and takes about a second.",
        (
            "GEM's observations are only text. In our class, a note replaces each picture; the picture is in "
            '`info["steps"]`. GEM\'s only environment with pictures shows them at `reset()`, never after a step.'
        ),
        (
            "The opening is one text. If a task has messages from before the episode (`prompt.history`), the "
            "opening shows each message after its role in brackets, and tool calls as tags."
        ),
    ),
    blocking_pitfalls=(
        (
            "`gem.make_vec` steps its environments one after another. If calls block, pass `async_mode=True`, which "
            "gives each environment a thread. `reset()` still opens the environments one by one, and a step takes "
            "as long as the slowest environment. rollout.py plays each environment at its own pace."
        ),
    ),
    warm_imports=("gem", "gem.wrappers.wrapper_factory", "httpx", "jsonschema"),
    publish="install the folder where the trainer runs: `uv pip install FOLDER`",
)
