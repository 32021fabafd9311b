"""Whether a certificate still holds. If files changed, the certificate's kept episodes are replayed."""

from __future__ import annotations

from pathlib import Path

from skill_tools.evidence.certificate import KeptEpisode, PortRun, read_certificate
from skill_tools.evidence.saved import hash_sources
from skill_tools.files import ANSWERS_FILE, CLAIMS_FILE, EXAMPLES_FILE, READINGS_FILE
from skill_tools.ports.comparison import first_difference
from skill_tools.ports.equality import EqualityRules
from skill_tools.ports.sides import DomainSide, PlayedScript
from skill_tools.runtime.progress import Progress
from skill_tools.spec.model import EnvSpec

OF_READERS = frozenset({ANSWERS_FILE, CLAIMS_FILE, EXAMPLES_FILE, READINGS_FILE})
"""Files that say what is expected of an environment, and change nothing in it."""


def check_certificate(spec: EnvSpec, folder: Path, progress: Progress) -> PortRun | None:
    """Return an environment's certificate, with the changes since its comparison; None without a certificate.

    The kept episodes are replayed only if one of the author's files changed. Raises SkillToolsError if the
    certificate's file is broken.
    """
    certificate = read_certificate(folder)
    if certificate is None:
        return None
    now = hash_sources(spec, folder)
    before = certificate.sources
    changed = [n for n in {**before, **now} if now.get(n) != before.get(n) and n not in OF_READERS]
    if not changed or not certificate.kept:
        return PortRun(certificate=certificate, changed=changed)
    progress("domain", "replaying the episodes of the certificate")
    rules = EqualityRules.model_validate(certificate.rules)
    played = DomainSide(spec, folder).play([each.script for each in certificate.kept])
    found = [
        first_difference(kept.script, ours, _as_played(kept), rules)
        for kept, ours in zip(certificate.kept, played, strict=True)
    ]
    again = [each for each in found if each]
    return PortRun(certificate=certificate, changed=changed, replayed=len(played), again=again)


def _as_played(kept: KeptEpisode) -> PlayedScript:
    return PlayedScript(kept.opening, kept.steps, "kept", kept.total)
