"""llama.cpp's own server, started by the Python of a venv that has it; ends with its stdin.

Usage: llama_cpp.py GGUF PORT JSON, where JSON has fields of llama.cpp's parameters.
"""

import json
import sys
import threading

import xllamacpp


def main() -> None:
    gguf, port, settings = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])
    params = xllamacpp.CommonParams()
    params.model.path = gguf
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.warmup = False
    params.use_jinja = True
    # Threads that wait for each other in a loop take seconds a token where others use the cores.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = settings.pop("threads", 1)
    # A request names its own; these are for those that do not.
    params.sampling.seed = settings.pop("seed", 0)
    params.sampling.temp = settings.pop("temperature", 0.8)
    params.model_alias = {settings.pop("model_alias")}
    for name, value in settings.items():
        if not hasattr(params, name):
            sys.exit(f"llama.cpp has no parameter {name}")
        setattr(params, name, value)
    server = xllamacpp.Server(params)
    print(f"listening on {server.listening_address}", flush=True)
    threading.Event().wait()


main()
