"""CON: whether the author's files keep the domain contract."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from skill_tools import backends
from skill_tools.checks.check import Check, Hit, Place, check, skip
from skill_tools.checks.needs import (
    DOMAIN,
    IMPORTS,
    PROBED,
    REFERENCE,
    SANDBOX,
    SOAK,
    SPEC,
    TOOLS,
    probe,
)
from skill_tools.checks.reading.distributions import distributions_of, plain_name, with_requirements
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.reference_run import DomainClass
from skill_tools.frameworks import FRAMEWORKS


def domain_lacks(
    lacking: Callable[[DomainClass, Evidence], Iterable[str]], words: str, evidence: Evidence
) -> Iterator[Hit]:
    """Yield a hit for each name that ``lacking`` reports as missing from the domain's class or module."""
    domain, file = DOMAIN.of(evidence), _domain_file(evidence)
    for name in lacking(domain, evidence):
        tool = name if name in evidence.declaration.parameters else ""
        message = words.format(domain=domain.name, file=file, name=name)
        yield Hit(message, place=Place(tool=tool, file=file))


def imports_unwanted(
    unwanted: Callable[[str, Evidence], bool], evidence: Evidence
) -> Iterator[Hit]:
    """Yield a hit for each import in the author's files for which ``unwanted`` returns true."""
    for path, modules in IMPORTS.of(evidence).items():
        for module in modules:
            if unwanted(module, evidence):
                yield Hit(f"{path} imports {module}", place=Place(file=path))


def _foreign(module: str, _: Evidence) -> bool:
    return module.split(".")[0] in {"skill_tools", *_frameworks()}


def _is_oracle(module: str, evidence: Evidence) -> bool:
    return module.split(".")[-1] == evidence.oracle_module


@check(
    "CON002",
    "wrong-parameters",
    fix="give the method exactly the parameters that the spec lists",
    needs=[DOMAIN, TOOLS],
    after=["CON001"],
    trusts="nothing",
)
def wrong_parameters(evidence: Evidence) -> Iterator[Hit]:
    """Every tool method takes exactly the parameters of the spec.

    Arguments are passed by name, so a renamed parameter raises a TypeError in the middle of training.
    """
    for tool, declared in evidence.declaration.parameters.items():
        found = DOMAIN.of(evidence).tools.get(tool, [])
        if "**" not in found and set(found) != set(declared):
            have, want = ", ".join(found), ", ".join(declared)
            message = f"{tool}({have}) should take ({want})"
            yield Hit(message, place=Place(tool=tool, file=_domain_file(evidence)))


@check(
    "CON008",
    "domain-prints",
    fix="remove the print; use logging for messages to people",
    needs=[SOAK],
    level="warn",
    trusts="nothing",
)
def domain_prints(evidence: Evidence) -> Iterator[Hit]:
    """The domain writes nothing to standard output.

    Servers that communicate over standard output send the printed text to their client.
    """
    if said := SOAK.of(evidence).said.strip():
        yield Hit(f"episodes print {said.splitlines()[0][:100]!r}")


@check(
    "CON009",
    "file-stays-behind",
    fix="list every module and data file that the domain uses under `include` in env.yaml",
    needs=[REFERENCE],
    after=["CON006", "EPI006"],
)
def file_stays_behind(evidence: Evidence) -> Iterator[Hit]:
    """The domain plays the same episodes if only the files that env.yaml lists are present.

    Other files are not published, so a domain that uses them works only on this machine.
    """
    if evidence.packaged is None:
        yield skip("no episode was played with the published files alone")
    elif evidence.packaged:
        yield Hit(evidence.packaged)


@check(
    "CON010",
    "package-not-declared",
    fix="list the package under `packages` in env.yaml, with the versions that work",
    needs=[IMPORTS, SPEC],
    after=["CON005"],
    trusts="nothing",
)
def package_not_declared(evidence: Evidence) -> Iterator[Hit]:
    """Every package that the domain imports is listed in env.yaml.

    An unlisted package may be installed on this machine, but the variants' venvs do not have it.
    """
    imports = IMPORTS.of(evidence)
    own = {Path(name).stem for name in imports} | {"", "_shared", "rl_env_sandbox"}
    known = with_requirements(
        {plain_name(each) for each in backends.requirements(SPEC.of(evidence))}
    )
    for path, modules in imports.items():
        for top in dict.fromkeys(module.split(".")[0] for module in modules):
            if top in own or top in sys.stdlib_module_names or top in _frameworks():
                continue
            if plain_name(top) in known:
                continue
            distributions = distributions_of(top)
            if distributions and not known & {plain_name(each) for each in distributions}:
                message = f"{path} imports {top}, of the package {distributions[0]}"
                yield Hit(message, place=Place(file=path))


