"""Import an existing environment, and compare an environment with its original."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skill_tools import __version__
from skill_tools.audit.target import Target, target_of
from skill_tools.errors import SkillToolsError, nearest
from skill_tools.evidence.certificate import (
    CERTIFICATE_FILE,
    Certificate,
    Disagreement,
    Scripted,
    read_certificate,
)
from skill_tools.evidence.saved import hash_sources
from skill_tools.files import SPEC_FILE, find_environment, write_whole
from skill_tools.frameworks import rules
from skill_tools.ports.comparison import BATCH, Comparison, first_difference, tools_apart
from skill_tools.ports.equality import RULES_FILE, read_rules
from skill_tools.ports.imports import Imported, wrap
from skill_tools.ports.options import CompareOptions, ImportOptions
from skill_tools.ports.original import original_of
from skill_tools.ports.port_scripts import ScriptedTask, read_tasks, recorded_scripts, write_round
from skill_tools.ports.sides import DomainSide, PlayedScript, Side, original_side
from skill_tools.reference.children import kept
from skill_tools.runtime.progress import Progress, silent

MOST_BATCHES = 500
"""Maximum number of times that both sides play some rounds of scripts."""
MOST_DIFFERING = 20
"""Number of differing episodes after which nothing more is learned."""


def import_environment(
    target: str | Path,
    folder: Path | str,
    framework: str | None = None,
    options: ImportOptions | None = None,
    *,
    progress: Progress = silent,
) -> Imported:
    """Write an environment around an existing environment, which is then played in its own process.

    ``target`` is a target of ``audit``: an address, a folder, a registered id, or file.py:function with rows. The
    code of the original runs with your rights. Raises SkillToolsError if the target cannot be recognized or
    played, RenderError if the folder is not empty, and InstallError if its venv cannot be made; nothing is
    written in these cases.
    """
    asked = options or ImportOptions()
    found = target_of(target, framework, asked.as_audit())
    return wrap(Path(folder), found, asked, progress)


@dataclass(frozen=True)
class WrittenCertificate:
    """A certificate and its file; the file is None if the certificate was not written."""

    certificate: Certificate
    file: Path | None


@kept()
def compare(
    folder: Path | str,
    other: Path | str | None = None,
    framework: str | None = None,
    options: CompareOptions | None = None,
    *,
    progress: Progress = silent,
) -> WrittenCertificate:
    """Play the same actions in two environments, and compare everything that the environments return.

    ``folder`` has an env.yaml. ``other`` is another such folder or a target of ``audit``; the default is the original
    that ``import`` kept. The certificate is written to port.json in the folder unless ``options.output`` names another
    file. Raises SkillToolsError if an environment cannot be played, or if the two have no task in common.
    """
    asked = options or CompareOptions()
    here = find_environment(folder)
    with _both_sides(here, other, framework, asked, progress) as (ours, theirs, found):
        progress("compare", "reading the tasks that both environments have")
        tasks = read_tasks(ours.spec, here, found.get("places", []))[: asked.num_tasks]
        allowed = read_rules(asked.rules or here / RULES_FILE)
        schemas = theirs.tools() if found else {}
        seen = Comparison(allowed, schemas, limited=not found or bool(found.get("max_turns")))
        reseed = ours.spec.seed.used and (not found or bool(found.get("seeded")))
        _play_rounds(seen, (ours, theirs), tasks, asked, reseed, progress)
        certificate = _sealed(seen, (ours, theirs))
    file = asked.output or here / CERTIFICATE_FILE
    write_whole(file, certificate.model_dump_json(indent=1) + "\n")
    return WrittenCertificate(certificate, file)


@dataclass(frozen=True)
class ComparedEpisode:
    """One script played on both sides, and the first difference between the sides, if there is one."""

    script: Scripted
    ours: PlayedScript
    theirs: PlayedScript
    difference: Disagreement | None


@kept()
def compare_episode(
    folder: Path | str,
    key: str,
    other: Path | str | None = None,
    framework: str | None = None,
    options: CompareOptions | None = None,
    *,
    progress: Progress = silent,
) -> ComparedEpisode:
    """Replay one script of a certificate on both sides; see ``compare``.

    ``key`` is the name of a script in port.json. Raises SkillToolsError for an unknown name.
    """
    asked = options or CompareOptions()
    here = find_environment(folder)
    known = read_certificate(here)
    scripts = {
        each.script.key: each.script
        for each in [*(known.disagreements if known else ()), *(known.kept if known else ())]
    }
    after = {each.script.key: each.after for each in known.disagreements} if known else {}
    if key not in scripts:
        raise SkillToolsError(
            f"{here / CERTIFICATE_FILE} has no script {key!r}{nearest(key, scripts)}\n"
            "    fix: name one that `skill-tools compare` printed"
        )
    allowed = read_rules(asked.rules or here / RULES_FILE)
    with _both_sides(here, other, framework, asked, progress) as (ours, theirs, _):
        wanted = [each for each in (after.get(key), scripts[key]) if each]
        left, right = ours.play(wanted)[-1], theirs.play(wanted)[-1]
        schemas = {} if isinstance(theirs, DomainSide) else theirs.tools()
    found = first_difference(scripts[key], left, right, allowed, schemas)
    return ComparedEpisode(scripts[key], left, right, found)


@contextmanager
def _both_sides(
    here: Path,
    other: Path | str | None,
    framework: str | None,
    asked: CompareOptions,
    progress: Progress,
) -> Iterator[tuple[DomainSide, Side, dict[str, Any]]]:
    """Yield both environments and, if the other environment has no env.yaml, the result of its driver's discovery."""
    ours = DomainSide(rules.load(here), here)
    if other is not None and (Path(other) / SPEC_FILE).is_file():
        place = find_environment(other)
        yield ours, DomainSide(rules.load(place), place), {}
        return
    target = _target(here, other, framework, asked)
    names = read_rules(asked.rules or here / RULES_FILE).tools
    with original_side(target, asked.num_tasks, asked.seconds, names, progress) as theirs:
        yield ours, theirs, dict(theirs.driven.found or {})


