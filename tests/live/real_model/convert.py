"""Turns a GGUF file into a folder that transformers serves; run by the Python of a venv with both.

Usage: convert.py GGUF FOLDER TEMPLATE, where TEMPLATE is a chat template or empty for the model's
own.
"""

import sys
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, GenerationConfig

CALLS = {
    "defaults": {"role": "assistant"},
    "start_anchor": "<|im_start|>assistant\n",
    "fields": {
        "tool_calls": {
            "open_pattern": r"\s*<tool_call>",
            "close": "</tool_call>",
            "repeats": True,
            "content": "json",
            "transform": {"type": "function", "function": "{content}"},
        },
        "content": {"close_pattern": r"\s*(?:<\|im_end\|>|<\|endoftext\|>)", "content": "text"},
    },
}
"""How a server that knows this model reads its calls; transformers has the same for Qwen's."""


def main() -> None:
    gguf, folder, template = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    source = {"gguf_file": gguf.name}
    read = AutoModelForCausalLM.from_pretrained(gguf.parent, dtype=torch.float32, **source)
    config = read.config
    if hasattr(config, "quantization_config"):
        del config.quantization_config
    # What was read from a GGUF file refuses to be saved; its weights in a new model do not.
    fresh = AutoModelForCausalLM.from_config(config, dtype=torch.float32)
    fresh.load_state_dict(read.state_dict())
    tokenizer = AutoTokenizer.from_pretrained(gguf.parent, **source)
    if template:
        tokenizer.chat_template = template
        tokenizer.response_template = CALLS
    ends = tokenizer.convert_tokens_to_ids(["<|im_end|>", "<|endoftext|>"])
    fresh.generation_config = GenerationConfig(
        do_sample=True, temperature=0.8, eos_token_id=ends, pad_token_id=ends[0]
    )
    fresh.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


main()
