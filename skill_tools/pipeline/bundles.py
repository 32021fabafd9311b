"""One variant with its domain, in a folder of its own."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from skill_tools.files import find_environment
from skill_tools.frameworks import rules
from skill_tools.reference.shipped import try_alone
from skill_tools.render.bundle import Bundle, write_bundle
from skill_tools.render.writer import on_request


def bundle(folder: Path | str, framework: str, output: Path | str | None = None) -> Bundle:
    """Write one variant with its domain to a folder of its own; by default next to ``folder``.

    Raises RenderError if the variant differs from what env.yaml renders to or the target exists, DomainError if the
    domain does not work without the unpublished files.
    """
    folder = find_environment(folder)
    spec = rules.load(folder).with_frameworks(on_request(folder))
    trial = partial(try_alone, spec, folder)
    return write_bundle(spec, folder, framework, Path(output) if output else None, try_out=trial)
