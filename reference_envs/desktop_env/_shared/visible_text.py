"""The part of a model's message that others may read. `skill-tools render` overwrites this file."""

import re

from .arguments import clean

_OPEN = (
    r"<(?:seed:)?think(?:ing)?\s*>|\[THINK\]|◁think▷|<\|START_THINKING\|>|<\|begin_of_thought\|>"
)
_CLOSE = (
    r"</(?:seed:)?think(?:ing)?\s*>|\[/THINK\]|◁/think▷|<\|END_THINKING\|>|<\|end_of_thought\|>"
)
_EDGE = re.compile(rf"(?P<open>{_OPEN})|(?P<close>{_CLOSE})", re.IGNORECASE)
_CHANNEL = re.compile(r"<\|channel\|>\s*(\w+)[^<]*<\|message\|>(.*?)(?=<\|\w+\|>|\Z)", re.DOTALL)
_WRAPPER = re.compile(r"<\|(?:START|END)_RESPONSE\|>|<\|(?:begin|end)_of_solution\|>")
_ENDS = (
    *("<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|end|>", "<|end_of_text|>", "<|endoftext|>"),
    *("<|return|>", "<|END_OF_TURN_TOKEN|>", "<end_of_turn>", "<eos>", "</s>"),
    "<\uff5cend\u2581of\u2581sentence\uff5c>",
)


def visible(text: str) -> str:
    """Return a message without its reasoning and without surrounding white space.

    Chat templates mark reasoning by tags, such as <think>, or by channels. An opening tag that is never closed hides
    the rest of the message. A closing tag without an opening tag hides everything before it, because some templates put
    the opening tag into the prompt. Tokens at the end of a message are also removed, because some trainers include
    them.
    """
    text = clean(text).rstrip()
    while end := next((each for each in _ENDS if text.endswith(each)), ""):
        text = text[: -len(end)].rstrip()
    if channels := _CHANNEL.findall(text):
        text = "".join(content for name, content in channels if name == "final")
    shown, at, hidden = list[str](), 0, False
    for edge in _EDGE.finditer(text):
        if edge["open"] and not hidden:
            shown.append(text[at : edge.start()])
            hidden = True
        elif edge["close"]:
            if not hidden:
                shown.clear()
            hidden, at = False, edge.end()
    if not hidden:
        shown.append(text[at:])
    return _WRAPPER.sub("", "".join(shown)).strip()
