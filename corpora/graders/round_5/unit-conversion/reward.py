import re

TOL = 0.005  # 0.5 %, told in the prompt
ANSWER = re.compile(r"<answer>(.*?)</answer>", re.S)
QUANTITY = re.compile(r"([-+\u2212]?)((?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,15})(?:\.[0-9]{1,15})?)\s*([^\s0-9.,+-]\S*)")


def _text(completion):
    if isinstance(completion, list):
        completion = completion[-1].get("content") if completion else ""
    return completion if isinstance(completion, str) else ""


def parse_quantity(text):
    if text.count("<answer>") != 1 or text.count("</answer>") != 1:
        return None
    found = ANSWER.search(text)
    if found is None:
        return None
    m = QUANTITY.fullmatch(found.group(1).strip())
    if not m:
        return None
    number = float(m.group(2).replace(",", ""))
    if m.group(1) in ("-", "\u2212"):
        number = -number
    return number, m.group(3)


def conversion_reward(prompts, completions, value, unit, **kwargs):
    rewards = []
    for completion, v, u in zip(completions, value, unit):
        parsed = parse_quantity(_text(completion))
        if parsed is None:
            rewards.append(0.0)
            continue
        number, got_unit = parsed
        close = abs(number - v) <= TOL * abs(v) + 1e-9
        rewards.append(1.0 if close and u in got_unit else 0.0)
    return rewards
