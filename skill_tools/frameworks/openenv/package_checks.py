"""RFC 008 for an OpenEnv package: check its files, and build the report in OpenEnv's own schema.

OpenEnv's driver runs this module in OpenEnv's venv. The module reads the package's files and imports nothing
from the package. Each check's evidence states what was examined, because the module does not build images,
for example.
"""

from __future__ import annotations

import json
import re
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from audit_bounds import cut
from jsonschema import Draft202012Validator
from openenv.validation.manifest import ManifestError, NormalizedManifest
from openenv.validation.parsers.openenv_yaml import OpenEnvYamlParser
from openenv.validation.policy import apply_policy, load_policy
from openenv.validation.report import CheckResult, ValidationReportV2
from openenv.validation.runner import source_digest
from openenv.validation.types import Lane, Level, SignatureKind

POLICY = "v2"
LARGEST = 4 << 20
NEEDED = ("openenv.yaml", "README.md", "pyproject.toml", "client.py", "server/app.py")
SECRETS = re.compile(r"(^|/)(\.env|id_rsa|.*\.pem|.*\.key|\.netrc|credentials\.json)$")
BULKY = 20 << 20
Verdict = tuple[str, list[str], str]
"""A status, its evidence, and a fix."""


def report(folder: Path | None, target: str, seen: dict[str, Any]) -> dict[str, Any]:
    """Return the validation report for a package and an audit's evidence, according to OpenEnv's own policy.

    ``seen`` has ``results`` by check id, each ``{status, evidence, remediation, measured}``,
    ``observations`` to validate against ``schemas``, and the result of discovery.
    """
    manifest, results = None, []
    if folder is None:
        results.append(
            _result("static.manifest", ("skip", ["no package: an address was audited"], ""))
        )
    else:
        try:
            manifest = OpenEnvYamlParser().parse(folder)
            results.append(_result("static.manifest", ("pass", ["openenv.yaml parses"], "")))
        except (ManifestError, OSError) as error:
            errors = getattr(error, "errors", [str(error)])
            fix = getattr(error, "remediation", None) or "add openenv.yaml"
            results.append(_result("static.manifest", ("fail", errors, fix)))
    results += [_static(name, folder, manifest) for name in STATIC]
    verdicts = {**seen["results"], **_declared(manifest, seen)}
    results += [
        _result(name, (t["status"], t["evidence"], t["remediation"]), t.get("measured"))
        for name, t in verdicts.items()
    ]
    results.append(_result("runtime.observation_schema", _observations(seen)))
    policy = load_policy(POLICY)
    here = policy.entries_for_lane(Lane.LOCAL)
    results = [each for each in results if each.check_id in here]
    made = ValidationReportV2(
        report_schema_version="2",
        target=target,
        source_digest=_digest(folder),
        signature=SignatureKind.OPENENV_SERVED,
        manifest=manifest,
        policy_version=POLICY,
        lane=Lane.LOCAL,
        levels_run=[Level.STATIC, Level.RUNTIME, Level.SEMANTIC],
        results=sorted(results, key=lambda each: list(here).index(each.check_id)),
        verdict=apply_policy(results, policy, Lane.LOCAL),
    )
    return made.model_dump(mode="json")


def _static(name: str, folder: Path | None, manifest: NormalizedManifest | None) -> CheckResult:
    began = time.monotonic()
    if folder is None:
        verdict: Verdict = ("skip", ["no package: an address was audited"], "")
    else:
        verdict = STATIC[name](folder, manifest)
    return _result(name, verdict, seconds=time.monotonic() - began)


def _layout(folder: Path, manifest: NormalizedManifest | None) -> Verdict:
    lost = [name for name in NEEDED if not (folder / name).is_file()]
    if not _dockerfile(folder):
        lost.append("Dockerfile or server/Dockerfile")
    found = (
        [f"missing: {', '.join(lost)}"] if lost else ["all files that `openenv push` needs exist"]
    )
    return _verdict(bool(lost), found, "add the missing files")


