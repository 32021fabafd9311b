"""The page for people: the desktop as a clickable image, and its episode.

Each open page has its own episode. Gradio takes seconds to import, so only the code that builds the page
imports it.
"""

import html
import json
from collections.abc import Awaitable
from types import SimpleNamespace
from typing import Any

from .. import env_spec, task_table
from .visit import SCROLL, TOOLS, Arguments, Visit, by_shape

IDLE = 3600.0
"""Seconds after the last action until a desktop is closed, even if its page is still open."""
SHOWN = 600
"""Seconds for which the server keeps a picture's file; a page that shows it already has it."""
CLOSED = "No task is open here, or not any more: open one."  # events for all controls that act


def build(*_: Any) -> Any:
    """Return the page as Gradio's Blocks, for the `gradio_builder` of OpenEnv."""
    import gradio as gr

    events = _events(gr)
    with gr.Blocks(title=env_spec.TITLE, delete_cache=(SHOWN, SHOWN)) as page:
        gr.HTML(f"<style>{STYLE}</style>", elem_id="page-style")
        # Every action renews it; a page that disappears is closed with it.
        session = gr.State(None, time_to_live=IDLE, delete_callback=events.leave)
        with gr.Row(elem_id="page-top"):
            title, about = html.escape(env_spec.TITLE), html.escape(env_spec.DESCRIPTION)
            gr.HTML(f"<h1>{title}</h1><p>{about}</p>", elem_id="page-title")
            splits = task_table.splits()
            split = gr.Dropdown(splits, value=splits[0], label="Split", scale=0, min_width=130)
            task = gr.Number(**_range(splits[0]), precision=0, scale=0, min_width=130)
            opening = gr.Button("Open the task", variant="primary", scale=0, min_width=150)
        instruction = gr.HTML("<p>Choose a task and open it.</p>", elem_id="page-task")
        with gr.Row(elem_id="page-desk"):
            with gr.Column(scale=4, min_width=600):
                screen = gr.Image(
                    show_label=False, format="png", interactive=False, elem_id="page-screen"
                )
                actions = gr.HTML(elem_id="page-actions")
                with gr.Accordion("What a model reads about the environment", open=False):
                    gr.HTML(f"<pre>{html.escape(env_spec.SYSTEM_PROMPT or '')}</pre>")
            with gr.Column(scale=1, min_width=330, elem_id="page-side"):
                status = gr.HTML("<p>No task is open.</p>", elem_id="page-status")
                outputs = [session, screen, status, actions]
                # Desktops of different people do not wait for each other.
                played = {"concurrency_limit": None, "show_progress": "hidden"}
                _controls(gr, events, screen, outputs, played)
        split.change(lambda split: gr.Number(**_range(split)), split, task, **played)
        opening.click(events.open, [split, task], [*outputs, instruction], **played)
        page.unload(events.left)
    return page


def _range(split: str) -> Arguments:
    last = len(task_table.tasks(split)) - 1
    return {"value": 0, "label": f"Task, 0 to {last}", "minimum": 0, "maximum": last}


def _controls(gr: Any, events: Any, screen: Any, outputs: list[Any], played: Arguments) -> None:
    clicks, texts, calls = by_shape()
    if clicks:
        names = [(_named(name), name) for name in clicks]
        way = gr.Radio(
            names, value=clicks[0], label="A click on the desktop is", elem_id="page-clicks"
        )
        screen.select(events.click, way, outputs, **played)
    for name in texts:
        description = next(iter(TOOLS[name]["properties"].values())).get("description", "")
        label = f"{_named(name)} (Enter sends it)"
        box = gr.Textbox(
            label=label, placeholder=description, max_lines=1, elem_id=f"page-tool-{name}"
        )
        box.submit(events.text(name), box, [*outputs, box], **played)
    last = [call for call in calls if call[1] and call[0] != SCROLL]  # for example terminate
    for group in ([call for call in calls if call not in last], last):
        with gr.Row(elem_classes="page-buttons"):
            for name, given in group:
                label = _named(name, str(next(iter(given.values()), "")))
                kind = "primary" if group is last else "secondary"
                button = gr.Button(label, size="sm", min_width=120, variant=kind)
                button.click(events.call(name, given), None, outputs, **played)
            if group is not last:
                stopping = gr.Button("Stop here", size="sm", min_width=120)
                stopping.click(events.stop, None, outputs, **played)
    with gr.Accordion("Any other action", open=False):
        tool = gr.Dropdown(list(TOOLS), label="Action")
        given = gr.Textbox("{}", label="Arguments as JSON, with Enter", max_lines=1)
        given.submit(events.other, [tool, given], outputs, **played)


