"""Reverse a word: an environment for SkyRL Gym, written by hand."""

import re

import skyrl_gym
from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput

WORDS = {
    "train": ["table", "window", "summer", "pencil", "orange", "dragon", "mirror", "forest"]
    + ["butter", "candle"],
    "test": ["violin", "pocket", "marble", "saddle"],
}


class ReverseWordEnv(BaseTextEnv):
    def __init__(self, env_config=None, extras=None):
        super().__init__()
        about = (extras or {}).get("extra_info", {})
        self.word = WORDS[about.get("split") or "train"][about.get("index", 0)]
        self.tries, self.over = 0, False

    def init(self, prompt):
        text = f"Write it backwards as <answer>...</answer>. You have two tries.\nWORD: {self.word}"
        return [*prompt, {"role": "user", "content": text}], {}

    def step(self, action):
        found = re.search(r"<answer>(.*?)</answer>", action)
        self.tries += 1
        right = bool(found) and found[1].strip().lower() == self.word[::-1]
        self.over = right or self.tries == 2 or not found
        reward = (1.0 if self.tries == 1 else 0.5) if right else 0.0
        text = "VERDICT: right" if right else "VERDICT: wrong"
        told = [{"role": "user", "content": text}]
        return BaseTextEnvStepOutput(observations=told, reward=reward, done=self.over, metadata={})


skyrl_gym.register(id="reverse_word", entry_point="reverse_word:ReverseWordEnv")
