"""A stand-in for E2B's cloud on one loopback port, spoken to by E2B's real client.

Run in a venv with starlette, uvicorn, python-multipart, jupyter-client and ipykernel:

    python e2b_stand_in.py PORT FOLDER KEY MOST

FOLDER holds sockets, KEY is the one key that is taken, MOST the number of sandboxes that an account
may have. A sandbox is a set of real processes in namespaces of their own, with 64 MB in /home/user;
its kernels and commands do what E2B's server and envd do with theirs, as far as the sandbox module
can tell. GET /stand-in lists the sandboxes, and
says in a header how many there were.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import pwd
import signal
import struct
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import uvicorn
from e2b_stand_in_kernel import Kernel, child_of, settings_folder
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

FOLDER, KEY, MOST = Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
TOKEN, LONGEST = "envd-token", 3600
# Longer than E2B's client keeps a connection that it does not use (300 s). A server that closes one
# first may do so just as it is used again, and the request breaks off.
IDLE_SECONDS = 600
ROOT = os.geteuid() == 0
INIT = """
set -e
mount --make-rprivate /
mount -t tmpfs none "$0"
for there in /home/*; do
    name=${there#/home/}
    if [ -d "$there" ] && [ ! -L "$there" ]; then
        mkdir "$0/$name" && mount --rbind "$there" "$0/$name"
    fi
done
mkdir -p "$0/user"
mount -t tmpfs -o size=64m,mode=755 none "$0/user"
mount --rbind "$0" /home
if [ "$1" = desktop ]; then
    [ -z "$2" ] || mount --bind "$2" /usr/local/bin
    mount -t tmpfs -o mode=1777 none /tmp
fi
mount -t proc proc /proc
echo ready
while :; do sleep 3600 & wait $!; done
"""
WRITE = 'mkdir -p "$(dirname "$1")" && [ ! -d "$1" ] && exec cat > "$1"'


class Machine:
    """One sandbox."""

    def __init__(self, number: str, asked: dict[str, Any]) -> None:
        self.number = number
        self.asked = asked
        self.alive = True
        self.contexts: dict[str, Kernel] = {}
        self.folder = FOLDER / number

    async def start(self) -> None:
        (self.folder / "home").mkdir(parents=True)
        flags = ["--mount", "--pid", "--fork", "--kill-child"]
        flags += [] if ROOT else ["--user", "--map-root-user"]
        init = await asyncio.create_subprocess_exec(
            "unshare",
            *flags,
            "sh",
            "-c",
            INIT,
            self.folder / "home",
            self.asked["templateID"],
            os.environ.get("STAND_IN_PROGRAMS", ""),
            stdout=asyncio.subprocess.PIPE,
        )
        if await init.stdout.readline() != b"ready\n":
            raise RuntimeError("this machine allows no mount and pid namespaces")
        self.init = child_of(init.pid)
        asyncio.get_running_loop().call_later(self.asked.get("timeout", 15), self.kill)

    def enter(self, command: list[str]) -> list[str]:
        flags = [] if ROOT else ["--user", "--preserve-credentials"]
        return ["nsenter", "-t", str(self.init), *flags, "--mount", "--pid", "--", *command]

    def kill(self) -> None:
        if self.alive:
            self.alive = False
            SANDBOXES.pop(self.number, None)
            with suppress(ProcessLookupError):
                os.kill(self.init, signal.SIGKILL)


SANDBOXES: dict[str, Machine] = {}
MADE: list[str] = []
TASKS: set[asyncio.Task[None]] = set()


def problem(status: int, message: str) -> JSONResponse:
    return JSONResponse({"code": status, "message": message}, status)


# The control plane.


async def create(request: Request) -> Response:
    key = request.headers.get("x-api-key")
    if key != KEY:
        return problem(401, f"no team has the API key {key}")
    asked = await request.json()
    if asked["timeout"] > LONGEST:
        return problem(400, "Timeout cannot be greater than 1 hours")
    if asked["templateID"] == "none-such":
        return problem(404, "template 'none-such' not found")
    if len(SANDBOXES) >= MOST:
        return problem(429, f"the maximum number of concurrent E2B sandboxes ({MOST}) is reached")
    number = f"i{os.urandom(8).hex()}"
    machine = SANDBOXES[number] = Machine(number, asked)
    MADE.append(number)
    await machine.start()
    reported = {"templateID": asked["templateID"], "sandboxID": number, "clientID": "c"}
    return JSONResponse({**reported, "envdVersion": "0.6.7", "envdAccessToken": TOKEN}, 201)


async def kill(request: Request) -> Response:
    machine = SANDBOXES.get(request.path_params["number"])
    if machine is None:
        return problem(404, "sandbox not found")
    machine.kill()
    return Response(status_code=204)


async def listing(request: Request) -> Response:
    asked = [machine.asked for machine in SANDBOXES.values()]
    return JSONResponse(asked, headers={"sandboxes-made": str(len(MADE))})


# The code interpreter's server, on port 49999 of a sandbox.


async def contexts(request: Request, machine: Machine) -> Response:
    if request.method == "POST":
        asked = await request.json()
        number = os.urandom(8).hex()
        kernel = Kernel(machine, asked.get("cwd", "/home/user"), settings_folder(FOLDER))
        await kernel.start()
        machine.contexts[number] = kernel
        return JSONResponse({"id": number, "language": "python", "cwd": kernel.cwd})
    known = [{"id": n, "language": "python", "cwd": k.cwd} for n, k in machine.contexts.items()]
    return JSONResponse(known)


async def restart(request: Request, machine: Machine) -> Response:
    kernel = machine.contexts.get(request.path_params["number"])
    if kernel is None:
        return Response("Context not found", 404)
    await kernel.restart()
    return Response("null", media_type="application/json")


async def execute(request: Request, machine: Machine) -> Response:
    asked = await request.json()
    kernel = machine.contexts.get(asked["context_id"])
    if kernel is None:
        return Response(f"Context {asked['context_id']} not found", 404)
    return StreamingResponse(_lines(kernel.execute(asked["code"])))


async def _lines(events: AsyncIterator[dict[str, Any]]) -> AsyncIterator[str]:
    async for event in events:
        yield json.dumps(event) + "\n"
    yield '{"type": "end_of_execution"}\n'


# envd, on port 49983 of a sandbox.


async def health(request: Request, machine: Machine) -> Response:
    return Response(status_code=204)


async def write(request: Request, machine: Machine) -> Response:
    if request.headers["content-type"].startswith("multipart/"):
        parts = (await request.form()).getlist("file")
        files = [(request.query_params.get("path", p.filename), await p.read()) for p in parts]
    else:
        files = [(request.query_params["path"], await request.body())]
    for path, data in files:
        process = await asyncio.create_subprocess_exec(
            *machine.enter(["sh", "-c", WRITE, "sh", path]),
            stdin=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        _, errors = await process.communicate(data)
        if b"No space left" in errors:
            return problem(507, f"attempted to write {len(data)} bytes: not enough disk space")
        if process.returncode:
            found = errors.decode() or f"path is a directory: {path}"
            return problem(500 if errors else 400, found)
    return JSONResponse([{"name": Path(p).name, "type": "file", "path": p} for p, _ in files])


def frame(message: dict[str, Any], last: bool = False) -> bytes:
    body = json.dumps(message).encode()
    return struct.pack(">BI", 2 if last else 0, len(body)) + body


async def start(request: Request, machine: Machine) -> Response:
    asked = json.loads((await request.body())[5:])["process"]
    events = _command(request, machine, asked)
    return StreamingResponse(events, media_type="application/connect+json")


async def _command(
    request: Request, machine: Machine, asked: dict[str, Any]
) -> AsyncIterator[bytes]:
    said = request.headers.get("authorization", "").split()[1:]
    named = base64.b64decode(said[0]) if said else b""
    if named not in (b"", b"user:", f"{pwd.getpwuid(os.getuid()).pw_name}:".encode()):
        yield refusal("unauthenticated", "error looking up user")
        return
    cwd = asked.get("cwd", "/home/user")
    if not Path(f"/proc/{machine.init}/root{cwd}").is_dir():
        yield refusal("invalid_argument", f"cwd '{cwd}' does not exist")
        return
    variables = {"PATH": os.environ["PATH"], "HOME": "/root"}
    variables |= {**machine.asked.get("envVars", {}), **asked.get("envs", {})}
    environment = [f"{name}={value}" for name, value in variables.items()]
    command = ["env", "-i", "-C", cwd, *environment, asked["cmd"], *asked["args"]]
    pipe = asyncio.subprocess.PIPE
    try:
        process = await asyncio.create_subprocess_exec(
            *machine.enter(command), stdin=asyncio.subprocess.DEVNULL, stdout=pipe, stderr=pipe
        )
    except OSError as error:
        yield refusal("invalid_argument", f"error starting process: {error.strerror}")
        return
    child = child_of(process.pid)
    inside = process.pid
    with suppress(OSError):  # it may be over already
        inside = int(Path(f"/proc/{child}/status").read_text().split("NSpid:")[1].split()[1])
    milliseconds = request.headers.get("connect-timeout-ms")
    timer = asyncio.get_running_loop().call_later(
        int(milliseconds or 0) / 1000 or 1e6, _kill, child
    )
    yield frame({"event": {"start": {"pid": inside}}})
    printed: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue(64)
    pumps = [
        asyncio.create_task(_pump(stream, name, printed))
        for stream, name in ((process.stdout, "stdout"), (process.stderr, "stderr"))
    ]
    try:
        while not (all(pump.done() for pump in pumps) and printed.empty()):
            with suppress(TimeoutError):
                name, data = await asyncio.wait_for(printed.get(), 0.02)
                yield frame({"event": {"data": {name: base64.b64encode(data).decode()}}})
    except (asyncio.CancelledError, GeneratorExit):
        TASKS.add(asyncio.create_task(_discard(printed)))  # the command goes on unheard
        raise
    code = await process.wait()
    timer.cancel()
    if not machine.alive:
        raise ConnectionResetError  # the connection breaks, as it does with the real one
    ended = {"exited": code >= 0, "status": f"exit status {code}"}
    yield frame({"event": {"end": {"exitCode": max(code, -1), **ended}}})
    yield frame({}, last=True)


async def _pump(
    stream: asyncio.StreamReader, name: str, printed: asyncio.Queue[tuple[str, bytes]]
) -> None:
    while data := await stream.read(32 << 10):
        await printed.put((name, data))


async def _discard(printed: asyncio.Queue[tuple[str, bytes]]) -> None:
    while True:
        await printed.get()


def refusal(code: str, message: str) -> bytes:
    return frame({"error": {"code": code, "message": message}}, last=True)


def _kill(process: int) -> None:
    with suppress(ProcessLookupError):
        if process:
            os.kill(process, signal.SIGKILL)


def of_sandbox(endpoint: Any, envd: bool) -> Any:
    """Find the sandbox of a request, as the proxy in front of them does."""

    async def found(request: Request) -> Response:
        machine = SANDBOXES.get(request.headers.get("e2b-sandbox-id", ""))
        if machine is None:
            return problem(502, "The sandbox was not found")
        if envd and request.headers.get("x-access-token") != TOKEN:
            return problem(401, "unauthorized access")
        return await endpoint(request, machine)

    return found


APP = Starlette(
    routes=[
        Route("/v2/sandboxes", create, methods=["POST"]),
        Route("/sandboxes/{number}", kill, methods=["DELETE"]),
        Route("/stand-in", listing),
        Route("/contexts", of_sandbox(contexts, envd=False), methods=["GET", "POST"]),
        Route("/contexts/{number}/restart", of_sandbox(restart, envd=False), methods=["POST"]),
        Route("/execute", of_sandbox(execute, envd=False), methods=["POST"]),
        Route("/health", of_sandbox(health, envd=False)),
        Route("/files", of_sandbox(write, envd=True), methods=["POST"]),
        Route("/process.Process/Start", of_sandbox(start, envd=True), methods=["POST"]),
    ]
)

if __name__ == "__main__":
    uvicorn.run(
        APP,
        host="127.0.0.1",
        port=int(sys.argv[1]),
        log_level="warning",
        timeout_keep_alive=IDLE_SECONDS,
    )
