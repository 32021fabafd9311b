"""Pick a colour: any hex code that meets the WCAG contrast range and the channel rule."""
import re

ANSWER = re.compile(r"^[ \t*`]*colou?r[*`]*:[ \t*`]*(\S+)[ \t]*$", re.I | re.M)


def to_rgb(code):
    code = code.strip("*`.")
    m = re.fullmatch(r"#([0-9a-fA-F]{6}|[0-9a-fA-F]{3})", code)
    if not m:
        return None
    h = m.group(1)
    if len(h) == 3:
        h = "".join(c * 2 for c in h)
    return tuple(int(h[i:i + 2], 16) for i in (0, 2, 4))


def luminance(rgb):
    lin = []
    for v in rgb:
        c = v / 255
        lin.append(c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4)
    return 0.2126 * lin[0] + 0.7152 * lin[1] + 0.0722 * lin[2]


def contrast(a, b):
    hi, lo = sorted((luminance(a), luminance(b)), reverse=True)
    return (hi + 0.05) / (lo + 0.05)


def rule_ok(rgb, rule):
    r, g, b = rgb
    if rule == "red":
        return r > max(g, b)
    if rule == "green":
        return g > max(r, b)
    if rule == "blue":
        return b > max(r, g)
    if rule == "grey":
        return r == g == b
    if rule == "spread":
        return max(rgb) - min(rgb) >= 100
    raise ValueError(rule)


def reward(completions, background, low, high, rule, **kwargs):
    out = []
    for c, bg, lo, hi, rl in zip(completions, background, low, high, rule):
        text = c if isinstance(c, str) else c[-1]["content"]
        found = ANSWER.findall(text)
        rgb = to_rgb(found[-1]) if found else None
        if rgb is None:
            out.append(0.0)
            continue
        ratio = contrast(rgb, to_rgb(bg))
        out.append(1.0 if lo <= ratio <= hi and rule_ok(rgb, rl) else 0.0)
    return out
