"""What the MCP tools do: each asks the library and makes a result that fits.

Nothing of the library is imported before it is needed: a client waits for the server's start.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from skill_tools.archetypes import exemplars
from skill_tools.errors import SkillToolsError, SpecError, nearest
from skill_tools.server import answers
from skill_tools.server.answers import spoken
from skill_tools.server.fitting import LONG, SHORT, clip, lines_of, page


def list_archetypes(name: str | None) -> answers.Archetypes:
    """The archetypes, or all of one."""
    from dataclasses import asdict

    from skill_tools import archetypes

    if name is None:
        rows = [_picked(answers.Archetype, vars(each)) for each in archetypes.ARCHETYPES.values()]
        then = "Choose the one whose `when` fits, and call list_archetypes with its name."
        return answers.Archetypes(archetypes=rows, next=then)
    found = archetypes.find(_key(name))
    starter = f"starter/{found.name}"
    facts = {
        **asdict(found),
        "exemplar": starter,
        "starter_files": list(exemplars.find(starter).files),
    }
    then = (
        "Ask the user these questions, offering the defaults. Then copy the starter's files "
        f"(read_exemplar with exemplar={starter!r}) into a new folder and change them."
    )
    return answers.Archetypes(archetype=_picked(answers.ArchetypeFacts, facts), next=then)


def list_frameworks(name: str | None) -> answers.Frameworks:
    """The frameworks, or all facts of one."""
    from skill_tools.frameworks import FRAMEWORKS, known
    from skill_tools.spec.model import USUAL_FRAMEWORKS

    def facts(framework: Any) -> dict[str, Any]:
        return {**vars(framework), "default": framework.name in USUAL_FRAMEWORKS}

    if name is None:
        rows = [_picked(answers.Framework, facts(each)) for each in FRAMEWORKS.values()]
        then = "Put the chosen names into env.yaml (frameworks: [...]); name=... gives all of one."
        return answers.Frameworks(frameworks=rows, next=then)
    (found,) = known([name])
    then = f"Render it with render_env and frameworks=[{found.name!r}], or name it in env.yaml."
    return answers.Frameworks(framework=_picked(answers.FrameworkFacts, facts(found)), next=then)


def spec_problems(folder: Path) -> tuple[str | None, list[answers.Problem]]:
    """The environment's name, or what is wrong with env.yaml; runs nothing of the author's."""
    from skill_tools.frameworks.rules import load

    try:
        return load(folder).name, []
    except SpecError as error:
        return None, [
            answers.Problem(
                where=clip(p.where, SHORT), what=clip(p.what, LONG), fix=clip(p.fix, LONG)
            )
            for p in error.problems
        ]


def spec_findings(folder: Path) -> list[answers.Finding]:
    """The checks that the spec alone fails; runs nothing of the author's."""
    from skill_tools import checks
    from skill_tools.frameworks.rules import load
    from skill_tools.play.collecting import read_author_files

    found = checks.run(read_author_files(load(folder), folder))
    return [answers.Finding(**vars(finding)) for finding in found if finding.status == "fail"]


def render_file(folder: Path, file: str, offset: int, limit: int) -> answers.FileText:
    """Lines of one file as env.yaml renders to now."""
    from skill_tools import pipeline

    first = file.split("/")[0]
    names = [first] if first in _frameworks() else None
    plan = pipeline.planned(folder, names)
    if file not in plan:
        raise SkillToolsError(
            f"env.yaml renders to no file {file!r}{nearest(file, plan)} "
            "(the author's own files are not rendered: read those in the folder)"
        )
    return file_text(file, plan[file], offset, limit)


def file_text(file: str, text: str, offset: int, limit: int) -> answers.FileText:
    """Lines of a text, as many as fit."""
    lines = lines_of(text)

    def make(items: Sequence[str], more: int | None) -> answers.FileText:
        shown = "".join(items)
        return answers.FileText(file=file, text=shown, lines=len(lines), next_offset=more)

    return page(lines, offset, limit, make)