def _named(tool: str, value: str = "") -> str:
    return f"{tool} {value}".replace("_", " ").strip().capitalize()


def _read_arguments(gr: Any, text: str) -> Any:
    """Parse a person's JSON. Raise Gradio's error, which the page shows."""
    try:
        return json.loads(text or "{}")
    except ValueError as error:
        raise gr.Error(str(error), title="Not JSON", print_exception=False) from None


def _events(gr: Any) -> SimpleNamespace:
    """Return the handlers of the page's controls. Gradio reads the handlers' inputs from their annotations."""
    visits: dict[str, Visit] = {}

    def leave(session: str | None) -> None:
        if visit := visits.pop(session or "", None):
            visit.close()

    def left(request: gr.Request) -> None:
        leave(request.session_hash)

    async def seen(session: str, doing: Awaitable[Any]) -> tuple[Any, ...]:
        visit = visits[session]
        picture = await visit.attempt(doing)
        shown = gr.skip() if picture is None else picture
        return session, shown, visit.status(), visit.actions()

    def found(request: gr.Request) -> Visit:
        if visit := visits.get(request.session_hash):
            return visit
        raise gr.Error(CLOSED, title="Nothing was done", print_exception=False)

    async def open_task(split: str, index: float, request: gr.Request) -> tuple[Any, ...]:
        leave(request.session_hash)
        visits[request.session_hash] = visit = Visit()
        outputs = await seen(request.session_hash, visit.open(split, int(index or 0)))
        return *outputs, visit.instruction()

    async def click(tool: str, request: gr.Request, event: gr.SelectData) -> tuple[Any, ...]:
        place = [int(length) for length in event.index]
        return await seen(request.session_hash, found(request).click(tool, place))

    async def stop(request: gr.Request) -> tuple[Any, ...]:
        return await seen(request.session_hash, found(request).stop())

    async def other(tool: str, text: str, request: gr.Request) -> tuple[Any, ...]:
        given = _read_arguments(gr, text)
        return await seen(request.session_hash, found(request).play(tool, given))

    def call(tool: str, given: Arguments) -> Any:
        async def press(request: gr.Request) -> tuple[Any, ...]:
            return await seen(request.session_hash, found(request).play(tool, given))

        return press

    def text(tool: str) -> Any:
        (name,) = TOOLS[tool]["required"]

        async def write(value: str, request: gr.Request) -> tuple[Any, ...]:
            doing = found(request).play(tool, {name: value})
            return *await seen(request.session_hash, doing), ""

        return write

    return SimpleNamespace(
        leave=leave, left=left, open=open_task, click=click, stop=stop, other=other,
        call=call, text=text,
    )  # fmt: skip


STYLE = """
.gradio-container.gradio-container { max-width: 1500px !important; padding: 12px 20px !important; }
#page-style { display: none; }
#page-top { align-items: center; flex-wrap: wrap; }
#page-top .wrap-inner { padding: 0; }
#page-top button { white-space: nowrap; }
#page-title h1 { font-size: 26px; font-weight: 700; letter-spacing: -.02em; margin: 0; }
#page-title p { color: var(--body-text-color-subdued); margin: 2px 0 0; }
#page-task p { border-left: 4px solid var(--color-accent); background: var(--color-accent-soft);
  padding: 12px 16px; margin: 0; font-size: 17px; white-space: pre-wrap; border-radius: 6px; }
#page-desk { align-items: start; gap: 20px; }
#page-screen { border: 1px solid var(--border-color-primary) !important; padding: 0; }
#page-screen img { width: 100%; height: auto; cursor: crosshair; }
#page-screen .icon-button-wrapper { display: none; }
#page-side { gap: 10px; }
#page-side input[type=text], #page-side textarea, #page-top input {
  border: 1px solid var(--input-border-color) !important; border-radius: 8px !important;
  padding: 8px 10px !important; }
#page-status p { border: 1px solid var(--border-color-primary); border-radius: 8px; margin: 0;
  padding: 10px 14px; }
#page-status p.over { background: var(--color-accent-soft); border-color: var(--color-accent); }
.page-buttons.page-buttons { gap: 6px; padding: 0 calc(var(--spacing-xl) + 2px); }
#page-clicks .wrap { gap: 4px 10px; }
#page-desk pre { white-space: pre-wrap; }
#page-actions ol { padding-left: 32px; margin: 0; max-height: 260px; overflow: auto; }
#page-actions li { padding: 4px 0; border-top: 1px solid var(--border-color-primary); }
#page-actions code { font-size: 12px; word-break: break-word; background: none; padding: 0; }
#page-actions small { display: block; white-space: pre-wrap; word-break: break-word;
  color: var(--body-text-color-subdued); }
#page-actions li.refused small { color: #b42318; }
"""
