"""A server for a variant's ASGI app on a free port of this machine: serve.py FRAMEWORK FILE."""

import importlib
import importlib.util
import inspect
import socket
import sys
from pathlib import Path

import uvicorn


def load(file):
    """Load a Python file as a module with the file's name, as if it were run from its folder."""
    sys.path.insert(0, str(file.parent))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = sys.modules[file.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def openenv(file):
    """Return the app that openenv.yaml names. The app's module is imported from the folder of openenv.yaml."""
    lines = file.read_text("utf-8").splitlines()
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("app:")]
    module, _, name = (named[0] if named else "server.app:app").strip("\"'").partition(":")
    sys.path.insert(0, str(file.parent))
    return getattr(importlib.import_module(module), name)


def ors(file):
    """Return the app that a file defines, or else the app of the file's server, or else the app of a new server."""
    from openreward.environments import Environment, Server

    module = load(file)
    if hasattr(module, "app"):
        return module.app
    servers = [each for each in vars(module).values() if isinstance(each, Server)]
    return (servers[0] if servers else Server(own(module, Environment))).app


def nemo_gym(file):
    """Return the app that a file defines, or else the app of the file's resources server, without Ray."""
    module = load(file)
    if hasattr(module, "app"):
        return module.app
    from nemo_gym.base_resources_server import BaseResourcesServerConfig, SimpleResourcesServer
    from nemo_gym.config_types import BaseServerConfig
    from nemo_gym.server_utils import ServerClient
    from omegaconf import OmegaConf

    here = {"host": "127.0.0.1", "port": 0}
    server = own(module, SimpleResourcesServer)[0]
    configs = own(module, BaseResourcesServerConfig) or [BaseResourcesServerConfig]
    config = configs[0](name="env", entrypoint=file.name, **here)
    head = BaseServerConfig(**here)
    client = ServerClient(head_server_config=head, global_config_dict=OmegaConf.create({}))
    return server(config=config, server_client=client).setup_webserver()


def own(module, base):
    """Return the subclasses of a base class that the module itself defines."""
    found = [each for each in vars(module).values() if inspect.isclass(each)]
    return [each for each in found if issubclass(each, base) and each.__module__ == module.__name__]


def main():
    """Serve until another process ends this process."""
    framework, file = sys.argv[1], Path(sys.argv[2])
    # Nothing of this folder may stand in for the variant's own modules.
    sys.path[:] = [path for path in sys.path if Path(path) != Path(__file__).parent]
    app = {"openenv": openenv, "ors": ors, "nemo_gym": nemo_gym}[framework](file)
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    print(f"evals: serving at http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    server.run(sockets=[listener])


if __name__ == "__main__":
    main()