def _hygiene(folder: Path, manifest: NormalizedManifest | None) -> Verdict:
    files = [path for path in folder.rglob("*") if path.is_file()][:20_000]
    names = [path.relative_to(folder).as_posix() for path in files]
    bad = [name for name in names if SECRETS.search(name)]
    bad += [n for n, p in zip(names, files, strict=True) if p.stat().st_size > BULKY]
    ignored = _read(folder / ".dockerignore")
    bad += [".git" for _ in range((folder / ".git").exists() and ".git" not in ignored)]
    found = [f"in the build context: {name}" for name in bad[:20]]
    return _verdict(
        bool(bad), found or ["no secret, repository or bulky file"], "list them in .dockerignore"
    )


def _labels(folder: Path, manifest: NormalizedManifest | None) -> Verdict:
    there = re.findall(r"org\.opencontainers\.image\.(\w+)", _dockerfile(folder))
    found = [f"labels: {', '.join(there) or 'none'} (read in the Dockerfile)"]
    return _verdict(not there, found, "add LABEL org.opencontainers.image.source and .version")


def _sbom(folder: Path, manifest: NormalizedManifest | None) -> Verdict:
    packages = _locked(folder)
    bare = [p.get("name", "?") for p in packages if not (p.get("sdist") or p.get("wheels"))]
    found = [f"uv.lock names {len(packages)} packages, {len(bare)} of them without a hash"]
    return _verdict(not packages, found, "commit uv.lock, the source of a bill of materials")


def _pinning(folder: Path, manifest: NormalizedManifest | None) -> Verdict:
    packages = _locked(folder)
    listed = _project(folder).get("dependencies") or []
    loose = [str(each) for each in listed if "==" not in str(each)]
    found = [f"{len(packages)} packages in uv.lock; not pinned in pyproject.toml: {loose[:10]}"]
    return _verdict(not packages and bool(loose), found, "commit uv.lock, or pin with ==")


def _resources(folder: Path, manifest: NormalizedManifest | None) -> Verdict:
    if manifest is None:
        return _undeclared("resources")
    declared = manifest.resources.model_dump(mode="json")
    return "pass", [f"declared: {json.dumps(declared)}"], ""


def _timeout(folder: Path, manifest: NormalizedManifest | None) -> Verdict:
    if manifest is None:
        return _undeclared("resources.episode_timeout_s")
    most = load_policy(POLICY).bounds.max_episode_timeout_s
    seconds = manifest.resources.episode_timeout_s
    found = [f"{seconds:g} s are declared; the maximum is {most:g} s"]
    return _verdict(seconds > most, found, "declare a shorter episode_timeout_s")


def _distribution(folder: Path, manifest: NormalizedManifest | None) -> Verdict:
    if manifest is None:
        return _undeclared("task_distribution")
    pins = manifest.task_distribution
    if not manifest.capabilities.task_api and pins is None:
        return "pass", ["no task distribution is declared, so there is none to pin"], ""
    pinned = pins is not None and any(v is not None for v in pins.model_dump().values())
    return _verdict(not pinned, [f"task_distribution: {pins}"], "pin the generator's seed or data")


def _reproducible(folder: Path, manifest: NormalizedManifest | None) -> Verdict:
    return "skip", ["the image is not built here, so two builds cannot be compared"], ""


STATIC: dict[str, Callable[[Path, NormalizedManifest | None], Verdict]] = {
    "static.reproducible_build": _reproducible,
    "static.image_hygiene": _hygiene,
    "static.layout": _layout,
    "static.sbom": _sbom,
    "static.oci_labels": _labels,
    "static.resource_declaration": _resources,
    "static.timeout_ceiling": _timeout,
    "static.dependency_pinning": _pinning,
    "static.task_distribution_pinning": _distribution,
}