@check(
    "CON011",
    "branch-never-taken",
    fix="spell the value as the tasks spell it, generate tasks that use it, or delete the branch",
    needs=[probe("coverage")],
    after=["TAS005"],
    level="warn",
)
def branch_never_taken(evidence: Evidence) -> Iterator[Hit]:
    """Each branch that tests for a named value, such as a level, is taken in some episode.

    A name that is spelled in two ways disables a rule without any error.
    """
    seen = PROBED.of(evidence).unreached
    if not seen:
        yield skip("the episodes are too slow for all of them to be traced")
        return
    for each in seen.untaken:
        where, often = f"{each.file}:{each.line}", f"{each.was} true in {seen.episodes} episodes"
        message = f"{where}: `{each.condition}` was {often}"
        yield Hit(message, place=Place(file=each.file, line=each.line))


@check(
    "CON012",
    "status-changes-world",
    fix="make status() read the world without changing any counter, random generator or list",
    needs=[DOMAIN, probe("status")],
    after=["DET001"],
)
def status_changes_world(evidence: Evidence) -> Iterator[Hit]:
    """Additional calls to status() do not change the episode.

    Rendered code calls status() after every call, even after calls that the domain never sees, and once more at
    the end.
    """
    if found := PROBED.of(evidence).asked:
        message = f"with additional calls to status(), the episode changed: {found}"
        yield Hit(message, place=Place(file=_domain_file(evidence)))


def _frameworks() -> set[str]:
    return {name for each in FRAMEWORKS.values() for name in each.packages}


def _domain_file(evidence: Evidence) -> str:
    return f"{DOMAIN.of(evidence).module}.py"


CHECKS = (
    Check(
        "CON001",
        "missing-tool",
        partial(
            domain_lacks,
            lambda domain, said: [t for t in said.declaration.parameters if t not in domain.tools],
            "{domain} has no method {name}()",
        ),
        fix="add a method of that name to the domain class, or remove the tool from env.yaml",
        needs=(DOMAIN, TOOLS),
        trusts="nothing",
        says="""Every tool of the spec is a method of the domain class.

        The model is shown the spec's tools, and calling a tool that has no method breaks the episode.
        """,
    ),
    wrong_parameters,
    Check(
        "CON003",
        "no-invalid-action",
        partial(
            domain_lacks,
            lambda domain, _: [] if domain.invalid_action else ["InvalidAction"],
            "{file} has no exception {name}",
        ),
        fix="define `class InvalidAction(Exception)` in the domain module and raise it for mistakes",
        needs=(DOMAIN,),
        trusts="nothing",
        says="""The domain module defines the exception InvalidAction.

        The domain raises this exception to report a mistake to the model. Any other exception breaks the episode.
        """,
    ),
    Check(
        "CON004",
        "missing-observe",
        partial(
            domain_lacks,
            lambda domain, said: (
                domain.missing if "observation" in said.declaration.placeholders else []
            ),
            "{domain} has no method {name}()",
        ),
        fix="write observe(self) -> str",
        needs=(DOMAIN,),
        trusts="nothing",
        says="""The domain class has observe(), which returns the first observation.

        Without observe(), there is no first observation to put into the prompt.
        """,
    ),
    Check(
        "CON005",
        "domain-imports-framework",
        partial(imports_unwanted, _foreign),
        fix="keep the rules in plain Python; leave frameworks to the rendered variants",
        needs=(IMPORTS,),
        trusts="nothing",
        says="""No file of the author imports a framework or skill-tools.

        The same domain runs in every variant's venv, where the other frameworks are not installed.
        """,
    ),
    Check(
        "CON006",
        "domain-imports-oracle",
        partial(imports_unwanted, _is_oracle),
        fix="move shared code into the domain; the oracle may import the domain, but the domain may not import the "
        "oracle",
        needs=(IMPORTS,),
        trusts="nothing",
        says="""No code that a tool can reach imports the oracle.

        The process in which the agent acts must not contain the solution.
        """,
    ),
    Check(
        "CON007",
        "sandbox-left-open",
        partial(
            domain_lacks,
            lambda domain, _: [] if domain.closes else ["close"],
            "{domain} has no method {name}(), but env.yaml names a backend",
        ),
        fix="write a close(self) that closes what __init__ opened: self._sandbox.close()",
        needs=(SANDBOX, DOMAIN),
        trusts="nothing",
        says="""A domain with a backend has close(), which ends an episode's session.

        Open sessions leave processes on the machine, or costs on a cloud account.
        """,
    ),
    domain_prints,
    file_stays_behind,
    package_not_declared,
    branch_never_taken,
    status_changes_world,
)
