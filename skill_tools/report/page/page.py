"""One self-contained HTML page, which needs no server, network access or other files."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import re
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from skill_tools.evidence.images.pictures import NoPictureError, decode, read_base64
from skill_tools.report.page.contents import Contents

OURS = '<meta name="generator" content="skill-tools">'
"""Marks a file as a page written by skill-tools, so that a new page may replace it."""
WORTH = 4_000
"""Minimum size in characters of a picture worth recompressing; smaller ones do not save enough to be worth 30 ms."""
_KIND = re.compile(r"image/[a-z0-9.+-]{1,40}")
_PLACE = Path(__file__).parent


def write_page(contents: Contents) -> str:
    """Return the HTML page as text.

    The page contains text from an environment, a task or a model as packed data, and the page's own script shows
    this data as text. The page's content security policy allows no other script and no requests.
    """
    data = contents.pack()
    pictures = [_shrink(kind, each) for kind, each in data.pop("pictures")]
    loader = FileSystemLoader(_PLACE)
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    style, chart, script = _asset("page.css"), _chart(), _asset("page.js") + _asset("study.js")
    scripts = " ".join(_hash(each) for each in (chart, script))
    policy = (
        f"default-src 'none'; img-src data:; style-src {_hash(style)}; script-src {scripts}; "
        "base-uri 'none'; form-action 'none'"
    )
    return environment.get_template("page.html.jinja").render(
        title=contents.title,
        ours=Markup(OURS),
        policy=policy,
        style=Markup(style),
        chart=Markup(chart),
        script=Markup(script),
        data=_packed(data),
        # Not packed: pictures are already compressed. Neither contains characters that HTML interprets.
        pictures="\n".join(pictures),
    )


def _packed(data: object) -> str:
    # As ASCII, because a lone surrogate has no other representation in a file.
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode(), 6, mtime=0)).decode()


def _shrink(kind: str, data: str) -> str:
    """Return a picture as a data URL. A large PNG is compressed without loss to about a third of its size."""
    try:
        read_base64(data)
    except NoPictureError:
        return "data:,"
    kept = f"data:{kind if _KIND.fullmatch(kind) else 'image/png'};base64,{data}"
    try:
        if kind != "image/png" or len(data) < WORTH:
            return kept
        with decode(data) as picture:
            if picture.mode not in ("RGB", "RGBA") or getattr(picture, "n_frames", 1) > 1:
                return kept
            packed = io.BytesIO()
            picture.save(packed, "webp", lossless=True, method=4)
    except (NoPictureError, OSError, ValueError):
        return kept
    smaller = base64.b64encode(packed.getvalue()).decode()
    return f"data:image/webp;base64,{smaller}" if len(smaller) < len(data) else kept


def _hash(text: str) -> str:
    """Return the hash that a content security policy uses for a script or a style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def _asset(name: str) -> str:
    return (_PLACE / name).read_text("utf-8")


@cache
def _chart() -> str:
    """Return Chart.js as published, without its last line, which requests another file for developers' tools.

    Chart.js draws what the page needs (bars, lines and points on named axes) in 205 kB, or 70 kB compressed for
    transfer. Plotly and Vega are 1 to 4 MB, and uPlot (50 kB) has no categorical axis.
    """
    return _asset("chart.umd.min.js").rpartition("//# sourceMappingURL")[0]