def render_env(
    folder: Path, frameworks: list[str] | None, *, force: bool, dry_run: bool
) -> answers.Rendered:
    """Write what env.yaml renders to, or say what would change."""
    from skill_tools import pipeline

    if dry_run:
        before = pipeline.pending(folder, frameworks)
    else:
        before = pipeline.render(folder, frameworks, force=force)[1]
    changed = [state for state in before if state.state != "clean"]
    if dry_run:
        then = "Call render_env without dry_run to write." if changed else "Nothing would change."
        if any(state.state == "edited" for state in changed):
            then += " It refuses while a file is edited, unless force=true (keeps a backup)."
    else:
        then = _next_of_rendering(folder)
    files = [answers.FileChange(path=state.path, state=state.state) for state in changed]
    return answers.Rendered(
        files=files[:100],
        changed=len(changed),
        unchanged=len(before) - len(changed),
        written=not dry_run,
        next=then,
    )


def _next_of_rendering(folder: Path) -> str:
    from skill_tools.frameworks.rules import load

    named = load(folder).frameworks
    missing = [name for name in named if not (folder / name / "rollout.py").is_file()]
    if missing:
        return (
            f"env.yaml also names {', '.join(missing)}, which are not rendered, and a validation "
            "says so: call render_env without frameworks, or take them out of env.yaml."
        )
    return "Call validate_env to play every variant and check what they do."


def ready_to_play(folder: Path, frameworks: Sequence[str] | None) -> list[str]:
    """The variants to play; raises SkillToolsError when one of them is not rendered."""
    from skill_tools import pipeline
    from skill_tools.frameworks.rules import load

    _, names = pipeline.asked(folder, frameworks)
    missing = [name for name in names if not (folder / name / "rollout.py").is_file()]
    if missing:
        argument = f", frameworks={missing}" if set(missing) - set(load(folder).frameworks) else ""
        raise SkillToolsError(
            f"not rendered yet: {', '.join(missing)}; call render_env with "
            f"env_path={str(folder)!r}{argument} first, then this again"
        )
    return names


def known_policy(name: str) -> str:
    """The name of a scripted policy; raises SkillToolsError saying which there are."""
    from skill_tools.play import policies

    return policies.known(name)


def explain_check(check: str) -> answers.CheckFacts:
    """What a check is about."""
    from skill_tools.checks import catalogue

    found = _picked(answers.CheckFacts, catalogue.find(check).model_dump())
    found.fix = spoken(found.fix)
    return found


def list_exemplars(exemplar: str | None, offset: int) -> answers.Exemplars:
    """The exemplars with the author's files, or one with all its files."""
    found = [exemplars.find(exemplar)] if exemplar else exemplars.every()
    rows = [
        answers.Exemplar(
            name=each.name,
            title=each.title,
            about=clip(each.about, SHORT),
            files=[
                answers.ExemplarFile(path=path, lines=len(text.splitlines()))
                for path, text in each.files.items()
                if exemplar or path not in each.rendered
            ],
            rendered_files=0 if exemplar else len(each.rendered),
        )
        for each in found
    ]
    then = "Call read_exemplar with an exemplar's name and one of its files; env.yaml first."

    def make(items: Sequence[answers.Exemplar], more: int | None) -> answers.Exemplars:
        return answers.Exemplars(exemplars=list(items), next_offset=more, next=then)

    return page(rows, offset, len(rows), make)


def read_exemplar(exemplar: str, file: str, offset: int, limit: int) -> answers.FileText:
    """Lines of one file of an exemplar."""
    return file_text(file, exemplars.find(exemplar).text(file), offset, limit)


def _frameworks() -> Sequence[str]:
    from skill_tools.spec.model import FRAMEWORK_NAMES

    return FRAMEWORK_NAMES


def _key(name: str) -> str:
    return name.removeprefix("starter/")


def _picked(model: Any, values: dict[str, Any]) -> Any:
    """A model of those of the values that it has a field for."""
    return model.model_validate(
        {name: values[name] for name in model.model_fields if name in values},
        from_attributes=True,
    )