def _target(
    here: Path, other: Path | str | None, framework: str | None, asked: CompareOptions
) -> Target:
    if other is None:
        return original_of(here)
    return target_of(other, framework, asked.as_audit())


def _play_rounds(
    seen: Comparison,
    sides: tuple[DomainSide, Side],
    tasks: Sequence[ScriptedTask],
    asked: CompareOptions,
    reseed: bool,
    progress: Progress,
) -> None:
    """Play rounds of scripts until enough actions are compared, the time is up, or a round plays nothing new."""
    ours, theirs = sides
    until = time.monotonic() + asked.seconds
    recorded = recorded_scripts(asked.recorded, tasks)
    texts = [text for task in tasks for text in task.texts]
    most = max(1, BATCH // (4 * len(tasks)))
    first = 0
    for number in range(MOST_BATCHES):
        shown = [*texts, *seen.shown]
        # At first few rounds at once: what they reach is extended by the next.
        rounds = range(first, first + min(1 + number // 2, most))
        first = rounds.stop
        scripts = [
            each
            for at in rounds
            for each in write_round(ours.spec, tasks, at, shown, seen.frontier, reseed=reseed)
        ]
        scripts = [*recorded, *scripts] if number == 0 else scripts
        before = seen.actions
        seen.play(ours, theirs, scripts, until)
        if number == 0:
            seen.repeat(sides, scripts)
        progress("compare", f"{seen.agreed} of {seen.actions} actions agree")
        enough = seen.actions >= asked.actions or seen.differing >= MOST_DIFFERING
        if enough or seen.unstable or time.monotonic() > until or seen.actions == before:
            break
    seen.isolate(sides)


def _sealed(seen: Comparison, sides: tuple[DomainSide, Side]) -> Certificate:
    """Return the result of a comparison as a certificate."""
    ours, theirs = sides
    left = [f"{why} ({count} episodes)" for why, count in sorted(seen.skipped.items())]
    if seen.differing > len(seen.disagreements):
        left.append(f"{seen.differing - len(seen.disagreements)} more episodes differ")
    facts = theirs.facts()
    return Certificate(
        skill_tools=__version__,
        ours=ours.spec.name,
        theirs=theirs.name,
        original=dict(facts),
        episodes=seen.episodes,
        actions=seen.actions,
        agreed=seen.agreed,
        by_policy={name: (each[0], each[1]) for name, each in seen.by_policy.items()},
        tools_differ=tools_apart(ours.tools(), theirs.tools()),
        disagreements=seen.disagreements,
        not_compared=left,
        unstable=seen.unstable,
        rules=seen.rules.model_dump(exclude_defaults=True),
        sources=hash_sources(ours.spec, ours.folder),
        kept=seen.kept,
    )