def _declared(manifest: NormalizedManifest | None, seen: dict[str, Any]) -> dict[str, Any]:
    """Return verdicts on the manifest's declarations of tools, tasks, resources and the oracle's location."""
    found = seen["found"]
    tools = [tool.get("name") for tool in found.get("tools") or []]
    kinds = manifest.capabilities if manifest else None
    wanted = kinds.declared_tools if kinds else []
    sizes, counts = found.get("splits") or {}, kinds.declared_task_count if kinds else {}
    verdicts: dict[str, Any] = {}

    def tell(name: str, wrong: bool, evidence: str, fix: str) -> None:
        status = "fail" if wrong else "pass"
        verdicts[name] = {
            "status": status,
            "evidence": [evidence],
            "remediation": fix if wrong else "",
        }

    differ = sorted(map(str, tools)) != sorted(wanted) and bool(wanted)
    tools_text = f"declared {wanted or 'none'}, discovered {tools}"
    if found:
        tell("runtime.tool_declaration_accuracy", differ, cut(tools_text, 2000), "declare these")
    if sizes or counts:
        wrong = any(sizes.get(split) != size for split, size in counts.items())
        wrong = wrong or bool(found.get("odd_tasks"))
        said = f"declared {counts or 'none'}, discovered {sizes}; {found.get('odd_tasks') or 'consistent'}"
        tell("runtime.task_declaration_accuracy", wrong, cut(said, 2000), "declare these counts")
    if manifest and seen.get("memory_mb"):
        used, most = seen["memory_mb"], manifest.resources.memory_mb
        said = f"the server used up to {used:.0f} MB; {most} MB are declared"
        tell("runtime.resource_bounds", used > most, said, "declare the measured memory")
        slow, limit = seen.get("slowest", 0.0), manifest.resources.episode_timeout_s
        said = f"{said}; the longest episode took {slow:.1f} s of {limit:g} s"
        tell(
            "semantic.resource_envelope", used > most or slow > limit, said, "declare these values"
        )
    if manifest and kinds and kinds.oracle and seen.get("folder"):
        ignored = _read(Path(seen["folder"]) / ".dockerignore")
        place = kinds.oracle.location
        out = any(
            line.strip().rstrip("/") in (place, place.split("/")[0]) for line in ignored.split("\n")
        )
        said = f"the oracle {place} is {'kept out of' if out else 'in'} the build context"
        tell("runtime.oracle_containment", not out, said, "list the oracle in .dockerignore")
    return verdicts


def _observations(seen: dict[str, Any]) -> Verdict:
    """Validate some observations, as the server sent them, against the server's schema."""
    schemas = seen.get("schemas") if isinstance(seen.get("schemas"), dict) else {}
    schema = schemas.get("observation")
    if not isinstance(schema, dict) or not seen["observations"]:
        return "skip", ["there is no schema, or no observation to compare with it"], ""
    if '"$ref": "#' not in json.dumps(schema) and '"$ref"' in json.dumps(schema):
        return "fail", ["the schema refers to another file"], "refer only within the schema"
    # The envelope has these fields, so the client's observation does not.
    wanted = [r for r in schema.get("required", []) if r not in ("done", "reward", "metadata")]
    checked = Draft202012Validator({**schema, "required": wanted})
    wrong = [
        f"{'/'.join(map(str, error.path)) or 'observation'}: {cut(error.message, 200)}"
        for each in seen["observations"]
        for error in list(checked.iter_errors(each))[:3]
    ]
    good = [f"{len(seen['observations'])} observations fit the schema"]
    return _verdict(
        bool(wrong), wrong[:10] or good, "return the fields that the observation model declares"
    )


def _result(name: str, verdict: Verdict, measured: Any = None, seconds: float = 0.0) -> CheckResult:
    status, evidence, fix = verdict
    lines = [cut(line, 1000) for line in evidence]
    return CheckResult(
        check_id=name, status=status, evidence=lines, remediation=fix or None,
        measured=measured or {}, duration_s=max(0.0, seconds),
    )  # fmt: skip


def _verdict(wrong: bool, evidence: list[str], fix: str) -> Verdict:
    return ("fail", evidence, fix) if wrong else ("pass", evidence, "")


def _undeclared(what: str) -> Verdict:
    return (
        "fail",
        [f"openenv.yaml declares no {what} under validation"],
        "declare it in openenv.yaml, under validation",
    )


def _digest(folder: Path | None) -> str:
    try:
        return source_digest(folder) if folder else ""
    except (ValueError, OSError):
        return ""


def _dockerfile(folder: Path) -> str:
    return _read(folder / "Dockerfile") or _read(folder / "server" / "Dockerfile")


def _locked(folder: Path) -> list[dict[str, Any]]:
    try:
        return tomllib.loads(_read(folder / "uv.lock")).get("package") or []
    except tomllib.TOMLDecodeError:
        return []


def _project(folder: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_read(folder / "pyproject.toml")).get("project") or {}
    except tomllib.TOMLDecodeError:
        return {}


def _read(path: Path) -> str:
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return file.read(LARGEST).decode("utf-8", "replace")
