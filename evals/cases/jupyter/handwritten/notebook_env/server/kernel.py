"""The kernel of one episode: a process that runs the cells from its first pipe."""

import json
import os
import signal
import sys

ANSWERS = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # what code prints past sys.stdout does not break the answers
os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"


def outputs(shell, code):
    """Run a cell. Return its outputs as MCP content blocks."""
    from IPython.utils.capture import capture_output

    signal.signal(signal.SIGALRM, too_long)
    signal.alarm(30)
    try:
        with capture_output() as caught:
            shell.run_cell(code, store_history=True)
    finally:
        signal.alarm(0)
    blocks = [{"type": "text", "text": text} for text in (caught.stdout, caught.stderr) if text]
    for output in caught.outputs:
        if "image/png" in output.data:
            image = output.data["image/png"].strip()
            blocks.append({"type": "image", "data": image, "mimeType": "image/png"})
        else:
            blocks.append({"type": "text", "text": output.data.get("text/plain", "")})
    return blocks or [{"type": "text", "text": "(no output)"}]


def too_long(number, frame):
    raise TimeoutError("the cell was stopped after 30 seconds")


def main():
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance(colors="nocolor", history_load_length=0)
    for line in sys.stdin:
        print(json.dumps(outputs(shell, json.loads(line))), file=ANSWERS, flush=True)


main()
