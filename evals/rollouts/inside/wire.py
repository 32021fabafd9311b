"""The connection on which a driver answers requests. All other output goes to the driver's log."""

import json
import os
import socket
import sys
import traceback
import urllib.error
import urllib.request


def settings():
    """Return the driver's settings: the case's settings, the variant's files, and the variant's address."""
    return json.loads(sys.argv[2])


def answer(handlers):
    """Answer requests until the connection ends. A handler's exception is returned as an answer, too."""
    stream = socket.create_connection(("127.0.0.1", int(sys.argv[1]))).makefile(
        "rw", encoding="utf-8"
    )
    for line in stream:
        question = json.loads(line)
        try:
            reply = handlers[question.pop("do")](**question)
        except BaseException as error:  # noqa: BLE001 - whatever it is, somebody waits for an answer
            traceback.print_exc()
            reply = {"error": f"{type(error).__name__}: {error}"}
        stream.write(json.dumps(reply, default=str) + "\n")
        stream.flush()
    os._exit(0)


def fetched(url, body=None):
    """Return the JSON that a server on this machine sends, or None if the server has no such route."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json"})
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=60) as answered:
            return json.loads(answered.read())
    except urllib.error.HTTPError:
        return None


def content(blocks):
    """Return the text and the images of content blocks, in the formats that most frameworks use."""
    texts, images = [], []
    for block in blocks or []:
        block = block if isinstance(block, dict) else vars(block)
        if block.get("type") == "image":
            images.append(block["data"])
        elif block.get("type") == "image_url":
            images.append(block["image_url"]["url"].partition("base64,")[2])
        else:
            texts.append(block.get("text", ""))
    return {"text": "\n".join(texts), "images": images}


def said(message):
    """Return the text and the images of a chat message, whose content is a string or blocks."""
    text = message.get("content")
    return content([{"text": text}] if isinstance(text, str) else text)


def schema(parameters):
    """Return a tool's schema of parameters. Some frameworks omit the schema of a tool without parameters."""
    return parameters or {"type": "object", "properties": {}}
