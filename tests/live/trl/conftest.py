"""PyTorch for every test here, without what only a GPU wants."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

ON_DISK = Path("/opt/wheels")
"""Where this project's machines have PyTorch for the CPU; anywhere else the package index has one."""


@pytest.fixture(scope="module", autouse=True)
def on_the_cpu(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """PyTorch without gigabytes of CUDA, where there is such a file."""
    with pytest.MonkeyPatch.context() as changed:
        changed.setenv("OMP_NUM_THREADS", "1")
        for wheel in ON_DISK.glob("torch-*+cpu-*.whl"):
            pinned = tmp_path_factory.mktemp("torch") / "constraint.txt"
            pinned.write_text(f"torch=={wheel.name.split('-')[1]}")
            changed.setenv("UV_FIND_LINKS", str(ON_DISK))
            changed.setenv("UV_CONSTRAINT", str(pinned))
        yield
